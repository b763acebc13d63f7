//! Rows out of dictionaries of features that appear and disappear.

use std::cell::RefCell;
use std::sync::Mutex;

use online_forests::FeatureValues;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyDict, PyList, PyTuple};
use tables::category_of_word;

use crate::error::{wrong_type, wrong_value};
use crate::names::Names;
use crate::task::shown;

/// Which column each feature has.
///
/// The features of the first sample take the first columns in sorted order; later ones take the columns that are left in the order in
/// which they appear (sorted, where several appear at once), and columns of their own behind these if the learner takes more
/// features. A feature for which no column is left is not read. The number of an absent feature is 0.
pub struct Columns {
    names: Names,
    /// The names in the order of the dictionary read last, with their columns: mostly that of the next one.
    last: Mutex<Vec<Place>>,
}

type Place = (Py<PyAny>, Option<usize>);

/// Says which values of features the learner takes.
pub type Taken<'a> = dyn Fn() -> PyResult<FeatureValues> + 'a;

impl Columns {
    /// Columns of these names.
    ///
    /// # Errors
    /// A name that cannot be hashed.
    pub fn named(names: Bound<'_, PyTuple>) -> PyResult<Self> {
        Names::of(names).map(Self::of)
    }

    /// A column for each of the names.
    pub fn of(names: Names) -> Self {
        Self {
            names,
            last: Mutex::default(),
        }
    }

    /// The names of the columns.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// Whether `names` are these, and maybe others behind them.
    ///
    /// # Errors
    /// Those of comparing names.
    pub fn begin(&self, names: &Bound<'_, PyTuple>) -> PyResult<bool> {
        let first = names.get_slice(0, self.names.len());
        first.eq(self.names.list(names.py()))
    }

    /// The names that get a column behind those that have one, of the columns that are left of `width`, or as many as they need if the
    /// learner `widens`; and whether all names have one then.
    ///
    /// # Errors
    /// A name that cannot be hashed.
    pub fn more<'py>(
        &self,
        names: &Bound<'py, PyList>,
        width: usize,
        widens: bool,
    ) -> PyResult<(Bound<'py, PyTuple>, bool)> {
        let new = self.new_among(names)?;
        let room = if widens {
            new.len()
        } else {
            width.saturating_sub(self.names.len()).min(new.len())
        };
        Ok((new.get_slice(0, room).to_tuple(), room == new.len()))
    }

    /// The names that have no column, in order.
    fn new_among<'py>(&self, names: &Bound<'py, PyList>) -> PyResult<Bound<'py, PyList>> {
        let mut new = Vec::new();
        for name in names.iter() {
            if self.names.place(&name)?.is_none() {
                new.push(name);
            }
        }
        sorted(names.py(), new)
    }

    /// Fills a row of `width` numbers with those of a dictionary; whether every name has a column. What values the learner takes is asked only for those that are
    /// not finite numbers.
    ///
    /// # Errors
    /// `TypeError` for a value that is not a number, `ValueError` for one that is not finite or does not fit; not for missing values (NaN, `None`) and words where
    /// the learner takes them.
    pub fn fill(
        &self,
        x: &Bound<'_, PyDict>,
        width: usize,
        row: &mut Vec<f32>,
        taken: &Taken<'_>,
    ) -> PyResult<bool> {
        // A number of Python may run any code, which may ask for a row as well: that one is read without the memory.
        match self.last.try_lock() {
            Ok(mut last) => self.fill_by(x, width, row, &mut last, taken),
            Err(_) => self.fill_by(x, width, row, &mut Vec::new(), taken),
        }
    }

    fn fill_by(
        &self,
        x: &Bound<'_, PyDict>,
        width: usize,
        row: &mut Vec<f32>,
        last: &mut Vec<Place>,
        taken: &Taken<'_>,
    ) -> PyResult<bool> {
        row.clear();
        row.resize(width, 0.0);
        let mut all = true;
        for (at, (name, value)) in x.iter().enumerate() {
            match self.column(at, &name, last)? {
                Some(column) => row[column] = number(&name, &value, taken)?,
                None => all = false,
            }
        }
        Ok(all)
    }

    /// The column of the `at`-th name of a dictionary. The same names in the same order are found without being hashed.
    fn column(
        &self,
        at: usize,
        name: &Bound<'_, PyAny>,
        last: &mut Vec<Place>,
    ) -> PyResult<Option<usize>> {
        if let Some((known, column)) = last.get(at)
            && known.is(name)
        {
            return Ok(*column);
        }
        let column = self.names.place(name)?;
        last.truncate(at);
        last.push((name.clone().unbind(), column));
        Ok(column)
    }
}
/// Names in an order that does not depend on the order of the dictionary.
fn sorted<'py>(py: Python<'py>, names: Vec<Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::new(py, names)?;
    if list.sort().is_err() {
        let by_text = PyDict::new(py);
        by_text.set_item("key", py.import("builtins")?.getattr(intern!(py, "repr"))?)?;
        list.call_method("sort", (), Some(&by_text))?;
    }
    Ok(list)
}

fn number(name: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>, taken: &Taken<'_>) -> PyResult<f32> {
    match value.extract::<f64>() {
        Ok(number) if (number as f32).is_finite() => Ok(number as f32),
        Ok(number) if number.is_nan() && takes_categories(taken)? => Ok(f32::NAN),
        Ok(number) => Err(not_finite(name, number)),
        Err(_) => category(name, value, taken),
    }
}

fn takes_categories(taken: &Taken<'_>) -> PyResult<bool> {
    Ok(taken()? == FeatureValues::NumbersAndCategories)
}

/// The missing value that `None` stands for, or the category of a word.
fn category(name: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>, taken: &Taken<'_>) -> PyResult<f32> {
    let word = value.extract::<PyBackedStr>();
    if (value.is_none() || word.is_ok()) && takes_categories(taken)? {
        return Ok(word.map_or(f32::NAN, |word| category_of_word(&word)));
    }
    Err(wrong_type(format!(
        "feature {}: {} is not a number; encode it first",
        shown(name),
        shown(value)
    )))
}

fn not_finite(name: &Bound<'_, PyAny>, number: f64) -> PyErr {
    let name = shown(name);
    wrong_value(if number.is_finite() {
        format!(
            "feature {name}: {number:?} does not fit float32, which features are stored as; scale it first"
        )
    } else {
        format!("feature {name}: {number} is not a finite number; replace or drop it first")
    })
}

thread_local! {
    static ROW: RefCell<Vec<f32>> = const { RefCell::new(Vec::new()) };
}

/// Lends a row whose memory the thread keeps. Calls may be nested: a number of Python may run any code.
pub fn with_row<R>(work: impl FnOnce(&mut Vec<f32>) -> R) -> R {
    let mut row = ROW.take();
    let result = work(&mut row);
    ROW.set(row);
    result
}

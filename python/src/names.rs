//! Names of classes and of features, objects of Python each in its place, and rows out of dictionaries.

use std::cell::RefCell;
use std::sync::Mutex;

use online_forests::FeatureValues;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyDict, PyList, PyTuple};
use tables::category_of_word;

use crate::convert::shown;
use crate::error::{wrong_type, wrong_value};

/// Objects that can be hashed, in an order that stays: a longer list is another one.
pub struct Names {
    list: Py<PyTuple>,
    places: Py<PyDict>,
    count: usize,
}

impl Names {
    /// These names, the first of which has place 0.
    pub fn of(list: &Bound<'_, PyTuple>) -> PyResult<Self> {
        let places = PyDict::new(list.py());
        for (place, name) in list.iter().enumerate() {
            places.set_item(name, place)?;
        }
        let (list, count) = (list.clone().unbind(), list.len());
        Ok(Self {
            list,
            places: places.unbind(),
            count,
        })
    }

    /// Number of names.
    pub fn len(&self) -> usize {
        self.count
    }

    /// The names in their order.
    pub fn list<'py>(&self, py: Python<'py>) -> Bound<'py, PyTuple> {
        self.list.bind(py).clone()
    }

    /// The first `count` names, or all if there are fewer.
    pub fn first<'py>(&self, py: Python<'py>, count: usize) -> Bound<'py, PyTuple> {
        self.list.bind(py).get_slice(0, count)
    }

    /// The place of a name; none if it is not among them.
    pub fn place(&self, name: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
        let place = self.places.bind(name.py()).get_item(name)?;
        place.map(|place| place.extract()).transpose()
    }

    /// The name in a place.
    pub fn name<'py>(&self, py: Python<'py>, place: usize) -> PyResult<Bound<'py, PyAny>> {
        self.list.bind(py).get_item(place)
    }

    /// These names with others behind them.
    pub fn followed_by(&self, others: &Bound<'_, PyTuple>) -> PyResult<Self> {
        Self::of(self.list(others.py()).add(others)?.cast()?)
    }
}

/// Which column each feature has.
///
/// The features of the first sample take the first columns in sorted order; later ones take the columns that are left in the order in
/// which they appear (sorted, where several appear at once), and columns of their own behind these if the learner takes more
/// features. A feature for which no column is left is not read. The number of an absent feature is 0.
pub struct Columns {
    /// The names of the columns.
    pub names: Names,
    /// The names in the order of the dictionary read last, with their columns: mostly that of the next one.
    last: Mutex<Vec<(Py<PyAny>, Option<usize>)>>,
}

impl Columns {
    /// A column for each of the names.
    pub fn of(names: &Bound<'_, PyTuple>) -> PyResult<Self> {
        Ok(Self {
            names: Names::of(names)?,
            last: Mutex::default(),
        })
    }

    /// The names that get a column behind those that have one, of the columns that are left of `width`, or as many as they need if the
    /// learner `widens`; and whether all names have one then.
    pub fn more<'py>(
        &self,
        names: &Bound<'py, PyList>,
        width: usize,
        widens: bool,
    ) -> PyResult<(Bound<'py, PyTuple>, bool)> {
        let py = names.py();
        let new = PyList::empty(py);
        for name in names.iter() {
            if self.names.place(&name)?.is_none() {
                new.append(name)?;
            }
        }
        // An order that does not depend on that of the dictionary.
        if new.sort().is_err() {
            let by_text = PyDict::new(py);
            by_text.set_item("key", py.import("builtins")?.getattr(intern!(py, "repr"))?)?;
            new.call_method("sort", (), Some(&by_text))?;
        }
        let left = if widens {
            new.len()
        } else {
            width.saturating_sub(self.names.len())
        };
        let room = left.min(new.len());
        Ok((new.get_slice(0, room).to_tuple(), room == new.len()))
    }

    /// Fills a row of `width` numbers with those of a dictionary; whether every name has a column.
    pub fn fill(
        &self,
        x: &Bound<'_, PyDict>,
        width: usize,
        taken: FeatureValues,
        row: &mut Vec<f32>,
    ) -> PyResult<bool> {
        // A number of Python may run any code, which may ask for a row as well: that one is read without the memory.
        let (mut held, mut none) = (self.last.try_lock(), Vec::new());
        let last = held.as_deref_mut().unwrap_or(&mut none);
        row.clear();
        // What is absent is missing, where that is taken; columns without a name hold 0.
        if taken == FeatureValues::NumbersAndCategories {
            row.resize(self.names.len().min(width), f32::NAN);
        }
        row.resize(width, 0.0);
        let mut all = true;
        for (at, (name, value)) in x.iter().enumerate() {
            // The same names in the same order are found without being hashed.
            let column = match last.get(at) {
                Some((known, column)) if known.is(&name) => *column,
                _ => {
                    let column = self.names.place(&name)?;
                    last.truncate(at);
                    last.push((name.clone().unbind(), column));
                    column
                }
            };
            match column {
                Some(column) => row[column] = number(&name, &value, taken)?,
                None => all = false,
            }
        }
        Ok(all)
    }
}

/// A number as a feature; the missing value that `None` and NaN stand for, and the category of a word, where they are taken.
pub fn number(
    name: &Bound<'_, PyAny>,
    value: &Bound<'_, PyAny>,
    taken: FeatureValues,
) -> PyResult<f32> {
    let takes_categories = taken == FeatureValues::NumbersAndCategories;
    match value.extract::<f64>() {
        Ok(number) if (number as f32).is_finite() => Ok(number as f32),
        Ok(number) if number.is_nan() && takes_categories => Ok(f32::NAN),
        Ok(number) if number.is_finite() => Err(wrong_value!(
            "feature {}: {number:?} does not fit float32, which features are stored as; scale it first",
            shown(name)
        )),
        Ok(number) => Err(wrong_value!(
            "feature {}: {number} is not a finite number; replace or drop it first",
            shown(name)
        )),
        Err(_) if takes_categories && is_missing(value) => Ok(f32::NAN),
        Err(_) => match value.extract::<PyBackedStr>() {
            Ok(word) if takes_categories => Ok(category_of_word(&word)),
            _ => {
                let (name, value) = (shown(name), shown(value));
                Err(wrong_type!(
                    "feature {name}: {value} is not a number; encode it first"
                ))
            }
        },
    }
}

/// Whether it is `None`, or what pandas has in its place.
fn is_missing(value: &Bound<'_, PyAny>) -> bool {
    let name = value.get_type().name();
    value.is_none() || name.is_ok_and(|name| matches!(name.to_str(), Ok("NAType" | "NaTType")))
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

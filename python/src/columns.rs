//! Rows out of dictionaries of features that appear and disappear.

use std::cell::RefCell;

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::Reduced;
use crate::error::{wrong_type, wrong_value};
use crate::task::shown;

/// Which column each feature has.
///
/// The features of the first dictionary take the first columns in sorted order; later ones take what is left of `width`
/// columns in the order in which they appear (sorted, where several appear at once), and columns of their own behind these if the
/// learner goes on with more features. A feature for which no column is left is not read. The number of an absent feature is 0.
#[pyclass(module = "online_forests._core")]
pub struct Columns {
    width: usize,
    names: Py<PyList>,
    index: Py<PyDict>,
    /// The names in the order of the dictionary read last, with their columns: mostly that of the next one.
    last: Vec<(Py<PyAny>, Option<usize>)>,
}

#[pymethods]
impl Columns {
    /// Columns of these names; `width` of them, or as many as names.
    #[new]
    #[pyo3(signature = (names, width = None))]
    fn new(names: &Bound<'_, PyList>, width: Option<usize>) -> PyResult<Self> {
        let index = PyDict::new(names.py());
        for (column, name) in names.iter().enumerate() {
            index.set_item(name, column)?;
        }
        Ok(Self {
            width: width.unwrap_or(names.len()).max(names.len()),
            names: names.as_sequence().to_list()?.unbind(),
            index: index.unbind(),
            last: Vec::new(),
        })
    }

    /// Number of columns.
    #[getter]
    fn width(&self) -> usize {
        self.width
    }

    /// Names of the columns taken so far.
    #[getter]
    fn names<'py>(&self, py: Python<'py>) -> Bound<'py, PyList> {
        self.names.bind(py).clone()
    }

    /// Columns for these names, too, as far as there are any left, or for all of them if the learner widens; and whether all
    /// names have one.
    #[pyo3(name = "extended")]
    fn extended_py(&self, names: &Bound<'_, PyList>, widens: bool) -> PyResult<(Self, bool)> {
        self.extended(names, widens)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Reduced<'py, (Bound<'py, PyList>, usize)> {
        let this = slf.borrow();
        let names = this.names.bind(slf.py()).clone();
        Ok((slf.get_type().into_any(), (names, this.width)))
    }
}

impl Columns {
    /// Whether a new name takes a column that is there.
    pub fn has_room(&self, py: Python<'_>) -> bool {
        self.names.bind(py).len() < self.width
    }

    /// A copy that has columns for these names, too: of those that are left, and more if the learner `widens`; and whether all names
    /// have one.
    ///
    /// # Errors
    /// None but those of Python itself.
    pub fn extended(&self, names: &Bound<'_, PyList>, widens: bool) -> PyResult<(Self, bool)> {
        let py = names.py();
        let new = self.new_among(names)?;
        let mut wide = Self {
            width: self.width,
            names: self.names.bind(py).as_sequence().to_list()?.unbind(),
            index: self.index.bind(py).copy()?.unbind(),
            last: Vec::new(),
        };
        let taken = wide.names.bind(py).len();
        if widens {
            wide.width = wide.width.max(taken + new.len());
        }
        let columns = taken..wide.width;
        for (name, column) in new.iter().zip(columns.clone()) {
            wide.index.bind(py).set_item(&name, column)?;
            wide.names.bind(py).append(name)?;
        }
        Ok((wide, new.len() <= columns.len()))
    }

    /// The names that have no column, in order.
    fn new_among<'py>(&self, names: &Bound<'py, PyList>) -> PyResult<Bound<'py, PyList>> {
        let index = self.index.bind(names.py());
        let mut new = Vec::new();
        for name in names.iter() {
            if !index.contains(&name)? {
                new.push(name);
            }
        }
        sorted(names.py(), new)
    }

    /// Fills `row` with the numbers of a dictionary; whether every name has a column.
    ///
    /// # Errors
    /// `TypeError` for what is no number, `ValueError` for one that is not finite or does not fit.
    pub fn fill(&mut self, x: &Bound<'_, PyDict>, row: &mut Vec<f32>) -> PyResult<bool> {
        row.clear();
        row.resize(self.width, 0.0);
        let mut all = true;
        for (at, (name, value)) in x.iter().enumerate() {
            match self.column(at, &name)? {
                Some(column) => row[column] = number(&name, &value)?,
                None => all = false,
            }
        }
        Ok(all)
    }

    /// The column of the `at`-th name of a dictionary. The same names in the same order are found without being hashed.
    fn column(&mut self, at: usize, name: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
        if let Some((known, column)) = self.last.get(at)
            && known.is(name)
        {
            return Ok(*column);
        }
        let found = self.index.bind(name.py()).get_item(name)?;
        let column = found.map(|column| column.extract()).transpose()?;
        self.last.truncate(at);
        self.last.push((name.clone().unbind(), column));
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

fn number(name: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<f32> {
    let Ok(number) = value.extract::<f64>() else {
        return Err(wrong_type(format!(
            "feature {}: {} is not a number; encode it first",
            shown(name),
            shown(value)
        )));
    };
    let cast = number as f32;
    match cast.is_finite() {
        true => Ok(cast),
        false => Err(not_finite(name, number)),
    }
}

fn not_finite(name: &Bound<'_, PyAny>, number: f64) -> PyErr {
    let name = shown(name);
    wrong_value(match number.is_finite() {
        true => format!(
            "feature {name}: {number} does not fit float32, which features are stored as; scale it first"
        ),
        false => {
            format!("feature {name}: {number} is not a finite number; replace or drop it first")
        }
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

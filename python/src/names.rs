//! Names of classes and of features, objects of Python each in its place, and rows out of dictionaries.

use std::borrow::Cow;
use std::sync::Mutex;

use numpy::ndarray::ArrayView2;
use online_forests::FeatureValues;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyDict, PyList, PyTuple};
use tables::category_of_word;

use crate::convert::shown;
use crate::error::{wrong_type, wrong_value};

/// An immutable list of different objects that can be hashed.
pub struct Names {
    list: Py<PyTuple>,
    places: Py<PyDict>,
}

impl Names {
    /// Lists these names; the first one has place 0.
    pub fn of(list: &Bound<'_, PyTuple>) -> PyResult<Self> {
        let places = PyDict::new(list.py());
        for (place, name) in list.iter().enumerate() {
            places.set_item(name, place)?;
        }
        Ok(Self {
            list: list.clone().unbind(),
            places: places.unbind(),
        })
    }

    /// Returns the names in their order.
    pub fn list<'py>(&self, py: Python<'py>) -> Bound<'py, PyTuple> {
        self.list.bind(py).clone()
    }

    /// Returns the first `count` names, or all if there are fewer.
    pub fn first<'py>(&self, py: Python<'py>, count: usize) -> Bound<'py, PyTuple> {
        self.list.bind(py).get_slice(0, count)
    }

    /// Returns the place of a name; `None` if it is not listed.
    pub fn place(&self, name: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
        let place = self.places.bind(name.py()).get_item(name)?;
        place.map(|place| place.extract()).transpose()
    }

    /// Returns the name in a place.
    pub fn name<'py>(&self, py: Python<'py>, place: usize) -> PyResult<Bound<'py, PyAny>> {
        self.list.bind(py).get_item(place)
    }
}

/// The columns of features.
///
/// The features of the first sample take the first columns in sorted order; later ones take the columns that are left
/// in the order in which they appear (sorted, where several appear at once), and columns of their own behind these if
/// the learner takes more features. A feature for which no column is left is not read.
pub struct Columns {
    /// The names of the columns.
    pub names: Names,
    /// For each column whether its values are words; `None` until one was learned.
    pub words: Vec<Option<bool>>,
    /// The names in the order of the last dictionary, with their columns: mostly the order of the next one.
    last: Mutex<Vec<(Py<PyAny>, Option<usize>)>>,
}

impl Columns {
    /// Makes a column for each of the names; `words` is known of the first ones.
    pub fn of(names: &Bound<'_, PyTuple>, mut words: Vec<Option<bool>>) -> PyResult<Self> {
        words.resize(names.len(), None);
        Ok(Self {
            names: Names::of(names)?,
            words,
            last: Mutex::default(),
        })
    }

    /// Returns the columns after these rows are learned; `None` if they are the same.
    ///
    /// # Errors
    /// Returns an error if a column has a number in one row and a word in another, now or earlier.
    pub fn after(&self, py: Python<'_>, rows: ArrayView2<'_, f32>) -> PyResult<Option<Self>> {
        let mut words = Cow::Borrowed(self.words.as_slice());
        for row in rows.rows() {
            for (column, value) in row.iter().take(self.words.len()).enumerate() {
                match (words[column], is_word(*value)) {
                    (None, Some(is_word)) => words.to_mut()[column] = Some(is_word),
                    (Some(was_word), Some(is_word)) if is_word != was_word => {
                        return Err(mixed(&self.names.name(py, column)?));
                    }
                    _ => {}
                }
            }
        }
        match words {
            Cow::Borrowed(_) => Ok(None),
            Cow::Owned(words) => Self::of(&self.names.list(py), words).map(Some),
        }
    }

    /// Returns the names that get a new column, of those left of `width`, or as many as needed if the learner `widens`;
    /// and whether all names have a column then.
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
        let mut room = new.len();
        if !widens {
            room = room.min(width.saturating_sub(self.words.len()));
        }
        Ok((new.get_slice(0, room).to_tuple(), room == new.len()))
    }

    /// Returns the features of a dictionary as a row of `width` numbers, and whether every name has a column.
    pub fn row(
        &self,
        x: &Bound<'_, PyDict>,
        width: usize,
        taken: FeatureValues,
    ) -> PyResult<(Vec<f32>, bool)> {
        // A number of Python may run any code, which may ask for a row as well: that one is read without the memory.
        let mut none = Vec::new();
        let mut held = self.last.try_lock();
        let last = held.as_deref_mut().unwrap_or(&mut none);
        let mut row = Vec::with_capacity(width);
        // What is absent is missing, where that is taken; columns without a name hold 0.
        if taken == FeatureValues::NumbersAndCategories {
            row.resize(self.words.len().min(width), f32::NAN);
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
                Some(column) => row[column] = number(&name, &value, taken, self.words[column])?,
                None => all = false,
            }
        }
        Ok((row, all))
    }
}

/// Returns the value of a feature as a number: if the learner supports them, NaN for a missing value, and the category
/// of a word. `is_word` says whether earlier values of the feature were words.
pub fn number(
    name: &Bound<'_, PyAny>,
    value: &Bound<'_, PyAny>,
    taken: FeatureValues,
    is_word: Option<bool>,
) -> PyResult<f32> {
    let takes_categories = taken == FeatureValues::NumbersAndCategories;
    match value.extract::<f64>() {
        Ok(number) if is_word == Some(true) && !number.is_nan() => Err(mixed(name)),
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
            Ok(_) if is_word == Some(false) => Err(mixed(name)),
            Ok(word) if is_word.is_none() && word.trim().parse().is_ok_and(f64::is_finite) => {
                let name = shown(name);
                let value = shown(value);
                Err(wrong_type!(
                    "feature {name}: {value} is a number written as text; convert it first, for example with \
                     converters={{{name}: float}} in River's stream.iter_csv, or astype(float) in pandas"
                ))
            }
            Ok(word) if takes_categories => Ok(category_of_word(&word)),
            _ => Err(wrong_type!(
                "feature {}: {} is not a number; encode it first",
                shown(name),
                shown(value)
            )),
        },
    }
}

/// Returns whether the value of a feature is a word; `None` for a missing value.
pub fn is_word(value: f32) -> Option<bool> {
    let is_missing = value.abs().to_bits() == f32::NAN.to_bits();
    (!is_missing).then_some(value.is_nan())
}

/// Returns the error of a feature that is a number in one sample and a word in another.
fn mixed(name: &Bound<'_, PyAny>) -> PyErr {
    let name = shown(name);
    wrong_type!(
        "feature {name} is a number in some samples and a text in others; convert the texts to numbers, for example \
         with converters={{{name}: float}} in River's stream.iter_csv or pandas.to_numeric, or the numbers to texts \
         that are not numbers"
    )
}

/// Returns whether a value is `None`, or one of the missing values of pandas.
fn is_missing(value: &Bound<'_, PyAny>) -> bool {
    let name = value.get_type().name();
    value.is_none() || name.is_ok_and(|name| matches!(name.to_str(), Ok("NAType" | "NaTType")))
}

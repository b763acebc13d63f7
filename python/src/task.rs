//! What Python hands over as targets.

use forest_model::TableTask;
use numpy::{PyArrayDyn, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use online_forests::{Classification, Regression};
use pyo3::intern;
use pyo3::prelude::*;

use crate::arrays::{numbers, plain};
use crate::error::{wrong_type, wrong_value};

/// Targets out of an array: its own memory, or numbers that were converted.
pub enum Targets<'py, V: numpy::Element> {
    /// The array's own memory.
    Own(PyReadonlyArrayDyn<'py, V>),
    /// Converted numbers.
    Converted(Vec<V>),
}

impl<V: numpy::Element> Targets<'_, V> {
    /// The targets, one a row.
    ///
    /// # Errors
    /// Never, for arrays that were taken.
    pub fn view(&self) -> PyResult<&[V]> {
        match self {
            Self::Own(array) => Ok(array.as_slice()?),
            Self::Converted(values) => Ok(values),
        }
    }
}

/// A task whose targets come from Python.
pub trait PythonTask: TableTask<Target: numpy::Element> {
    /// The targets of an array with one dimension.
    ///
    /// # Errors
    /// `TypeError` for a wrong type, `ValueError` for a wrong number of dimensions or what no target can be.
    fn targets<'py>(object: &Bound<'py, PyAny>) -> PyResult<Targets<'py, Self::Target>>;

    /// A single target.
    ///
    /// # Errors
    /// As [`PythonTask::targets`].
    fn one(object: &Bound<'_, PyAny>) -> PyResult<Self::Target>;
}

impl PythonTask for Classification {
    fn targets<'py>(object: &Bound<'py, PyAny>) -> PyResult<Targets<'py, u32>> {
        if let Ok(array) = object.cast::<PyArrayDyn<u32>>() {
            return one_dimension(plain(array)?, "targets").map(Targets::Own);
        }
        let tolist = intern!(object.py(), "tolist");
        let list = if object.hasattr(tolist)? {
            object.call_method0(tolist)?
        } else {
            object.clone()
        };
        let classes = list.try_iter()?.map(|class| Self::one(&class?));
        classes.collect::<PyResult<_>>().map(Targets::Converted)
    }

    fn one(object: &Bound<'_, PyAny>) -> PyResult<u32> {
        let index = object.call_method0(intern!(object.py(), "__index__"));
        let index = index.map_err(|_| {
            wrong_type(format!(
                "a class must be a whole number, but is {}",
                shown(object)
            ))
        })?;
        index.extract().map_err(|_| {
            wrong_value(format!(
                "a class must be a whole number from 0, but is {}",
                shown(object)
            ))
        })
    }
}

impl PythonTask for Regression {
    fn targets<'py>(object: &Bound<'py, PyAny>) -> PyResult<Targets<'py, f64>> {
        one_dimension(numbers(object, "targets")?, "targets").map(Targets::Own)
    }

    fn one(object: &Bound<'_, PyAny>) -> PyResult<f64> {
        object.extract().map_err(|_| {
            wrong_type(format!(
                "a target must be a number, but is {}",
                shown(object)
            ))
        })
    }
}

/// Weights, one a row.
///
/// # Errors
/// `TypeError` for a value that is not an array of numbers, `ValueError` for another number of dimensions.
pub fn weights<'py>(object: &Bound<'py, PyAny>) -> PyResult<PyReadonlyArrayDyn<'py, f64>> {
    one_dimension(numbers(object, "weights")?, "weights")
}

fn one_dimension<'py, V: numpy::Element>(
    array: PyReadonlyArrayDyn<'py, V>,
    what: &str,
) -> PyResult<PyReadonlyArrayDyn<'py, V>> {
    match array.ndim() {
        1 => Ok(array),
        dimensions => Err(wrong_value(format!(
            "{what} must be an array of one dimension, but it has {dimensions}; ravel() makes it so"
        ))),
    }
}

/// How Python writes a value, or its type if it cannot.
pub fn shown(object: &Bound<'_, PyAny>) -> String {
    let text = object.repr().map(|text| text.to_string());
    text.unwrap_or_else(|_| object.get_type().to_string())
}

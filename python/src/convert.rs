//! What Python hands over: rows, targets, weights and whole numbers, as arrays of the core.
//!
//! The interpreter is released while rows are learned. As in numpy, nobody may write into an array meanwhile.

use numpy::{
    Element, PyArray1, PyArray2, PyArrayDyn, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2,
    PyUntypedArrayMethods,
};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::{wrong_type, wrong_value};

/// A new object of Python, or an exception.
pub type Made<'py, A> = PyResult<Bound<'py, A>>;

/// Returns the rows of a two-dimensional array of numbers: its own memory if it holds `float32` row by row, else a
/// checked cast.
pub fn rows<'py>(object: &Bound<'py, PyAny>) -> PyResult<PyReadonlyArray2<'py, f32>> {
    let wrong = |dimensions: usize| {
        wrong_value!(
            "features must be an array of rows and columns, but it has {dimensions} dimensions; reshape(1, -1) makes a \
             row of a single sample, reshape(-1, 1) a column of a single feature"
        )
    };
    if let Ok(array) = object.cast::<PyArrayDyn<f32>>() {
        let array = plain(array)?;
        let rows = array.cast::<PyArray2<f32>>();
        return Ok(rows.map_err(|_| wrong(array.ndim()))?.try_readonly()?);
    }
    let array = numbers(object, "features")?;
    let shape: [usize; 2] = array.shape().try_into().map_err(|_| wrong(array.ndim()))?;
    let wide = array.try_readonly()?;
    let wide = wide.as_slice()?;
    let cast: Vec<f32> = wide.iter().map(|&number| number as f32).collect();
    let beyond = |(wide, cast): (&f64, &f32)| wide.is_finite() && cast.is_infinite();
    if let Some(at) = wide.iter().zip(&cast).position(beyond) {
        return Err(wrong_value!(
            "row {}, feature {}: {:?} does not fit float32, which features are stored as; scale it first",
            at / shape[1],
            at % shape[1],
            wide[at]
        ));
    }
    Ok(PyArray1::from_vec(object.py(), cast)
        .reshape(shape)?
        .try_readonly()?)
}

/// Returns the numbers of a one-dimensional array.
pub fn vector<'py>(object: &Bound<'py, PyAny>, what: &str) -> PyResult<PyReadonlyArray1<'py, f64>> {
    line(&numbers(object, what)?, what)
}

fn line<'py, V: Element>(
    array: &Bound<'py, PyArrayDyn<V>>,
    what: &str,
) -> PyResult<PyReadonlyArray1<'py, V>> {
    let line = array.cast::<PyArray1<V>>().map_err(|_| {
        wrong_value!(
            "{what} must be an array of one dimension, but it has {}; ravel() makes it so",
            array.ndim()
        )
    })?;
    Ok(line.try_readonly()?)
}

/// Returns an array of numbers of any type as `float64`, row by row.
fn numbers<'py>(object: &Bound<'py, PyAny>, what: &str) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    if let Ok(array) = object.cast::<PyArrayDyn<f64>>() {
        return plain(array);
    }
    let numpy = object.py().import(intern!(object.py(), "numpy"))?;
    let array = numpy.call_method1("asarray", (object,))?;
    let dtype = array.getattr("dtype")?;
    let kind: String = dtype.getattr("kind")?.extract()?;
    if !matches!(kind.as_str(), "b" | "i" | "u" | "f") {
        return Err(wrong_type!(
            "{what} must be numbers in an array, but the array's type is {dtype}; convert it first, for example with \
             astype(float)"
        ));
    }
    plain(array.call_method1("astype", ("float64",))?.cast()?)
}

/// Returns the array if it is contiguous, row by row, and aligned; else a copy that is.
fn plain<'py, V: Element>(array: &Bound<'py, PyArrayDyn<V>>) -> Made<'py, PyArrayDyn<V>> {
    if array.is_c_contiguous() && (array.data() as usize).is_multiple_of(align_of::<V>()) {
        return Ok(array.clone());
    }
    let copy = array.as_any().call_method1("copy", ("C",))?;
    Ok(copy.cast_into()?)
}

/// Returns a dictionary, or what `dict` makes of another mapping: some transformers of River return one.
pub fn dict<'py>(object: &Bound<'py, PyAny>) -> Made<'py, PyDict> {
    if let Ok(dict) = object.cast::<PyDict>() {
        return Ok(dict.clone());
    }
    let made = object.py().get_type::<PyDict>().call1((object,))?;
    Ok(made.cast_into()?)
}

/// Targets: classes or numbers, as the task has it.
#[derive(Clone)]
pub enum Targets {
    Classes(Vec<u32>),
    Numbers(Vec<f64>),
}

impl Targets {
    /// Returns the targets in a one-dimensional array.
    pub fn of(object: &Bound<'_, PyAny>, classes: bool) -> PyResult<Self> {
        if !classes {
            let array = vector(object, "targets")?;
            return Ok(Self::Numbers(array.as_slice()?.to_vec()));
        }
        if let Ok(array) = object.cast::<PyArrayDyn<u32>>() {
            let array = line(&plain(array)?, "targets")?;
            return Ok(Self::Classes(array.as_slice()?.to_vec()));
        }
        let list = match object.getattr_opt(intern!(object.py(), "tolist"))? {
            Some(tolist) => tolist.call0()?,
            None => object.clone(),
        };
        let mut classes = Vec::new();
        for class in list.try_iter()? {
            let class = class?;
            let wrong = |_| not_whole(&class, "a class must be a whole number from 0");
            classes.push(class.extract().map_err(wrong)?);
        }
        Ok(Self::Classes(classes))
    }
}

impl AsRef<[u32]> for Targets {
    fn as_ref(&self) -> &[u32] {
        match self {
            Self::Classes(classes) => classes,
            Self::Numbers(_) => &[],
        }
    }
}

impl AsRef<[f64]> for Targets {
    fn as_ref(&self) -> &[f64] {
        match self {
            Self::Numbers(numbers) => numbers,
            Self::Classes(_) => &[],
        }
    }
}

/// Returns the `repr` of a value, or its type if that fails.
pub fn shown(object: &Bound<'_, PyAny>) -> String {
    let text = object.repr().map(|text| text.to_string());
    text.unwrap_or_else(|_| object.get_type().to_string())
}

/// A whole number from 0, of Python or numpy.
#[derive(Clone, Copy)]
pub struct Whole(pub u64);

impl<'a, 'py> FromPyObject<'a, 'py> for Whole {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let wrong = |_| not_whole(&object, "this must be a whole number from 0 to 2^64 - 1");
        object.extract().map(Self).map_err(wrong)
    }
}

/// Returns the error of what should be a whole number from 0: `TypeError` unless it is whole.
fn not_whole(object: &Bound<'_, PyAny>, expected: &str) -> PyErr {
    match object.hasattr("__index__") {
        Ok(true) => wrong_value!("{expected}, but is {}", shown(object)),
        _ => wrong_type!("{expected}, but is {}", shown(object)),
    }
}

impl Whole {
    /// Returns the number as a count of things in memory.
    pub fn count(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }

    /// Returns the number as a number of classes, the largest possible one if it is too large.
    pub fn class(self) -> u32 {
        u32::try_from(self.0).unwrap_or(u32::MAX)
    }
}

//! Rows of features out of numpy arrays.

use numpy::ndarray::ArrayView2;
use numpy::{Element, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::{wrong_type, wrong_value};

/// Rows of features: those of the array itself where it holds `float32` row by row, a checked cast of it otherwise.
///
/// The interpreter is released while rows are learned. As in numpy, nobody may write into the array meanwhile.
pub enum Rows<'py> {
    /// The array's own memory.
    Own(PyReadonlyArrayDyn<'py, f32>, [usize; 2]),
    /// Numbers that were cast.
    Cast(Vec<f32>, [usize; 2]),
}

impl<'py> Rows<'py> {
    /// The rows of a two-dimensional array of numbers.
    ///
    /// # Errors
    /// `TypeError` for a value that is not an array of numbers; `ValueError` for another number of dimensions or a number that
    /// does not fit `float32`.
    pub fn of(object: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(array) = object.cast::<PyArrayDyn<f32>>() {
            let array = plain(array)?;
            let shape = shape_of(array.shape())?;
            return Ok(Self::Own(array, shape));
        }
        let array = numbers(object, "features")?;
        let shape = shape_of(array.shape())?;
        Ok(Self::Cast(cast(array.as_slice()?, shape[1])?, shape))
    }

    /// The rows, one sample a row.
    ///
    /// # Errors
    /// Never, for arrays that [`Rows::of`] has taken.
    pub fn view(&self) -> PyResult<ArrayView2<'_, f32>> {
        let (values, shape) = match self {
            Self::Own(array, shape) => (array.as_slice()?, *shape),
            Self::Cast(values, shape) => (&values[..], *shape),
        };
        ArrayView2::from_shape(shape, values).map_err(|error| wrong_value(error.to_string()))
    }
}

/// An array of numbers of any type as `float64`, row by row; its own memory if it is that already.
///
/// # Errors
/// `TypeError` for anything else: objects, texts, complex numbers, dates.
pub fn numbers<'py>(
    object: &Bound<'py, PyAny>,
    what: &str,
) -> PyResult<PyReadonlyArrayDyn<'py, f64>> {
    if let Ok(array) = object.cast::<PyArrayDyn<f64>>() {
        return plain(array);
    }
    let array = numpy_call(object, "asarray", None)?;
    let dtype = array.getattr(intern!(object.py(), "dtype"))?;
    let kind: String = dtype.getattr(intern!(object.py(), "kind"))?.extract()?;
    if !matches!(kind.as_str(), "b" | "i" | "u" | "f") {
        return Err(wrong_type(format!(
            "{what} must be numbers in an array, but the array's type is {dtype}; convert it first, for example with \
             astype(float)"
        )));
    }
    let array = numpy_call(&array, "require", Some("float64"))?;
    plain(array.cast::<PyArrayDyn<f64>>()?)
}

/// The array if its memory is one piece, row by row, at an address for its type; a copy that is so otherwise.
pub fn plain<'py, T: Element>(
    array: &Bound<'py, PyArrayDyn<T>>,
) -> PyResult<PyReadonlyArrayDyn<'py, T>> {
    if array.is_c_contiguous() && (array.data() as usize).is_multiple_of(align_of::<T>()) {
        return Ok(array.try_readonly()?);
    }
    let copy = array
        .as_any()
        .call_method1(intern!(array.py(), "copy"), ("C",))?;
    Ok(copy.cast::<PyArrayDyn<T>>()?.try_readonly()?)
}

fn numpy_call<'py>(
    object: &Bound<'py, PyAny>,
    function: &str,
    dtype: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    let options = PyDict::new(object.py());
    if let Some(dtype) = dtype {
        options.set_item("dtype", dtype)?;
        options.set_item("requirements", ["C", "A"])?;
    }
    let numpy = object.py().import(intern!(object.py(), "numpy"))?;
    numpy.call_method(function, (object,), Some(&options))
}

fn shape_of(shape: &[usize]) -> PyResult<[usize; 2]> {
    shape.try_into().map_err(|_| {
        wrong_value(format!(
            "features must be an array of rows and columns, but it has {} dimensions; reshape(1, -1) makes a row of a \
             single sample, reshape(-1, 1) a column of a single feature",
            shape.len()
        ))
    })
}

fn cast(values: &[f64], width: usize) -> PyResult<Vec<f32>> {
    let cast: Vec<f32> = values.iter().map(|&value| value as f32).collect();
    let beyond = |(value, cast): (&f64, &f32)| value.is_finite() && cast.is_infinite();
    match values.iter().zip(&cast).position(beyond) {
        None => Ok(cast),
        Some(at) => Err(wrong_value(format!(
            "row {}, feature {}: {:?} does not fit float32, which features are stored as; scale it first",
            at / width,
            at % width,
            values[at]
        ))),
    }
}

//! Errors of Rust as exceptions of Python, with the same sentences.

use std::error::Error;

use forest_core::registry::snapshot::SnapshotFileError;
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

/// Returns the `ValueError` of input or a setting that is refused.
pub fn refused(error: impl Error) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Returns a `TypeError`: a value has a wrong type, or the learner cannot do what is asked for.
macro_rules! wrong_type {
    ($($sentence:tt)*) => { pyo3::exceptions::PyTypeError::new_err(format!($($sentence)*)) };
}

/// Returns a `ValueError`: a value of the right type is refused.
macro_rules! wrong_value {
    ($($sentence:tt)*) => { pyo3::exceptions::PyValueError::new_err(format!($($sentence)*)) };
}
pub(crate) use {wrong_type, wrong_value};

/// Returns an `OSError` for a file that cannot be read or written, and a `ValueError` for wrong contents.
pub fn file(error: SnapshotFileError) -> PyErr {
    let SnapshotFileError::Io { ref source, .. } = error else {
        return refused(error);
    };
    match source.raw_os_error() {
        // Python makes FileNotFoundError and its like of the number.
        Some(code) => PyOSError::new_err((code, error.to_string())),
        None => PyOSError::new_err(error.to_string()),
    }
}

/// Returns the error of a learner after a panic in the middle of a change: its state is unknown.
pub fn broken() -> PyErr {
    PyRuntimeError::new_err(
        "an earlier call failed in the middle of learning, so this learner cannot be used any more; load it from a \
         file, and please report the failure",
    )
}

//! Errors of Rust as exceptions of Python, with the same sentences.

use std::error::Error;

use forest_core::registry::snapshot::SnapshotFileError;
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

/// Input or a setting that is refused: `ValueError`.
pub fn refused(error: impl Error) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// A value of a wrong type, or what this learner cannot do, so that another is needed: `TypeError`.
macro_rules! wrong_type {
    ($($sentence:tt)*) => { pyo3::exceptions::PyTypeError::new_err(format!($($sentence)*)) };
}

/// A value of the right type that is refused: `ValueError`.
macro_rules! wrong_value {
    ($($sentence:tt)*) => { pyo3::exceptions::PyValueError::new_err(format!($($sentence)*)) };
}
pub(crate) use {wrong_type, wrong_value};

/// A file that the system refuses is an `OSError`, one with wrong contents a `ValueError`.
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

/// After a panic in the middle of a change, nothing is known about the learner.
pub fn broken() -> PyErr {
    PyRuntimeError::new_err(
        "an earlier call failed in the middle of learning, so this learner cannot be used any more; load it from a \
         file, and please report the failure",
    )
}

//! Errors of Rust as exceptions of Python, with the same sentences.

use std::error::Error;

use forest_core::registry::snapshot::SnapshotFileError;
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;

/// Input or a setting that is refused: `ValueError`.
pub fn refused(error: impl Error) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// A value of a wrong type: `TypeError`.
pub fn wrong_type(message: impl Into<String>) -> PyErr {
    PyTypeError::new_err(message.into())
}

/// A value of the right type that is refused: `ValueError`.
pub fn wrong_value(message: impl Into<String>) -> PyErr {
    PyValueError::new_err(message.into())
}

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

/// Nothing is known before the first rows, not even how many features they have.
pub fn empty() -> PyErr {
    wrong_value(
        "this learner is empty: it has learned no rows yet, so it has neither features nor trees",
    )
}

//! Files of which it is not known whether they hold a classifier or a regressor.

use std::path::PathBuf;

use forest_core::registry::snapshot;
use pyo3::prelude::*;

use crate::classifier::Classifier;
use crate::error::file;
use crate::inner::Inner;
use crate::regressor::Regressor;

enum Either {
    Classifier(Box<Inner<online_forests::Classification>>),
    Regressor(Box<Inner<online_forests::Regression>>),
}

/// The learner in a file of Python, of Rust or of the program `online-forests`.
///
/// # Errors
/// `OSError` for a file that cannot be read, `ValueError` for one that holds something else.
#[pyfunction]
#[pyo3(signature = (path, threads = 0))]
pub fn load(py: Python<'_>, path: PathBuf, threads: usize) -> PyResult<Py<PyAny>> {
    let loaded = py.detach(|| {
        snapshot::load_either(
            path,
            |inner| Either::Classifier(Box::new(inner)),
            |inner| Either::Regressor(Box::new(inner)),
        )
    });
    Ok(match loaded.map_err(file)? {
        Either::Classifier(inner) => Py::new(py, Classifier::of(*inner, threads)?)?.into_any(),
        Either::Regressor(inner) => Py::new(py, Regressor::of(*inner, threads)?)?.into_any(),
    })
}

//! Files of which it is not known whether they hold a classifier or a regressor.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use registry::snapshot;

use crate::classifier::Classifier;
use crate::error::file;
use crate::inner::Inner;
use crate::regressor::Regressor;

enum Either {
    Classifier(Box<Inner<online_forests::Classification>>),
    Regressor(Box<Inner<online_forests::Regression>>),
}

/// The learner, pipeline or model in a file, a [`Classifier`] or a [`Regressor`], and what was noted beside it: nothing, unless an
/// estimator or model of a library was saved.
///
/// # Errors
/// `OSError` for a file that cannot be read, `ValueError` for one that holds something else.
#[pyfunction]
#[pyo3(signature = (path, threads = 0))]
pub fn load_noted<'py>(
    py: Python<'py>,
    path: PathBuf,
    threads: usize,
) -> PyResult<(Py<PyAny>, Bound<'py, PyBytes>)> {
    let loaded = py.detach(|| {
        snapshot::load_noted(
            path,
            |inner| Either::Classifier(Box::new(inner)),
            |inner| Either::Regressor(Box::new(inner)),
        )
    });
    let (either, note) = loaded.map_err(file)?;
    let learner = match either {
        Either::Classifier(inner) => Py::new(py, Classifier::of(*inner, threads)?)?.into_any(),
        Either::Regressor(inner) => Py::new(py, Regressor::of(*inner, threads)?)?.into_any(),
    };
    Ok((learner, PyBytes::new(py, &note)))
}

//! Both classes as bytes, files and copies.

use std::path::PathBuf;

use online_forests::OnlineLearner as _;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyType};
use registry::snapshot::{self, Snapshot as _};

use crate::Reduced;
use crate::classifier::Classifier;
use crate::error::{file, refused};
use crate::inner::Inner;
use crate::regressor::Regressor;

/// Snapshots, copies and what Python asks of every object.
macro_rules! copies {
    ($class:ident) => {
        #[pymethods]
        impl $class {
            /// The snapshot, as the file that `save` writes.
            fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
                let bytes = self.0.read(py, |inner| snapshot::to_bytes(inner))?;
                Ok(PyBytes::new(py, &bytes.map_err(refused)?))
            }

            /// The learner of a snapshot.
            #[classmethod]
            #[pyo3(signature = (bytes, threads = 0))]
            fn from_bytes(
                class: &Bound<'_, PyType>,
                bytes: &Bound<'_, PyBytes>,
                threads: usize,
            ) -> PyResult<Self> {
                let bytes = bytes.as_bytes();
                let inner = class.py().detach(|| snapshot::from_bytes(bytes));
                Self::of(inner.map_err(refused)?, threads)
            }

            /// Saves a file, which is there whole or as it was.
            fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
                self.0
                    .read(py, |inner| snapshot::save(inner, path))?
                    .map_err(file)
            }

            /// The learner in a file.
            #[classmethod]
            #[pyo3(signature = (path, threads = 0))]
            fn load(class: &Bound<'_, PyType>, path: PathBuf, threads: usize) -> PyResult<Self> {
                let inner = class.py().detach(|| snapshot::load(path));
                Self::of(inner.map_err(file)?, threads)
            }

            fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
                Self::of(self.0.read(py, Inner::clone)?, self.0.threads())
            }

            fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
                self.__copy__(py)
            }

            fn __reduce__<'py>(
                slf: &Bound<'py, Self>,
            ) -> Reduced<'py, (Bound<'py, PyBytes>, usize)> {
                let this = slf.get();
                let bytes = this.to_bytes(slf.py())?;
                Ok((
                    slf.get_type().getattr("from_bytes")?,
                    (bytes, this.0.threads()),
                ))
            }

            fn __sizeof__(&self, py: Python<'_>) -> PyResult<usize> {
                let footprint = self.0.read_one(py, |inner| inner.footprint())?;
                Ok(size_of::<Self>() + footprint.bytes)
            }

            fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
                self.0.read_one(py, |inner| {
                    let (class, label, seen) =
                        (stringify!($class), inner.label(), inner.samples_seen());
                    format!("<{class} {label}, {seen} samples seen>")
                })
            }
        }
    };
}

copies!(Classifier);
copies!(Regressor);

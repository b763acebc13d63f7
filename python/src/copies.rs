//! Both classes as bytes, files and copies.

use std::path::PathBuf;

use forest_core::registry::snapshot::{self, Snapshot as _};
use online_forests::{Classification, OnlineLearner as _, Regression};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple, PyType};

use crate::Reduced;
use crate::classifier::Classifier;
use crate::columns::Columns;
use crate::error::{file, refused};
use crate::held::{Held, named};
use crate::inner::Inner;
use crate::names::Names;
use crate::regressor::Regressor;
use crate::shared::Shared;

/// Snapshots, copies and what Python asks of every object.
macro_rules! copies {
    ($class:ident, $task:ty) => {
        impl $class {
            /// A learner of numbers that was built or loaded, for which this number of threads works.
            ///
            /// # Errors
            /// More threads than are started.
            pub fn of(inner: Inner<$task>, threads: usize) -> PyResult<Self> {
                Shared::new(Some(Held::plain(inner)), threads).map(Self)
            }
        }

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

            /// Saves a file, which is there whole or not at all.
            fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
                let bytes = self.0.read(py, |inner| snapshot::to_bytes(inner))?;
                let bytes = bytes.map_err(refused)?;
                py.detach(|| snapshot::save_bytes(&bytes, path).map_err(file))
            }

            /// The learner in a file.
            #[classmethod]
            #[pyo3(signature = (path, threads = 0))]
            fn load(class: &Bound<'_, PyType>, path: PathBuf, threads: usize) -> PyResult<Self> {
                let inner = class.py().detach(|| snapshot::load(path));
                Self::of(inner.map_err(file)?, threads)
            }

            /// A learner that takes the place of the one that its first rows bring.
            #[classmethod]
            fn empty(_class: &Bound<'_, PyType>) -> PyResult<Self> {
                Shared::new(None, 0).map(Self)
            }

            /// The learner of a snapshot, with what its numbers mean.
            #[classmethod]
            fn from_state(
                class: &Bound<'_, PyType>,
                bytes: &Bound<'_, PyBytes>,
                threads: usize,
                labels: Option<Bound<'_, PyTuple>>,
                is_closed: bool,
                columns: Option<Bound<'_, PyTuple>>,
            ) -> PyResult<Self> {
                let bytes = bytes.as_bytes();
                let inner = class.py().detach(|| snapshot::from_bytes(bytes));
                let held = Held {
                    inner: inner.map_err(refused)?,
                    labels: named(labels, Names::of)?,
                    is_closed,
                    columns: named(columns, Columns::named)?,
                };
                Shared::new(Some(held), threads).map(Self)
            }

            fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
                let held = self.0.look(py, |held| held.cloned())?;
                Shared::new(held, self.0.threads()).map(Self)
            }

            fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
                self.__copy__(py)
            }

            fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Reduced<'py, Bound<'py, PyTuple>> {
                let py = slf.py();
                let learner = &slf.get().0;
                let encoded = |held: &Held<_>| (snapshot::to_bytes(&held.inner), held.names());
                let Some((bytes, names)) = learner.look(py, |held| held.map(encoded))? else {
                    return Ok((slf.get_type().getattr("empty")?, PyTuple::empty(py)));
                };
                let bytes = PyBytes::new(py, &bytes.map_err(refused)?);
                let (labels, is_closed, columns) = names.python_arguments(py);
                let state = (bytes, learner.threads(), labels, is_closed, columns);
                Ok((
                    slf.get_type().getattr("from_state")?,
                    state.into_pyobject(py)?,
                ))
            }

            fn __sizeof__(&self, py: Python<'_>) -> PyResult<usize> {
                let bytes =
                    |held: Option<&Held<_>>| held.map_or(0, |held| held.inner.footprint().bytes);
                Ok(size_of::<Self>() + self.0.glance(py, bytes)?)
            }

            fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
                let class = stringify!($class);
                self.0.glance(py, |held| match held {
                    Some(Held { inner, .. }) => {
                        let (label, seen) = (inner.label(), inner.samples_seen());
                        format!("<{class} {label}, {seen} samples seen>")
                    }
                    None => format!("<{class}, empty>"),
                })
            }
        }
    };
}

copies!(Classifier, Classification);
copies!(Regressor, Regression);

//! Learners of Python as files, copies and pickles.

use std::path::PathBuf;

use forest_core::registry::snapshot;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple, PyType};

use crate::convert::Made;
use crate::error::{file, refused, wrong_value};
use crate::learner::{Classifier, Regressor};
use crate::saved::Inner;
use crate::shared::{Held, Learner, MANY};

/// Returns a learner as an object of its class.
fn object(py: Python<'_>, held: Held) -> PyResult<Py<PyAny>> {
    let classes = held.learns_classes();
    let learner = PyClassInitializer::from(Learner::of(held));
    Ok(if classes {
        Py::new(py, learner.add_subclass(Classifier))?.into_any()
    } else {
        Py::new(py, learner.add_subclass(Regressor))?.into_any()
    })
}

#[pymethods]
impl Learner {
    /// Returns the bytes of the file that `save` writes.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.read(py, MANY, |held| held.inner.to_bytes())?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Returns the learner in the bytes of a file, with labels and names.
    #[classmethod]
    #[pyo3(signature = (bytes, threads = 0, labels = None, is_closed = false, columns = None, words = Vec::new()))]
    fn from_bytes(
        class: &Bound<'_, PyType>,
        bytes: &Bound<'_, PyBytes>,
        threads: usize,
        labels: Option<Bound<'_, PyTuple>>,
        is_closed: bool,
        columns: Option<Bound<'_, PyTuple>>,
        words: Vec<Option<bool>>,
    ) -> PyResult<Py<PyAny>> {
        let classes = class.is_subclass_of::<Classifier>()?;
        let bytes = bytes.as_bytes();
        let inner = class.py().detach(|| Inner::from_bytes(bytes, classes));
        let inner = inner.map_err(refused)?;
        let held = Held::of(inner, threads, labels, is_closed, columns, words)?;
        object(class.py(), held)
    }

    /// Saves the learner to a file, which is replaced as a whole or not at all.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let bytes = self.read(py, MANY, |held| held.inner.to_bytes())?;
        py.detach(|| snapshot::save_bytes(&bytes, path).map_err(file))
    }

    /// Returns the learner in a file.
    #[classmethod]
    #[pyo3(signature = (path, threads = 0))]
    fn load(class: &Bound<'_, PyType>, path: PathBuf, threads: usize) -> PyResult<Py<PyAny>> {
        let loaded = load(class.py(), path.clone(), threads)?;
        if loaded.bind(class.py()).is_instance(class)? {
            return Ok(loaded);
        }
        let sentence = "holds a learner of the other class; online_forests.load loads either";
        Err(wrong_value!("{} {sentence}", path.display()))
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        object(py, self.read(py, MANY, |held| Ok(held.clone()))?)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.__copy__(py)
    }

    /// Returns what makes the object again, and its arguments.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Made<'py, PyTuple> {
        let py = slf.py();
        let (bytes, names, (threads, is_closed, columns)) = slf.get().read(py, MANY, |held| {
            let others = (held.threads, held.is_closed, held.columns.clone());
            Ok((held.inner.to_bytes()?, held.known_labels(), others))
        })?;
        let labels = names.map(|(labels, width)| labels.first(py, width));
        let words = columns.as_ref().map_or(&[][..], |columns| &columns.words);
        let names = columns.as_ref().map(|columns| columns.names.list(py));
        let bytes = PyBytes::new(py, &bytes);
        let state = (bytes, threads, labels, is_closed, names, words);
        (slf.get_type().getattr("from_bytes")?, state).into_pyobject(py)
    }
}

/// Returns the learner in a file of Python, of Rust or of the program `online-forests`.
#[pyfunction]
#[pyo3(signature = (path, threads = 0))]
pub fn load(py: Python<'_>, path: PathBuf, threads: usize) -> PyResult<Py<PyAny>> {
    let inner = py.detach(|| snapshot::load_either(path, Inner::Classes, Inner::Numbers));
    let inner = inner.map_err(file)?;
    object(py, Held::of(inner, threads, None, false, None, Vec::new())?)
}

//! Labels of any kind as classes, for learning and answering dictionaries.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::Reduced;

/// The labels seen, in the order of their classes.
#[pyclass(module = "online_forests._core")]
pub struct Labels {
    labels: Py<PyList>,
    index: Py<PyDict>,
}

#[pymethods]
impl Labels {
    /// These labels, the first of which is class 0.
    #[new]
    fn new(labels: &Bound<'_, PyList>) -> PyResult<Self> {
        let index = PyDict::new(labels.py());
        for (class, label) in labels.iter().enumerate() {
            index.set_item(label, class)?;
        }
        Ok(Self {
            labels: labels.as_sequence().to_list()?.unbind(),
            index: index.unbind(),
        })
    }

    /// The labels, the first of which is class 0.
    #[getter]
    fn labels<'py>(&self, py: Python<'py>) -> Bound<'py, PyList> {
        self.labels.bind(py).clone()
    }

    /// The class of a label, which it gets now if it is new.
    fn class_of(&self, label: &Bound<'_, PyAny>) -> PyResult<u32> {
        let class = self.known_or_next(label)?;
        self.admit(label, class)?;
        Ok(class)
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.labels.bind(py).len()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Reduced<'py, (Bound<'py, PyList>,)> {
        let labels = slf.borrow().labels.bind(slf.py()).clone();
        Ok((slf.get_type().into_any(), (labels,)))
    }
}

impl Labels {
    /// The class of a label, or the one that it would get.
    ///
    /// # Errors
    /// A label that cannot be hashed.
    pub fn known_or_next(&self, label: &Bound<'_, PyAny>) -> PyResult<u32> {
        match self.index.bind(label.py()).get_item(label)? {
            Some(class) => class.extract(),
            None => Ok(self.labels.bind(label.py()).len() as u32),
        }
    }

    /// Takes note of a label that has been learned as this class.
    ///
    /// # Errors
    /// A label that cannot be hashed.
    pub fn admit(&self, label: &Bound<'_, PyAny>, class: u32) -> PyResult<()> {
        let labels = self.labels.bind(label.py());
        if labels.len() == class as usize {
            self.index.bind(label.py()).set_item(label, class)?;
            labels.append(label)?;
        }
        Ok(())
    }

    /// Label by label the probability of its class.
    ///
    /// # Errors
    /// More numbers than labels.
    pub fn named<'py>(&self, py: Python<'py>, numbers: &[f64]) -> PyResult<Bound<'py, PyDict>> {
        let answer = PyDict::new(py);
        for (class, number) in numbers.iter().enumerate() {
            answer.set_item(self.label(py, class)?, number)?;
        }
        Ok(answer)
    }

    /// The label of a class.
    ///
    /// # Errors
    /// A class that has none.
    pub fn label<'py>(&self, py: Python<'py>, class: usize) -> PyResult<Bound<'py, PyAny>> {
        self.labels.bind(py).get_item(class)
    }
}

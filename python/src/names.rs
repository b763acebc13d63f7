//! Names of classes and of features: objects of Python, each in its place.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// Objects that can be hashed, in an order that stays: a longer list is another one.
pub struct Names {
    list: Py<PyTuple>,
    places: Py<PyDict>,
    count: usize,
}

impl Names {
    /// These names, the first of which has place 0.
    ///
    /// # Errors
    /// A name that cannot be hashed.
    pub fn of(list: Bound<'_, PyTuple>) -> PyResult<Self> {
        let places = PyDict::new(list.py());
        for (place, name) in list.iter().enumerate() {
            places.set_item(name, place)?;
        }
        Ok(Self {
            count: list.len(),
            places: places.unbind(),
            list: list.unbind(),
        })
    }

    /// Number of names.
    pub fn len(&self) -> usize {
        self.count
    }

    /// The names in their order.
    pub fn list<'py>(&self, py: Python<'py>) -> Bound<'py, PyTuple> {
        self.list.bind(py).clone()
    }

    /// The first `count` names, or all if there are fewer.
    pub fn first<'py>(&self, py: Python<'py>, count: usize) -> Bound<'py, PyTuple> {
        if count < self.count {
            self.list.bind(py).get_slice(0, count)
        } else {
            self.list(py)
        }
    }

    /// The place of a name; none if it is not among them.
    ///
    /// # Errors
    /// A name that cannot be hashed.
    pub fn place(&self, name: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
        let place = self.places.bind(name.py()).get_item(name)?;
        place.map(|place| place.extract()).transpose()
    }

    /// The name in a place.
    ///
    /// # Errors
    /// A place that has none.
    pub fn name<'py>(&self, py: Python<'py>, place: usize) -> PyResult<Bound<'py, PyAny>> {
        self.list.bind(py).get_item(place)
    }

    /// These names with others behind them.
    ///
    /// # Errors
    /// A name that cannot be hashed.
    pub fn followed_by(&self, others: &Bound<'_, PyTuple>) -> PyResult<Self> {
        let list = self.list(others.py());
        Self::of(list.add(others)?.cast_into()?)
    }
}

//! Sums of votes, which go from shard to shard.

use forest_core::VoteSums;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyType};

use crate::Reduced;
use crate::error::{refused, wrong_value};

/// Sums of the votes of the first trees of a forest on some rows, which one shard hands to the next.
#[pyclass(module = "online_forests._core")]
pub struct Votes(pub(crate) VoteSums);

#[pymethods]
impl Votes {
    /// Sums that the first shard begins.
    #[new]
    fn new() -> Self {
        Self(VoteSums::default())
    }

    /// Number of trees whose votes are in the sums.
    #[getter]
    fn trees(&self) -> usize {
        self.0.trees()
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// Sums that were pickled.
    #[classmethod]
    fn from_bytes(_class: &Bound<'_, PyType>, bytes: &[u8]) -> PyResult<Self> {
        let config = bincode::config::standard();
        match bincode::serde::decode_from_slice(bytes, config).map_err(refused)? {
            (sums, read) if read == bytes.len() => Ok(Self(sums)),
            _ => Err(wrong_value("these bytes hold more than sums of votes")),
        }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Reduced<'py, (Bound<'py, PyBytes>,)> {
        let bytes =
            bincode::serde::encode_to_vec(&slf.try_borrow()?.0, bincode::config::standard());
        let bytes = PyBytes::new(slf.py(), &bytes.map_err(refused)?);
        Ok((slf.get_type().getattr("from_bytes")?, (bytes,)))
    }
}

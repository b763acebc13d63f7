//! The folder of checkpoints of a forest in shards.

use std::path::PathBuf;

use distributed::{CheckpointError, Committed};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;

/// Snapshots of all shards by the rows that were learned, with a marker where all shards have theirs: files as
/// those of `online-forests train --processes`, of other contents.
#[pyclass(frozen, module = "online_forests._core")]
pub struct Checkpoints(distributed::Checkpoints);

#[pymethods]
impl Checkpoints {
    /// Those of shard number `shard` of `of` in a folder, which is made if it is not there.
    #[new]
    fn new(folder: PathBuf, shard: usize, of: usize) -> PyResult<Self> {
        let opened = distributed::Checkpoints::open(folder, shard, of);
        opened.map(Self).map_err(system)
    }

    /// The file of the snapshot of this shard after `rows` rows.
    fn path(&self, rows: u64) -> PathBuf {
        self.0.path(rows)
    }

    /// Says that all shards have their snapshot after `rows` rows.
    fn commit(&self, rows: u64) -> PyResult<()> {
        self.0.commit(rows, Note::default()).map_err(system)
    }

    /// Removes the snapshots of this shard before `rows`, and markers of them.
    fn remove_before(&self, rows: u64) -> PyResult<()> {
        self.0.remove_before(rows).map_err(system)
    }

    /// Rows and number of shards of each marker in a folder, the newest first.
    #[staticmethod]
    fn all_committed(folder: PathBuf) -> PyResult<Vec<(u64, usize)>> {
        if !folder.exists() {
            return Ok(Vec::new());
        }
        let all: Vec<Committed<Note>> =
            distributed::Checkpoints::all_committed(&folder).map_err(system)?;
        Ok(all.iter().map(|found| (found.rows, found.shards)).collect())
    }
}

/// Nothing but snapshots is written. Markers of the program have other notes, so that neither takes those of the other for its own.
type Note = [(); 0];

fn system(error: CheckpointError) -> PyErr {
    let message = error.to_string();
    match error.source.raw_os_error() {
        Some(code) => PyOSError::new_err((code, message)),
        None => PyOSError::new_err(message),
    }
}

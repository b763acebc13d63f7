//! Snapshots as files: there whole, or not there.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use forest_core::Task as _;

use super::container::Container;
use super::{Snapshot, SnapshotError, SnapshotFileError, from_bytes, from_container, to_bytes};
use crate::new_file::NewFile;

/// Saves a learner. The file takes its name only when it is complete and on the disk; until then,
/// and if anything fails, whatever had that name before stays as it was.
///
/// # Errors
/// As [`to_bytes`], and what the system refuses.
pub fn save<A: Snapshot>(learner: &A, path: impl AsRef<Path>) -> Result<(), SnapshotFileError> {
    let path = path.as_ref();
    let bytes = to_bytes(learner).map_err(|source| wrong(path, source))?;
    let unwritten = |source| refused("write", path, source);
    let mut file = NewFile::create(path).map_err(unwritten)?;
    file.write_all(&bytes).map_err(unwritten)?;
    file.commit()
        .map_err(|source| refused("replace", path, source))
}

/// Loads a learner.
///
/// # Errors
/// As [`from_bytes`], and what the system refuses.
pub fn load<A: Snapshot>(path: impl AsRef<Path>) -> Result<A, SnapshotFileError> {
    let path = path.as_ref();
    let bytes = fs::read(path).map_err(|source| refused("read", path, source))?;
    from_bytes(&bytes).map_err(|source| wrong(path, source))
}

/// Loads a learner of either of two kinds, for different tasks: the file says which. It is read once, so it may be a pipe.
///
/// # Errors
/// As [`load`].
pub fn load_either<A: Snapshot, B: Snapshot, M>(
    path: impl AsRef<Path>,
    first: impl FnOnce(A) -> M,
    second: impl FnOnce(B) -> M,
) -> Result<M, SnapshotFileError> {
    let path = path.as_ref();
    let bytes = fs::read(path).map_err(|source| refused("read", path, source))?;
    let loaded = Container::open(&bytes).and_then(|container| match container.task {
        task if task == A::Task::NAME => from_container(&container).map(first),
        _ => from_container(&container).map(second),
    });
    loaded.map_err(|source| wrong(path, source))
}

fn refused(action: &'static str, path: &Path, source: io::Error) -> SnapshotFileError {
    SnapshotFileError::Io {
        action,
        path: path.to_path_buf(),
        source,
    }
}

fn wrong(path: &Path, source: SnapshotError) -> SnapshotFileError {
    SnapshotFileError::Snapshot {
        path: path.to_path_buf(),
        source,
    }
}

//! Snapshots as files: there whole, or not there.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use crate::Task;
use crate::files::NewFile;
use crate::registry::snapshot::container::{Container, open, read};
use crate::registry::snapshot::{
    Snapshot, SnapshotError, SnapshotFileError, from_container, to_bytes,
};

/// Saves a learner. The file takes its name only when it is complete and on the disk; until then,
/// and if anything fails, whatever had that name before is unchanged.
///
/// # Errors
/// As [`to_bytes`], and what the system refuses.
pub fn save<A: Snapshot>(learner: &A, path: impl AsRef<Path>) -> Result<(), SnapshotFileError> {
    let path = path.as_ref();
    let bytes = to_bytes(learner).map_err(|source| wrong(path, source))?;
    save_bytes(&bytes, path)
}

/// Saves the bytes of a snapshot, as [`save`] does.
///
/// # Errors
/// What the system refuses.
pub fn save_bytes(bytes: &[u8], path: impl AsRef<Path>) -> Result<(), SnapshotFileError> {
    let path = path.as_ref();
    let unwritten = |source| refused("write", path, source);
    let mut file = NewFile::create(path).map_err(unwritten)?;
    file.write_all(bytes).map_err(unwritten)?;
    file.commit()
        .map_err(|source| refused("replace", path, source))
}

/// Loads a learner from a file, which may be a pipe.
///
/// # Errors
/// As [`from_bytes`](super::from_bytes), and what the system refuses.
pub fn load<A: Snapshot>(path: impl AsRef<Path>) -> Result<A, SnapshotFileError> {
    with_container(path.as_ref(), |container| from_container(&container))
}

/// Loads a learner of either of two kinds, for different tasks: the file says which.
///
/// # Errors
/// As [`load`].
pub fn load_either<A: Snapshot, B: Snapshot, M>(
    path: impl AsRef<Path>,
    first: impl FnOnce(A) -> M,
    second: impl FnOnce(B) -> M,
) -> Result<M, SnapshotFileError> {
    load_noted(path, first, second).map(|(loaded, _)| loaded)
}

/// Loads a learner of either of two kinds, and the note that was made when it was [sealed](super::Encoded::sealed): empty if none was.
///
/// # Errors
/// As [`load`].
pub fn load_noted<A: Snapshot, B: Snapshot, M>(
    path: impl AsRef<Path>,
    first: impl FnOnce(A) -> M,
    second: impl FnOnce(B) -> M,
) -> Result<(M, Vec<u8>), SnapshotFileError> {
    with_container(path.as_ref(), |container| {
        let loaded = match container.task {
            task if task == A::Task::NAME => first(from_container(&container)?),
            _ => second(from_container(&container)?),
        };
        Ok((loaded, container.note.to_vec()))
    })
}

/// Returns what is made of the container in a file.
fn with_container<M>(
    path: &Path,
    make: impl FnOnce(Container<'_>) -> Result<M, SnapshotError>,
) -> Result<M, SnapshotFileError> {
    let bytes = File::open(path).and_then(|mut file| read(&mut file));
    let bytes = bytes.map_err(|source| refused("read", path, source))?;
    let made = open(&bytes).and_then(make);
    made.map_err(|source| wrong(path, source))
}

fn refused(action: &'static str, path: &Path, source: io::Error) -> SnapshotFileError {
    let path = path.to_path_buf();
    SnapshotFileError::Io {
        action,
        path,
        source,
    }
}

fn wrong(path: &Path, source: SnapshotError) -> SnapshotFileError {
    let path = path.to_path_buf();
    SnapshotFileError::Snapshot { path, source }
}

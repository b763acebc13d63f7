//! Snapshots as files: there whole, or not there.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use super::container::{Container, LoadError};
use super::{Snapshot, SnapshotError, SnapshotFileError, either, from_container, to_bytes};
use crate::files::NewFile;

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

/// Loads a learner.
///
/// # Errors
/// As [`from_bytes`](super::from_bytes), and what the system refuses.
pub fn load<A: Snapshot>(path: impl AsRef<Path>) -> Result<A, SnapshotFileError> {
    with_container(path.as_ref(), |mut container| {
        from_container(&mut container)
    })
}

/// Loads a learner of either of two kinds, for different tasks: the file says which. It may be a pipe.
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
    with_container(path.as_ref(), |mut container| {
        let loaded = either(&mut container, first, second)?;
        Ok((loaded, container.note))
    })
}

/// Returns the value that is read from the container in a file. A pipe cannot be read twice: it is read into memory.
fn with_container<M>(
    path: &Path,
    make: impl FnOnce(Container<'_>) -> Result<M, SnapshotError>,
) -> Result<M, SnapshotFileError> {
    let read = || {
        let mut file = File::open(path)?;
        if file.metadata()?.is_file() {
            return Ok(make(Container::from_file(&mut file)?)?);
        }
        let bytes = Container::bytes_of(file)?;
        Ok(make(Container::from_bytes(&bytes)?)?)
    };
    read().map_err(|error: LoadError| match error {
        LoadError::Io(source) => refused("read", path, source),
        LoadError::Snapshot(source) => wrong(path, source),
    })
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

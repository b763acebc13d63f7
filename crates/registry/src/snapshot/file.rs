//! Snapshots as files: there whole, or not there.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use tempfile::NamedTempFile;

use super::{Snapshot, SnapshotError, SnapshotFileError, from_bytes, to_bytes};

/// Saves a learner. The file takes its name only when it is complete and on the disk; until then,
/// and if anything fails, whatever had that name before stays as it was.
///
/// # Errors
/// As [`to_bytes`], and what the system refuses.
pub fn save<A: Snapshot>(learner: &A, path: impl AsRef<Path>) -> Result<(), SnapshotFileError> {
    let path = path.as_ref();
    let bytes = to_bytes(learner).map_err(|source| wrong(path, source))?;
    let folder = folder_of(path);
    let file = written(folder, &bytes).map_err(|source| refused("write in", folder, source))?;
    let persisted = file.persist(path).map(drop);
    persisted.map_err(|failure| refused("replace", path, failure.error))?;
    sync_folder(folder).map_err(|source| refused("sync", folder, source))
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

/// A file's folder; that of a bare file name is the current one.
fn folder_of(path: &Path) -> &Path {
    let parent = path.parent().filter(|parent| *parent != Path::new(""));
    parent.unwrap_or(Path::new("."))
}

/// A file in `folder` that holds `bytes` on the disk, and goes away unless it is given a name.
fn written(folder: &Path, bytes: &[u8]) -> io::Result<NamedTempFile> {
    let mut file = readable_by_others().tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    Ok(file)
}

/// A model is no secret: it gets the permissions of any new file, not those of a temporary one.
#[cfg(unix)]
fn readable_by_others() -> tempfile::Builder<'static, 'static> {
    use std::os::unix::fs::PermissionsExt;
    let mut builder = tempfile::Builder::new();
    builder.permissions(fs::Permissions::from_mode(0o666));
    builder
}

#[cfg(not(unix))]
fn readable_by_others() -> tempfile::Builder<'static, 'static> {
    tempfile::Builder::new()
}

/// Makes the new name last: on Unix a name is on the disk only when its folder is.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
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

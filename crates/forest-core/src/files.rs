//! Files that are written completely or not at all, and locks against two programs that write one file.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Error, ErrorKind, Read as _, Write};
use std::path::{Path, PathBuf};

use same_file::Handle;
use tempfile::NamedTempFile;

/// Ends the name of a file that is being written.
const UNFINISHED: &str = ".unfinished";

/// A file that takes its name only when it is complete and on the disk. Until then, and if anything
/// fails, whatever had that name before is unchanged.
///
/// The bytes go to `.NAME.….unfinished` in the same folder, which [`NewFile::remove_unfinished`] removes after a
/// program was killed. Symbolic links stay, and the file that they lead to is replaced. It hands down its permissions
/// and, as far as the system lets it, its owner and group; another name of it (a hard link) keeps the old file.
///
/// ```
/// use std::io::Write as _;
/// use forest_core::files::NewFile;
///
/// # let folder = tempfile::tempdir()?;
/// let path = folder.path().join("predictions.csv");
/// let mut file = NewFile::create(&path)?;
/// file.write_all(b"prediction\n")?;
/// assert!(!path.exists());
/// file.commit()?;
/// assert_eq!(std::fs::read_to_string(&path)?, "prediction\n");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct NewFile {
    /// Beside the path that it will take.
    file: NamedTempFile,
    path: PathBuf,
}

impl NewFile {
    /// Starts a file that will be called `path`.
    ///
    /// # Errors
    /// As [`destination`], or if the folder cannot be written to.
    pub fn create(path: impl AsRef<Path>) -> io::Result<Self> {
        let path = destination(path)?;
        let mut builder = tempfile::Builder::new();
        // As any new file, not as a temporary one.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let prefix = hidden(&path, ".");
        builder.prefix(&prefix).suffix(UNFINISHED);
        let file = builder.tempfile_in(folder_of(&path))?;
        if path.is_file() {
            hand_down(&fs::metadata(&path)?, file.as_file())?;
        }
        Ok(Self { file, path })
    }

    /// Puts the file on the disk and gives it its name.
    ///
    /// # Errors
    /// Returns the error of the system; then the file is gone.
    pub fn commit(self) -> io::Result<()> {
        self.file.as_file().sync_all()?;
        self.file.persist(&self.path)?;
        // On Unix a name is on the disk only when its folder is.
        if cfg!(unix) {
            File::open(folder_of(&self.path))?.sync_all()?;
        }
        Ok(())
    }

    /// Removes what programs that were killed have left of `path`. No other program may be writing it now.
    ///
    /// # Errors
    /// Returns the error of the system.
    pub fn remove_unfinished(path: impl AsRef<Path>) -> io::Result<()> {
        let path = destination(path)?;
        let prefix = hidden(&path, ".");
        for entry in fs::read_dir(folder_of(&path))? {
            let entry = entry?;
            let name = entry.file_name();
            let name = name.as_encoded_bytes();
            let rest = name.strip_prefix(prefix.as_encoded_bytes());
            let random = rest.and_then(|rest| rest.strip_suffix(UNFINISHED.as_bytes()));
            if random.is_some_and(|random| random.iter().all(u8::is_ascii_alphanumeric)) {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Returns the path of the file itself, without links, whether or not it exists.
///
/// # Errors
/// Returns an error for a folder that does not exist, links in a circle, a pipe or a device, or that of the system.
pub fn destination(path: impl AsRef<Path>) -> io::Result<PathBuf> {
    let path = path.as_ref();
    match path.canonicalize() {
        Ok(found) if found.is_file() || found.is_dir() => Ok(found),
        Ok(_) => Err(Error::other(
            "a pipe or a device is not a file that can be replaced",
        )),
        // A link to a file that is not there yet: links in a circle are another error.
        Err(error) if error.kind() == ErrorKind::NotFound && path.is_symlink() => {
            destination(folder_of(path).join(fs::read_link(path)?))
        }
        Err(error) => match path.file_name() {
            Some(name) if error.kind() == ErrorKind::NotFound => {
                Ok(folder_of(path).canonicalize()?.join(name))
            }
            _ => Err(error),
        },
    }
}

/// Returns a file's folder; that of a bare file name is the current one.
fn folder_of(path: &Path) -> &Path {
    let parent = path.parent().filter(|parent| *parent != Path::new(""));
    parent.unwrap_or(Path::new("."))
}

/// Returns the name `.NAME` and what follows.
fn hidden(path: &Path, rest: &str) -> OsString {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(rest);
    name
}

/// Gives the new file the owner, group and permissions of the old one, as far as the system lets it.
#[cfg(unix)]
fn hand_down(old: &fs::Metadata, new: &File) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let group = Some(old.gid());
    let _ = fchown(new, Some(old.uid()), group).or_else(|_| fchown(new, None, group));
    let _ = new.set_permissions(old.permissions());
    Ok(())
}

#[cfg(not(unix))]
fn hand_down(old: &fs::Metadata, new: &File) -> io::Result<()> {
    new.set_permissions(old.permissions())
}

/// A lock on the file `.NAME.lock` beside a file. The system releases it however the process ends.
///
/// ```
/// use forest_core::files::Lock;
///
/// # let folder = tempfile::tempdir()?;
/// let model = folder.path().join("a-model");
/// let lock = Lock::beside(&model)?;
/// assert!(Lock::beside(&model).is_err());
/// drop(lock);
/// assert!(Lock::beside(&model).is_ok());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    /// The lock file, locked while it is open.
    _file: File,
}

impl Lock {
    /// Locks `file`, which must not be a link and need not exist; its folder has to exist.
    ///
    /// # Errors
    /// Returns an error of the kind `WouldBlock` if another process holds the lock: its text is `process 1234`, or
    /// `another process` where the id is unknown. Another kind if the folder cannot be written to.
    pub fn beside(file: &Path) -> io::Result<Self> {
        let path = file.with_file_name(hidden(file, ".lock"));
        loop {
            // Not truncated, since it names the holder.
            let mut options = OpenOptions::new();
            options.read(true).write(true).create(true).truncate(false);
            let mut file = options.open(&path)?;
            match file.try_lock() {
                // Some file systems do not support locks. Their files can still be written.
                Err(TryLockError::Error(error)) if error.kind() != ErrorKind::Unsupported => {
                    return Err(error);
                }
                Err(TryLockError::WouldBlock) => {
                    let mut holder = String::new();
                    // Where a lock also forbids reading, a failure to read means that it is held.
                    if file.read_to_string(&mut holder).is_err() || holder.is_empty() {
                        holder.push_str("another process");
                    }
                    return Err(Error::new(ErrorKind::WouldBlock, holder));
                }
                Ok(()) | Err(TryLockError::Error(_)) => {}
            }
            // The previous holder may have removed the file after it was opened here: then others lock another file.
            let there = match Handle::from_path(&path) {
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                there => there?,
            };
            if Handle::from_file(file.try_clone()?)? == there {
                file.set_len(0)?;
                write!(file, "process {}", std::process::id())?;
                return Ok(Self { path, _file: file });
            }
        }
    }
}

impl Drop for Lock {
    /// Removes the file while it is locked. A file that cannot be removed is reused.
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_unfinished_files_of_that_name_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m.model");
        let kept = [
            "m.model",
            ".m.model.unfinished",
            ".other.model.abc123.unfinished",
            ".m.model.old.abc123.unfinished",
        ];
        for name in kept.iter().chain(&[".m.model.abc123.unfinished"]) {
            fs::write(folder.path().join(name), "").unwrap();
        }
        NewFile::remove_unfinished(&path).unwrap();
        let mut left: Vec<_> = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        left.sort();
        let mut kept = kept.to_vec();
        kept.sort_unstable();
        assert_eq!(left, kept);
    }

    #[test]
    fn a_file_that_is_not_committed_leaves_the_old_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("predictions");
        fs::write(&path, "old").unwrap();
        let mut file = NewFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        drop(file);
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn links_lead_to_the_file_itself_and_what_cannot_be_replaced_is_an_error() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().canonicalize().unwrap();
        fs::create_dir(folder.join("deep")).unwrap();
        symlink("deep", folder.join("shallow")).unwrap();
        symlink("../shallow/file", folder.join("deep/second")).unwrap();
        symlink("shallow/second", folder.join("first")).unwrap();
        let file = folder.join("deep/file");
        for name in ["first", "shallow/second", "deep/second", "shallow/file"] {
            assert_eq!(destination(folder.join(name)).unwrap(), file, "{name}");
        }
        fs::write(&file, "").unwrap();
        assert_eq!(destination(folder.join("first")).unwrap(), file);
        symlink("b", folder.join("a")).unwrap();
        symlink("a", folder.join("b")).unwrap();
        assert!(destination(folder.join("a")).is_err());
        let error = destination("/dev/null").unwrap_err();
        assert!(error.to_string().contains("device"), "{error}");
    }
}

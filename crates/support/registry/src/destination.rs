//! What stands at the path of a file that is to be written.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Symbolic links that are followed, one after another, as Linux does.
const MOST_LINKS: usize = 40;

/// What stands at a path, symbolic links followed.
///
/// ```
/// use registry::Destination;
///
/// # let folder = tempfile::tempdir()?;
/// let path = folder.path().canonicalize()?.join("predictions.csv");
/// assert_eq!(Destination::new(&path)?, Destination::File(path));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    /// A regular file, or nothing yet: the path of the file itself, without links. A new file can take its place.
    File(PathBuf),
    /// A pipe, a device, or an open file of a process, such as `/dev/stdout`: bytes can only be written to it.
    Stream(PathBuf),
}

impl Destination {
    /// Returns the destination at `path`.
    ///
    /// # Errors
    /// A folder that is not there, links in a circle, or what else the system refuses.
    pub fn new(path: impl AsRef<Path>) -> io::Result<Self> {
        let mut path = in_its_folder(path.as_ref())?;
        for _ in 0..=MOST_LINKS {
            match link(&path)? {
                Some(link) => path = in_its_folder(&link)?,
                None => return Self::open_path(path),
            }
        }
        Err(io::Error::other("its symbolic links lead in a circle"))
    }

    fn open_path(path: PathBuf) -> io::Result<Self> {
        if is_open_file(&path) {
            return Ok(Self::Stream(path));
        }
        match fs::metadata(&path) {
            Ok(found) if found.is_file() || found.is_dir() => Ok(Self::File(path)),
            Ok(_) => Ok(Self::Stream(path)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Self::File(path)),
            Err(error) => Err(error),
        }
    }
}

/// Returns the path with the links in its folder followed, but not that of its name.
fn in_its_folder(path: &Path) -> io::Result<PathBuf> {
    match path.file_name() {
        Some(name) => Ok(folder_of(path).canonicalize()?.join(name)),
        None => path.canonicalize(),
    }
}

/// Returns a file's folder; that of a bare file name is the current one.
pub(crate) fn folder_of(path: &Path) -> &Path {
    let parent = path.parent().filter(|parent| *parent != Path::new(""));
    parent.unwrap_or(Path::new("."))
}

/// Returns where the symbolic link at `path` leads; `None` if there is none.
fn link(path: &Path) -> io::Result<Option<PathBuf>> {
    if is_open_file(path) || !path.is_symlink() {
        return Ok(None);
    }
    Ok(Some(folder_of(path).join(fs::read_link(path)?)))
}

/// Returns whether the path names an open file of a process: `/dev/fd/1`, and `/proc/self/fd/1` of Linux, where it looks like a
/// link whose end may have no path.
fn is_open_file(path: &Path) -> bool {
    let folder = folder_of(path);
    let of_a_process = folder.starts_with("/proc") && folder.ends_with("fd");
    of_a_process || folder == Path::new("/dev/fd")
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_lead_to_the_file_itself_whether_or_not_it_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().canonicalize().unwrap();
        fs::create_dir(folder.join("deep")).unwrap();
        symlink("deep", folder.join("shallow")).unwrap();
        symlink("../shallow/file", folder.join("deep/second")).unwrap();
        symlink("shallow/second", folder.join("first")).unwrap();
        let file = Destination::File(folder.join("deep/file"));
        for name in ["first", "shallow/second", "deep/second", "shallow/file"] {
            assert_eq!(Destination::new(folder.join(name)).unwrap(), file, "{name}");
        }
        fs::write(folder.join("deep/file"), "").unwrap();
        assert_eq!(Destination::new(folder.join("first")).unwrap(), file);
    }

    #[test]
    fn links_in_a_circle_are_an_error() {
        let folder = tempfile::tempdir().unwrap();
        symlink("b", folder.path().join("a")).unwrap();
        symlink("a", folder.path().join("b")).unwrap();
        let error = Destination::new(folder.path().join("a")).unwrap_err();
        assert!(error.to_string().contains("circle"), "{error}");
    }

    #[test]
    fn what_is_not_a_regular_file_is_a_stream() {
        for path in ["/dev/null", "/dev/stdout", "/dev/fd/2"] {
            let found = Destination::new(path).unwrap();
            assert!(matches!(found, Destination::Stream(_)), "{path}: {found:?}");
        }
    }
}

//! The file at a path, symbolic links followed.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Symbolic links that are followed, one after another, as Linux does.
const MOST_LINKS: usize = 40;

/// Returns the path of the file itself, without links, whether or not it exists: a new file can take its place.
///
/// # Errors
/// A folder that is not there, links in a circle, a pipe or a device, or what else the system refuses.
pub fn destination(path: impl AsRef<Path>) -> io::Result<PathBuf> {
    let mut path = in_its_folder(path.as_ref())?;
    for _ in 0..=MOST_LINKS {
        if !path.is_symlink() {
            return check(path);
        }
        path = in_its_folder(&folder_of(&path).join(fs::read_link(&path)?))?;
    }
    Err(io::Error::other("its symbolic links lead in a circle"))
}

/// Refuses what a new file must not take the place of.
fn check(path: PathBuf) -> io::Result<PathBuf> {
    match fs::metadata(&path) {
        Ok(found) if found.is_file() || found.is_dir() => Ok(path),
        Ok(_) => Err(io::Error::other(
            "a pipe or a device is not a file that can be replaced",
        )),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(path),
        Err(error) => Err(error),
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
        let file = folder.join("deep/file");
        for name in ["first", "shallow/second", "deep/second", "shallow/file"] {
            assert_eq!(destination(folder.join(name)).unwrap(), file, "{name}");
        }
        fs::write(&file, "").unwrap();
        assert_eq!(destination(folder.join("first")).unwrap(), file);
    }

    #[test]
    fn circles_and_devices_are_errors() {
        let folder = tempfile::tempdir().unwrap();
        symlink("b", folder.path().join("a")).unwrap();
        symlink("a", folder.path().join("b")).unwrap();
        let error = destination(folder.path().join("a")).unwrap_err();
        assert!(error.to_string().contains("circle"), "{error}");
        let error = destination("/dev/null").unwrap_err();
        assert!(error.to_string().contains("device"), "{error}");
    }
}

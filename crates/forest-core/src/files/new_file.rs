//! Files that appear whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::beside::{beside, is_unfinished, prefix};
use crate::files::destination::{destination, folder_of};

/// A file that takes its name only when it is complete and on the disk. Until then, and if anything
/// fails, whatever had that name before is unchanged.
///
/// The bytes go to `.NAME.….unfinished` in the same folder. A program that is killed leaves that file behind;
/// [`NewFile::remove_unfinished`] removes it.
///
/// Symbolic links stay, and the file that they lead to is replaced. A file that is replaced hands down its permissions and,
/// as far as the system lets it, its owner and group; another name of it (a hard link) keeps the old file.
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
    /// As [`destination`], and if the folder cannot be written to.
    pub fn create(path: impl AsRef<Path>) -> io::Result<Self> {
        let path = destination(path)?;
        let file = beside(&path)?;
        Ok(Self { file, path })
    }

    /// Puts the file on the disk and gives it its name.
    ///
    /// # Errors
    /// What the system refuses; then the file is gone.
    pub fn commit(self) -> io::Result<()> {
        self.file.as_file().sync_all()?;
        self.file.persist(&self.path)?;
        sync_folder(folder_of(&self.path))
    }

    /// Removes what programs that were killed have left of `path`. No other program may be writing it now.
    ///
    /// # Errors
    /// What the system refuses.
    pub fn remove_unfinished(path: impl AsRef<Path>) -> io::Result<()> {
        let path = destination(path)?;
        let prefix = prefix(&path);
        for entry in fs::read_dir(folder_of(&path))? {
            let entry = entry?;
            if is_unfinished(&entry.file_name(), &prefix) {
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

/// Makes the new name last: on Unix a name is on the disk only when its folder is.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
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
}

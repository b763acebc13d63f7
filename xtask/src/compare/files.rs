//! Files that are there whole or not at all, and one that grows by whole lines.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// The runs, on disk as they finish.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// An empty journal, in place of an older one.
    ///
    /// # Errors
    /// If the file cannot be made.
    pub fn create(path: PathBuf) -> Result<Self> {
        let file = File::create(&path).with_context(|| cannot_write(&path))?;
        Ok(Self { path, file })
    }

    /// Adds a line, in one piece.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, line: &str) -> Result<()> {
        let written = self.file.write_all(format!("{line}\n").as_bytes());
        let flushed = written.and_then(|()| self.file.flush());
        flushed.with_context(|| cannot_write(&self.path))
    }
}

/// Makes a folder and those above it.
///
/// # Errors
/// If that cannot be done.
pub fn make_folder(path: &Path) -> Result<()> {
    fs::create_dir_all(path).with_context(|| format!("cannot make the folder {}", path.display()))
}

/// Writes a file under a temporary name and then gives it its own.
///
/// # Errors
/// If either cannot be done; the file is then what it was before.
pub fn write_whole(path: &Path, content: &[u8]) -> Result<()> {
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(".unfinished");
    fs::write(&unfinished, content).with_context(|| cannot_write(path))?;
    finish(Path::new(&unfinished), path)
}

/// Gives a finished file its name.
///
/// # Errors
/// If that cannot be done.
pub fn finish(unfinished: &Path, path: &Path) -> Result<()> {
    fs::rename(unfinished, path).with_context(|| cannot_write(path))
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}

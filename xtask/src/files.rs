//! Files that are there whole or not at all.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

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

/// What to say of a file that cannot be written.
pub fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}

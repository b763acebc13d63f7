//! Files that are there whole or not at all.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

pub fn make_folder(path: &Path) -> Result<()> {
    fs::create_dir_all(path).with_context(|| format!("cannot make the folder {}", path.display()))
}

/// Writes under a temporary name, then renames.
pub fn write_atomically(path: &Path, content: &[u8]) -> Result<()> {
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(".unfinished");
    fs::write(&unfinished, content).with_context(|| cannot_write(path))?;
    rename(Path::new(&unfinished), path)
}

pub fn rename(unfinished: &Path, path: &Path) -> Result<()> {
    fs::rename(unfinished, path).with_context(|| cannot_write(path))
}

pub fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}

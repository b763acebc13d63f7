//! The file that grows by whole lines.

use std::fs::File;
use std::io::Write as _;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::files::cannot_write;

/// The runs, on disk as they finish.
#[derive(Debug)]
pub struct RunLog {
    path: PathBuf,
    file: File,
}

impl RunLog {
    /// An empty run_log, in place of an older one.
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

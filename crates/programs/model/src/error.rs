//! Errors of commands.

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::io;
use std::path::Path;

/// The reason why a command failed: a sentence for people, which says what to do. Any error can become one by `?`.
#[derive(Debug)]
pub struct CommandError {
    reason: String,
    is_broken_pipe: bool,
}

impl CommandError {
    /// Creates an error of this reason.
    pub fn new(reason: impl Into<String>) -> Self {
        Self {
            reason: reason.into(),
            is_broken_pipe: false,
        }
    }

    /// Creates an error of the file system, for `cannot {action} {path}`.
    pub fn io(action: &str, path: &Path, source: io::Error) -> Self {
        let path = path.display();
        Self {
            is_broken_pipe: source.kind() == io::ErrorKind::BrokenPipe,
            reason: format!("cannot {action} {path}: {source}"),
        }
    }

    /// Returns whether the reader of standard output has closed it, as `head` does: then nothing is left to do.
    pub fn is_broken_pipe(&self) -> bool {
        self.is_broken_pipe
    }
}

impl Display for CommandError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl<E: Error> From<E> for CommandError {
    fn from(error: E) -> Self {
        Self::new(error.to_string())
    }
}

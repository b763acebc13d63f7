//! Messages of a command on standard error: a progress bar on a terminal, lines everywhere, and the error at the end.

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::io::{self, Write as _};
use std::path::Path;

use indicatif::{ProgressBar, ProgressStyle};

const OF_A_FILE: &str = "{bar:30} {percent:>3} % · {eta} left · {msg}";
const OF_A_STREAM: &str = "{spinner} {elapsed} · {msg}";

/// A progress bar, and lines that do not disturb it. indicatif hides the bar if standard error is not a terminal.
#[derive(Clone, Debug)]
pub struct Console {
    bar: ProgressBar,
}

impl Console {
    /// Creates a bar over this number of bytes, or a spinner if it is unknown.
    pub fn new(bytes: Option<u64>) -> Self {
        let (bar, template) = match bytes {
            Some(bytes) => (ProgressBar::new(bytes), OF_A_FILE),
            None => (ProgressBar::new_spinner(), OF_A_STREAM),
        };
        let style = ProgressStyle::with_template(template);
        bar.set_style(style.expect("the templates are constants"));
        Self { bar }
    }

    /// Returns the counter of the bytes that are read.
    pub fn bar(&self) -> &ProgressBar {
        &self.bar
    }

    /// Shows how many rows were read so far.
    pub fn rows(&self, rows: u64) {
        self.bar.set_message(format!("{rows} rows"));
        if self.bar.length().is_none() {
            self.bar.tick();
        }
    }

    /// Prints a line. The command continues if standard error is closed.
    pub fn say(&self, line: &str) {
        if self.bar.is_hidden() {
            drop(writeln!(io::stderr(), "{line}"));
        } else {
            self.bar.println(line);
        }
    }

    /// Removes the bar.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

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

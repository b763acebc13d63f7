//! Texts of a command on standard output; messages on standard error: a progress bar on a terminal, and lines
//! everywhere.

use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;

use indicatif::{ProgressBar, ProgressStyle};

const OF_A_FILE: &str = "{bar:30} {percent:>3} % · {eta} left · {msg}";
const OF_A_STREAM: &str = "{spinner} {elapsed} · {msg}";

/// A progress bar, and lines that do not disturb it. indicatif hides the bar if standard error is not a terminal.
#[derive(Clone, Debug)]
pub struct Console {
    pub(crate) bar: ProgressBar,
}

impl Console {
    /// Creates a bar over this number of bytes, or a spinner if it is unknown.
    pub fn new(bytes: Option<u64>) -> Self {
        let (bar, template) = match bytes {
            Some(bytes) => (ProgressBar::new(bytes), OF_A_FILE),
            None => (ProgressBar::new_spinner(), OF_A_STREAM),
        };
        bar.set_style(ProgressStyle::with_template(template).expect("the templates are constants"));
        Self { bar }
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

/// Returns the error of the file system when `path` was read or written: `cannot {action} {path}: …`.
pub fn cannot(action: &str, path: &Path, source: io::Error) -> anyhow::Error {
    let text = format!("cannot {action} {}: {source}", path.display());
    anyhow::Error::new(source).context(text)
}

/// Prints a text on standard output.
///
/// # Errors
/// Returns an error if it cannot be written to.
pub fn print(text: &str) -> anyhow::Result<ExitCode> {
    let printed = writeln!(io::stdout().lock(), "{}", text.trim_end());
    printed.map_err(|source| cannot("write", Path::new("standard output"), source))?;
    Ok(ExitCode::SUCCESS)
}

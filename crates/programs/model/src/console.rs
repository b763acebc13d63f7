//! What a command says on standard error: a bar on a terminal, lines everywhere.

use std::io::Write as _;

use indicatif::{ProgressBar, ProgressStyle};

const OF_A_FILE: &str = "{bar:30} {percent:>3} % · {eta} left · {msg}";
const OF_A_STREAM: &str = "{spinner} {elapsed} · {msg}";

/// A progress bar, and lines that do not get in its way. indicatif hides the bar where standard error is no terminal.
#[derive(Clone, Debug)]
pub struct Console {
    bar: ProgressBar,
}

impl Console {
    /// With a bar over this number of bytes or, if it is not known, a spinner.
    pub fn new(bytes: Option<u64>) -> Self {
        let (bar, template) = match bytes {
            Some(bytes) => (ProgressBar::new(bytes), OF_A_FILE),
            None => (ProgressBar::new_spinner(), OF_A_STREAM),
        };
        let style = ProgressStyle::with_template(template);
        bar.set_style(style.expect("the templates are constants"));
        Self { bar }
    }

    /// What counts the bytes that are read.
    pub fn bar(&self) -> &ProgressBar {
        &self.bar
    }

    /// Shows how many rows there were so far.
    pub fn rows(&self, rows: u64) {
        self.bar.set_message(format!("{rows} rows"));
        if self.bar.length().is_none() {
            self.bar.tick();
        }
    }

    /// Prints a line. If standard error is closed, the command goes on.
    pub fn say(&self, line: &str) {
        match self.bar.is_hidden() {
            true => drop(writeln!(std::io::stderr(), "{line}")),
            false => self.bar.println(line),
        }
    }

    /// Takes the bar away.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

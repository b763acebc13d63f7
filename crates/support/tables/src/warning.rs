//! Warnings of guesses.

use std::fmt;

/// A guess about a table, or a property that may be unintended: a sentence that names the option that decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    text: String,
    is_about_task: bool,
}

impl Warning {
    /// Returns a warning that says this.
    pub fn new(text: String) -> Self {
        Self {
            text,
            is_about_task: false,
        }
    }

    pub(crate) fn about_task(text: String) -> Self {
        Self {
            text,
            is_about_task: true,
        }
    }

    /// Returns whether it says that the task was guessed.
    pub fn is_about_task(&self) -> bool {
        self.is_about_task
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

//! The two tasks on a command line.

use clap::ValueEnum;
use online_forests::{Classification, Regression, Task};

/// What to make of the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TaskKind {
    /// One of finitely many classes.
    Classify,
    /// A number.
    Regress,
}

impl TaskKind {
    /// As the task is called in models.
    pub fn name(self) -> &'static str {
        match self {
            Self::Classify => Classification::NAME,
            Self::Regress => Regression::NAME,
        }
    }
}

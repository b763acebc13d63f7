//! The two tasks on a command line.

use std::fmt::{self, Display, Formatter};

use clap::ValueEnum;
use online_forests::{Classification, Task};

/// What to make of the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TaskKind {
    /// One of finitely many classes.
    Classify,
    /// A number.
    Regress,
}

impl TaskKind {
    /// That of learners with this task.
    pub fn of<T: Task>() -> Self {
        match T::NAME == Classification::NAME {
            true => Self::Classify,
            false => Self::Regress,
        }
    }
}

impl Display for TaskKind {
    /// As it is written on a command line.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Classify => "classify",
            Self::Regress => "regress",
        })
    }
}

//! The task of a learner.

use online_forests::{Classification, Task};
use tables::TaskKind;

/// Returns the task of learners of `T`, as it is written on a command line.
pub fn of<T: Task>() -> TaskKind {
    if T::NAME == Classification::NAME { TaskKind::Classification } else { TaskKind::Regression }
}

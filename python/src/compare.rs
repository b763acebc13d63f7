//! Comparisons of learners of Python and of the table: `online_forests.compare`.
//!
//! Protocols, metrics, records and the page are those of `comparison`, as in `cargo xtask compare`; a learner of Python is an
//! own [`Contender`](comparison::Contender).
//!
//! | module | what is in it |
//! |---|---|
//! | `calls` | Python's side runs on the thread that called: signals reach it |
//! | `outside` | learners of Python behind `OnlineLearner` and `BatchLearner`, and what they predict, checked |
//! | `run` | options, data, progress; one comparison, and its report |

mod calls;
mod outside;
mod run;

pub use run::{compare, tables_of_runs, write_report};

//! Comparisons of learners of Python and of the table: `online_forests.compare`.
//!
//! Protocols, metrics, records and the page are those of `comparison`, as in `cargo xtask compare`; a learner of Python is an
//! [`Contender`](comparison::Contender).
//!
//! | module | what is in it |
//! |---|---|
//! | `calls` | Python's side runs on the thread that called: signals reach it |
//! | `learners`, `outside` | learners of Python behind `OnlineLearner`, or fitted at once |
//! | `predictions` | what they predict, checked |
//! | `data` | data by name, and rows in memory |
//! | `options` | protocols and designs by their names |
//! | `follow` | progress, and the stop |
//! | `run` | one comparison, and its report |

mod calls;
mod data;
mod follow;
mod learners;
mod options;
mod outside;
mod predictions;
mod run;

pub use run::{compare, tables_of_runs, write_report};

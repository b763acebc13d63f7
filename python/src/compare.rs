//! Comparisons of learners of Python and of the table: `online_forests.compare`.
//!
//! Protocols, metrics, records and the page are those of `comparison`, as in `cargo xtask compare`; a learner of Python
//! is an own [`Contender`](comparison::Contender) (`outside`), called on the thread that signals reach (`calls`).

mod calls;
mod outside;
mod run;

pub use run::{compare, tables_of_runs, write_report};

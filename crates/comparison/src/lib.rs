//! Compares learners: chooses what is compared and how it is measured, and runs it.
//!
//! A [`Comparison`] is a data set under a protocol with the algorithms that support both. A [`Runner`] runs it with
//! every seed and passes on a [`Record`](record::Record) as each run ends. Tables, statistics, charts and the page are
//! made from records alone, which are lines of JSON and can be read back ([`read_records`]). Any
//! [`OnlineLearner`](forest_core::OnlineLearner) can take part, by name or as the caller's own ([`Contender`]):
//!
//! ```
//! use comparison::protocol::{Design, Protocol};
//! use comparison::record::Outcome;
//! use comparison::{Contender, Runner, comparisons, report};
//! use forest_core::{Prior, Regression};
//!
//! let data = [datasets::open("friedman:n=400,test=0", &datasets::OpenOptions::default())?];
//! let own = Contender::new("latest", |schema, _| Prior::<Regression>::of_latest(1, schema));
//! let contenders = [own, "mondrian".parse()?];
//! let comparisons = comparisons(&data, &contenders, &[Protocol::KFold], &Design::default())?;
//! let records = Runner::new(5, 2).records(&comparisons);
//! assert_eq!(records.len(), 4); // two algorithms, two seeds
//! let Outcome::Measured(measured) = &records[0].outcome else { panic!("no result") };
//! assert_eq!(measured.metrics["rmse"], measured.value);
//! let sections = report::sections(&records);
//! assert!(report::tables(&sections).contains("latest"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Modules use those before them in this order, never those after them: `metric`, `statistics`, `number`; `protocol`,
//! `record`; `offline`, `contender`; `plan`, `request`; `schedule`, `watch`, `measure`; `files`, `runner`;
//! `plot`, `report`. A record is described without knowing how it comes about or what is made of it.
//!
//! The same seed divides and shuffles the rows in the same way for every algorithm, so differences are paired. A run
//! that fails, panics or exceeds a limit of the [`Request`] is a record with the reason, and the other runs continue.
//!
//! An offline learner ([`Fit`]) sees all training rows at once, and predicts class probabilities or numbers, as
//! `OnlineLearner::predict` does, so that the same metrics apply. Names with `batch-` are the forests of Ge et al.
//! (`random_tessellation::batch`); the feature `baselines` adds models of smartcore.

#[cfg(feature = "baselines")]
mod baselines;
mod contender;
mod error;
pub mod files;
mod grid;
pub mod host;
mod measure;
pub mod metric;
pub mod number;
mod offline;
mod plan;
pub mod plot;
pub mod protocol;
pub mod record;
pub mod report;
mod request;
mod runner;
mod schedule;
pub mod statistics;
mod watch;

pub use contender::{Build, ComparedTask, Contender, OwnBuild};
pub use error::{RunError, SetupError};
pub use files::{RunLog, has_unfinished_line, read_records, to_line, write_packed};
pub use grid::GridPart;
pub use measure::measure;
pub use offline::{Fit, Model, Training};
pub use plan::{Comparison, comparisons, remarks};
pub use request::{Protocols, Request};
pub use runner::{Completion, Runner};
pub use schedule::{Samples, Table};
pub use watch::{Observer, Time, charge};

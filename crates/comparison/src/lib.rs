//! Compares learners: chooses what is compared and how it is measured, and runs it.
//!
//! A [`Comparison`] is a data set under a protocol with the algorithms that support both. A [`Runner`] runs it with every
//! seed and passes on a [`Record`](record::Record) as each run ends. Tables, statistics, charts and the page are made
//! from records alone, which are lines of JSON and can be read back ([`read_records`]). Any
//! [`OnlineLearner`](forest_core::OnlineLearner) can take part, by name or as the caller's own ([`OwnAlgorithm`]):
//!
//! ```
//! use comparison::protocol::Design;
//! use comparison::record::{Outcome, Protocol};
//! use comparison::{OwnAlgorithm, Runner, comparisons, report};
//! use forest_core::{Prior, Regression};
//!
//! let data = [datasets::open("friedman:n=400,test=0", &datasets::OpenOptions::default())?];
//! let own = OwnAlgorithm::new("latest", |schema, _| Prior::<Regression>::of_latest(1, schema));
//! let algorithms = [own.into(), "mondrian".parse()?];
//! let comparisons = comparisons(&data, &algorithms, &[Protocol::KFold], &Design::default())?;
//! let records = Runner::new(5, 2).records(&comparisons);
//! assert_eq!(records.len(), 4); // two algorithms, two seeds
//! let Outcome::Measured(measured) = &records[0].outcome else { panic!("no result") };
//! assert_eq!(measured.metrics["rmse"], measured.value);
//! let sections = report::sections(&records);
//! assert!(report::tables(&sections).contains("latest"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The same seed divides and shuffles the rows in the same way for every algorithm, so differences are paired. A run that
//! fails, panics or exceeds its [`Limits`](protocol::Limits) is a record with the reason, and the other runs continue.
//!
//! # Batch learners
//!
//! A [`BatchLearner`] sees all training rows at once and predicts afterwards, in the shape of
//! `OnlineLearner::predict`: class probabilities, or numbers. So the same metrics apply to both.
//! [`batch_learners`] lists them, and [`BatchAlgorithm`] is one of them with parameters. Those whose names begin with
//! `batch-` are the forests of Ge et al. (`random_tessellation::batch`); with the feature `baselines` the models of smartcore
//! are there, too.
//!
//! ```
//! use comparison::{BatchAlgorithm, FitOptions, Training};
//! use forest_core::{Classification, argmax};
//! use ndarray::{Array2, array};
//!
//! let rows = Array2::from_shape_fn((40, 1), |(row, _)| row as f32 / 40.0);
//! let targets: Vec<u32> = (0..40).map(|row| u32::from(row >= 20)).collect();
//! let algorithm: BatchAlgorithm = "batch-urtf:budget=5".parse()?;
//! let learner = algorithm.learner::<Classification>()?;
//! let forest = learner.fit(&Training::new(rows.view(), &targets)?, FitOptions::new(20, 0))?;
//! let predictions = forest.predict(array![[0.1], [0.9]].view())?;
//! assert_eq!(predictions.rows().into_iter().map(|row| argmax(&row.to_vec())).collect::<Vec<_>>(), [0, 1]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where to look
//!
//! | concept | items |
//! |---|---|
//! | what is compared | [`comparisons`], [`Comparison`], [`AnyAlgorithm`], [`OwnAlgorithm`], [`RowLearner`](forest_core::RowLearner) |
//! | how rows are learned and tested | [`record::Protocol`], [`protocol::Design`], [`protocol::Preprocessing`] |
//! | running it | [`Runner`], [`Observer`], [`protocol::Limits`], [`folder::Folder`] |
//! | what is measured | [`metric::METRICS`], [`metric::Metric`] |
//! | what came of it | [`record::Record`], [`Identity`], [`RunLog`], [`read_records`] |
//! | what is made of records: statistics, tables, charts, the page | [`statistics`], [`report`], [`plot`] |
//! | one tree in the plane | [`planar`], [`plot::partition`] |
//! | batch learners | [`BatchLearner`], [`Fitted`], [`Training`], [`FitOptions`], [`FitError`] |
//! | batch learners by name | [`BatchAlgorithm`], [`BatchEntry`], [`batch_learners`], [`BatchTask`], [`Declared`] |

mod algorithm;
mod any_algorithm;
#[cfg(feature = "baselines")]
pub mod baselines;
mod batch_learners;
mod changes;
mod clock;
mod comparison;
mod entry;
mod error;
mod extra_trees;
pub mod files;
pub mod folder;
pub mod host;
mod identity;
mod learner;
mod log;
pub mod markdown;
mod mean;
pub mod metric;
pub mod notice;
pub mod number;
mod observer;
mod own;
mod part;
pub mod planar;
pub mod plot;
pub mod protocol;
pub mod record;
pub mod report;
mod runner;
mod scores;
pub mod statistics;
mod tessellation;
mod training;

pub use changes::AroundChange;
pub use identity::{Identity, WEIGHTS};
pub use log::{RunLog, has_unfinished_line, read_records, to_line, write_packed};
pub use part::{NoPart, Part};

pub use crate::comparison::{Comparison, comparisons, remarks};
pub use algorithm::BatchAlgorithm;
pub use any_algorithm::AnyAlgorithm;
pub use batch_learners::batch_learners;
pub use clock::charge;
pub use entry::{BatchEntry, BatchTask, Make, make};
pub use error::{RunError, SetupError};
pub use forest_core::registry::{Declared, settings};
pub use learner::{BatchLearner, FitError, FitOptions, Fitted};
pub use observer::Observer;
pub use own::{Build, OwnAlgorithm, OwnBuild};
pub use runner::{Completion, Runner, runs_of_part};
pub use scores::Scores;
pub use training::Training;

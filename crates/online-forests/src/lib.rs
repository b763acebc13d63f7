//! Online forests by name: what a program that learns from a stream depends on.
//!
//! Every algorithm of the workspace is reached here by its name, with parameters after a colon, and
//! held in one type per task: [`AnyClassifier`] or [`AnyRegressor`]. Both are [`OnlineLearner`]s:
//! they take samples as they come, answer at any moment, and go on after having been saved and
//! loaded as if they had never stopped, bit for bit.
//!
//! ```
//! use online_forests::{
//!     Algorithm, AnyClassifier, Classification, ForestSettings, OnlineClassifier, OnlineLearner, Schema,
//!     snapshot,
//! };
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("forest.snapshot");
//! let algorithm: Algorithm = "mondrian:budget=10".parse()?;
//! let settings = ForestSettings { trees: 50, seed: 42, ..ForestSettings::default() };
//! let mut forest = algorithm.build::<Classification>(Schema::new(2)?, settings)?;
//! assert_eq!(forest.predict_label(&[0.9, 0.3])?, None); // before the first label
//! for i in 0..200u16 {
//!     let x = [f32::from(i) / 200.0, f32::from(i % 7) / 7.0];
//!     forest.learn_one(&x, u32::from(x[0] > 0.5))?;
//! }
//! assert_eq!(forest.predict_label(&[0.9, 0.3])?, Some(1));
//! let probabilities = forest.predict_one(&[0.9, 0.3])?;
//! assert!(probabilities[1] > 0.9);
//!
//! snapshot::save(&forest, &path)?;
//! let forest: AnyClassifier = snapshot::load(&path)?;
//! assert_eq!(forest.predict_one(&[0.9, 0.3])?, probabilities);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Batches are rows of an [`ndarray`] matrix and mean the same as their rows one after another
//! ([`OnlineLearner::learn`], [`OnlineLearner::predict_then_learn`]); they are faster, since trees
//! learn and rows are answered in parallel.
//!
//! # Where to look
//!
//! | question | items |
//! |---|---|
//! | which algorithms and parameters are there? | [`Algorithm::all`], [`Algorithm::parameters`] |
//! | from a name to a learner | [`Algorithm::build`], [`Schema`] |
//! | from a learner to its name | [`Named`] |
//! | code for both tasks | [`Facade`], [`AnyLearner`] |
//! | what only some algorithms can do | `as_…` methods of [`AnyLearner`] |
//! | what only one algorithm has | match on [`AnyClassifier`], [`AnyRegressor`] |
//! | saving and loading | [`snapshot`] |
//! | scaling, categories, class names | [`Pipeline`], [`preprocessing`] |
//! | how many threads | [`threads::with_threads`] |
//!
//! # Adding an algorithm
//!
//! A crate, a manifest line, an enum variant and its arms:
//!
//! 1. a crate whose tree implements `forest_core::OnlineTree`;
//! 2. its line in the root manifest, and in the one of this crate;
//! 3. a variant of [`AnyClassifier`], [`AnyRegressor`] or both, *after* those that are there (their
//!    order is part of the snapshot format), with its arms in `as_dyn` and `as_dyn_mut`, and in
//!    `capabilities` what only some learners can do;
//! 4. a module of `algorithms`: its row or rows of the table, how settings are made from
//!    parameters, and parameters from settings.
//!
//! Everything else follows from these: names in error messages, `supports`, snapshots, and the tests
//! of this crate, which run every law of forest-core, damage every snapshot and thaw frozen files
//! for each row of the table (`FREEZE=1 cargo test -p online-forests --test frozen` freezes the new
//! ones; other settings worth testing go into `tests/common`).

mod algorithm;
mod algorithms;
mod any;
mod capabilities;
mod configuration;
mod error;
mod facade;
mod named;
mod parameter;
mod pipeline;
pub mod snapshot;
mod spec;

pub use algorithm::Algorithm;
pub use algorithms::ByMetric;
pub use any::{AnyClassifier, AnyRegressor};
pub use error::{AlgorithmError, PlantError};
pub use facade::{AnyLearner, Facade};
pub use forest_core::{
    Classification, Footprint, ForestSettings, Forget, HardVote, InputError, InvariantError,
    NotHeld, OnlineClassifier, OnlineLearner, OnlineRegressor, PredictionRows, Regression, Schema,
    SettingError, Task, argmax, threads,
};
pub use named::Named;
pub use ndarray;
pub use parameter::{Parameter, Rule, Tasks};
pub use preprocessing::{self, Pipeline};
pub use tessellation_tree::planar;
pub use tessellation_tree::{Partition, Refine, WorkCounts};

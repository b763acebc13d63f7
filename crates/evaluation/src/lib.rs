//! Batch learners by name: what online forests are compared with.
//!
//! A [`BatchLearner`] sees all training rows at once and answers afterwards, in the shape of
//! `OnlineLearner::predict`: class probabilities, or numbers. So the same metrics read both.
//! [`BATCH`] is the table of all of them, and [`BatchAlgorithm`] one of its rows with parameters:
//!
//! ```
//! use evaluation::{BatchAlgorithm, FitOptions, Training};
//! use forest_core::{Classification, argmax};
//! use ndarray::{Array2, array};
//!
//! let rows = Array2::from_shape_fn((40, 1), |(row, _)| row as f32);
//! let targets: Vec<u32> = (0..40).map(|row| u32::from(row >= 20)).collect();
//! let algorithm: BatchAlgorithm = "random-forest:depth=3".parse()?;
//! let learner = algorithm.learner::<Classification>()?;
//! let forest = learner.fit(&Training::new(rows.view(), &targets)?, FitOptions::new(20, 0))?;
//! let answers = forest.predict(array![[3.0], [30.0]].view())?;
//! assert_eq!(answers.rows().into_iter().map(|row| argmax(&row.to_vec())).collect::<Vec<_>>(), [0, 1]);
//!
//! let error = "random-forrest".parse::<BatchAlgorithm>().unwrap_err();
//! assert!(error.to_string().contains("did you mean `random-forest`"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Those whose names begin with `batch-` are the forests of Ge et al. (`random_tessellation::batch`). The others are models of the
//! library smartcore, which are baselines. Where it has none of the kind that is wanted, the item says
//! what is done instead: [`ExtraTrees`] for classes, [`Svm`] for more than two classes.
//!
//! # Where to look
//!
//! | concept | items |
//! |---|---|
//! | the learner | [`BatchLearner`], [`Fitted`], [`Training`], [`FitOptions`], [`FitError`] |
//! | by name | [`BatchAlgorithm`], [`BatchEntry`], [`BATCH`], [`BatchTask`], [`Declared`] |
//! | trees and forests | [`RandomForest`], [`ExtraTrees`], [`DecisionTree`] |
//! | others | [`Neighbours`], [`LogisticRegression`], [`Ridge`], [`LinearSvm`], [`Svm`] |
//! | streams that change | [`AroundChange`]: where to measure before and after |

mod algorithm;
mod any_algorithm;
mod changes;
mod comparison;
mod entry;
mod error;
pub mod files;
pub mod host;
mod learner;
pub mod metric;
mod observer;
mod offline;
pub mod plot;
pub mod protocol;
pub mod record;
pub mod report;
mod run_log;
mod runner;
pub mod statistics;
mod tessellation;
mod training;

pub use algorithm::BatchAlgorithm;
pub use any_algorithm::AnyAlgorithm;
pub use changes::AroundChange;
pub use comparison::{Comparison, comparisons, remarks};
pub use entry::{BATCH, BatchEntry, BatchTask, Declared, Make};
pub use error::{RunError, SetupError};
pub use learner::{BatchLearner, FitError, FitOptions, Fitted};
pub use observer::Observer;
pub use offline::{
    DecisionTree, ExtraTrees, Growth, LinearSvm, LogisticRegression, Neighbours, RandomForest,
    Ridge, Svm, Weighting,
};
pub use run_log::{RunLog, read_records};
pub use runner::{Completion, Runner};
pub use training::Training;

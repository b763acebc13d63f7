//! Learners of the library smartcore by name: offline baselines for online forests.
//!
//! ```
//! use comparison::{BatchAlgorithm, FitOptions, Training};
//! use forest_core::{Classification, argmax};
//! use ndarray::{Array2, array};
//!
//! let rows = Array2::from_shape_fn((40, 1), |(row, _)| row as f32);
//! let targets: Vec<u32> = (0..40).map(|row| u32::from(row >= 20)).collect();
//! let algorithm: BatchAlgorithm = "random-forest:depth=3".parse()?;
//! let learner = algorithm.learner::<Classification>()?;
//! let forest = learner.fit(&Training::new(rows.view(), &targets)?, FitOptions::new(20, 0))?;
//! let predictions = forest.predict(array![[3.0], [30.0]].view())?;
//! assert_eq!(predictions.rows().into_iter().map(|row| argmax(&row.to_vec())).collect::<Vec<_>>(), [0, 1]);
//!
//! let error = "random-forrest".parse::<BatchAlgorithm>().unwrap_err();
//! assert!(error.to_string().contains("did you mean `random-forest`"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | learners | items |
//! |---|---|
//! | trees and forests | [`RandomForest`], [`DecisionTree`] |
//! | others | [`Neighbours`], [`LogisticRegression`], [`Svm`] |

mod growth;
mod linear;
mod matrix;
mod neighbours;
mod random_forest;
mod svm;
mod tree;

use crate::{BatchEntry, FitError};
use smartcore::error::Failed;

pub use growth::Growth;
pub use linear::{LOGISTIC_REGRESSION, LogisticRegression};
pub use neighbours::{K_NN, Neighbours, Weighting};
pub use random_forest::{RANDOM_FOREST, RandomForest};
pub use svm::{SVM, Svm};
pub use tree::{DECISION_TREE, DecisionTree};

/// Every learner of this module, in the order in which users see them.
pub static BASELINES: [&BatchEntry; 5] = [
    &RANDOM_FOREST,
    &DECISION_TREE,
    &K_NN,
    &LOGISTIC_REGRESSION,
    &SVM,
];

/// The source of models that do not come from a single paper.
const SMARTCORE: &str = "smartcore 0.7";

fn failed(error: Failed) -> FitError {
    FitError::Library {
        library: "smartcore",
        message: error.to_string(),
    }
}

//! The learners of smartcore.

mod extra_trees;
mod growth;
mod linear;
mod matrix;
mod neighbours;
mod random_forest;
mod svm;
mod tree;

pub use extra_trees::{EXTRA_TREES, ExtraTrees};
pub use growth::Growth;
pub use linear::{LOGISTIC_REGRESSION, LogisticRegression, RIDGE, Ridge};
pub use neighbours::{K_NN, Neighbours, Weighting};
pub use random_forest::{RANDOM_FOREST, RandomForest};
pub use svm::{LINEAR_SVM, LinearSvm, SVM, Svm};
pub use tree::{DECISION_TREE, DecisionTree};

/// Where the models come from that are not of one paper.
const SMARTCORE: &str = "smartcore 0.7";

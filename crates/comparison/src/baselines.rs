//! Learners of the library smartcore: offline baselines for online forests.

mod machines;
mod matrix;
mod neighbours;
mod trees;

use smartcore::error::Failed;

use crate::{FitError, OfflineRow};

pub(crate) static BASELINES: [&OfflineRow; 5] = [
    &trees::RANDOM_FOREST,
    &trees::DECISION_TREE,
    &neighbours::K_NN,
    &machines::LOGISTIC_REGRESSION,
    &machines::SVM,
];

const SMARTCORE: &str = "smartcore 0.7";

fn failed(error: Failed) -> FitError {
    FitError::Library {
        library: "smartcore",
        message: error.to_string(),
    }
}

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

#[cfg(test)]
mod tests {
    use forest_core::parameters::Values;
    use forest_core::registry::Declared;

    use super::*;

    fn declared_defaults_hold<S: Declared>() {
        let declared = Values::default().or_defaults(&S::parameters());
        assert_eq!(S::default().values(), declared);
        assert_eq!(S::with(&declared).values(), declared);
    }

    #[test]
    fn defaults_are_those_declared() {
        declared_defaults_hold::<trees::RandomForest>();
        declared_defaults_hold::<trees::DecisionTree>();
        declared_defaults_hold::<neighbours::Neighbours>();
        declared_defaults_hold::<machines::LogisticRegression>();
        declared_defaults_hold::<machines::Svm>();
    }
}

//! Random forests.

use forest_core::{Classification, Regression};
use smartcore::ensemble::random_forest_classifier::{
    RandomForestClassifier, RandomForestClassifierParameters,
};
use smartcore::ensemble::random_forest_regressor::{
    RandomForestRegressor, RandomForestRegressorParameters,
};

use super::growth::{FEATURES, Growth, ROOT, features, grow};
use super::matrix::{Matrix, Model, Predictor, matrix};
use crate::{
    BatchEntry, BatchLearner, Declared as _, FitError, FitOptions, Fitted, Training, make, settings,
};

/// `random-forest`.
pub static RANDOM_FOREST: BatchEntry = BatchEntry {
    name: "random-forest",
    description: "trees on bootstrap samples, each split the best of some random features",
    paper: "Breiman: Random Forests, Machine Learning 45, 2001",
    limits: &[],
    parameters: RandomForest::parameters,
    classification: Some(make::<RandomForest, Classification>),
    regression: Some(make::<RandomForest, Regression>),
};

/// Breiman's random forest. Bootstrap samples keep the number of samples of each class, which is how smartcore draws them.
///
/// Each tree is a forest of one tree of smartcore, with a seed of its own, so that trees grow in parallel and
/// class probabilities are shares of votes.
#[derive(Clone, Debug, PartialEq)]
pub struct RandomForest {
    /// How far trees grow.
    pub growth: Growth,
    /// Features that a split chooses from; the square root of their number if `None`.
    pub features: Option<usize>,
}

settings! {
    RandomForest {
        features: FEATURES, ROOT => None, Some;
        ..growth: Growth;
    }
}

type OneClassifier = RandomForestClassifier<f64, u32, Matrix, Vec<u32>>;
type OneRegressor = RandomForestRegressor<f64, f64, Matrix, Vec<f64>>;

struct Voting(Vec<OneClassifier>);
struct Averaging(Vec<OneRegressor>);

impl BatchLearner<Classification> for RandomForest {
    fn fit(
        &self,
        training: &Training<'_, Classification>,
        options: FitOptions,
    ) -> Result<Box<dyn Fitted>, FitError> {
        training.two_classes()?;
        let (x, y) = (matrix(training.rows()), training.targets().to_vec());
        let parameters = RandomForestClassifierParameters {
            n_trees: 1,
            m: Some(features(self.features, training.schema().features())),
            max_depth: self.growth.max_depth(),
            min_samples_leaf: self.growth.min_leaf,
            ..RandomForestClassifierParameters::default()
        };
        let one = |seed| RandomForestClassifier::fit(&x, &y, parameters.clone().with_seed(seed));
        let trees = Voting(grow(options, one)?);
        Ok(Box::new(Predictor::new(training.schema(), trees)))
    }
}

impl BatchLearner<Regression> for RandomForest {
    fn fit(
        &self,
        training: &Training<'_, Regression>,
        options: FitOptions,
    ) -> Result<Box<dyn Fitted>, FitError> {
        let (x, y) = (matrix(training.rows()), training.targets().to_vec());
        let parameters = RandomForestRegressorParameters {
            n_trees: 1,
            m: Some(features(self.features, training.schema().features())),
            max_depth: self.growth.max_depth(),
            min_samples_leaf: self.growth.min_leaf,
            ..RandomForestRegressorParameters::default()
        };
        let one = |seed| RandomForestRegressor::fit(&x, &y, parameters.clone().with_seed(seed));
        let trees = Averaging(grow(options, one)?);
        Ok(Box::new(Predictor::new(training.schema(), trees)))
    }
}

impl Model for Voting {
    fn predict_into(&self, rows: &Matrix, table: &mut [f64]) {
        let share = 1.0 / self.0.len() as f64;
        for tree in &self.0 {
            let votes = tree.predict(rows).expect("the tree has been grown");
            let width = table.len() / votes.len();
            let predictions = table.chunks_exact_mut(width).zip(votes);
            predictions.for_each(|(prediction, class)| prediction[class as usize] += share);
        }
    }

    fn trees(&self) -> usize {
        self.0.len()
    }
}

impl Model for Averaging {
    fn predict_into(&self, rows: &Matrix, table: &mut [f64]) {
        let share = 1.0 / self.0.len() as f64;
        for tree in &self.0 {
            let values = tree.predict(rows).expect("the tree has been grown");
            let predictions = table.iter_mut().zip(values);
            predictions.for_each(|(prediction, value)| *prediction += share * value);
        }
    }

    fn trees(&self) -> usize {
        self.0.len()
    }
}

//! One decision tree.

use forest_core::{Classification, Regression};
use smartcore::tree::decision_tree_classifier::{
    DecisionTreeClassifier, DecisionTreeClassifierParameters,
};
use smartcore::tree::decision_tree_regressor::{
    DecisionTreeRegressor, DecisionTreeRegressorParameters,
};

use super::failed;
use super::growth::Growth;
use super::matrix::{Matrix, Model, Predictor, matrix};
use crate::{
    BatchEntry, BatchLearner, Declared as _, FitError, FitOptions, Fitted, Training, make, settings,
};

/// `decision-tree`.
pub static DECISION_TREE: BatchEntry = BatchEntry {
    name: "decision-tree",
    description: "one tree, each split the best of all",
    paper: "Breiman, Friedman, Olshen, Stone: Classification and Regression Trees, 1984",
    limits: &[],
    parameters: DecisionTree::parameters,
    classification: Some(make::<DecisionTree, Classification>),
    regression: Some(make::<DecisionTree, Regression>),
};

/// A decision tree without pruning. It predicts one class with probability 1.
#[derive(Clone, Debug, PartialEq)]
pub struct DecisionTree {
    /// How far it grows.
    pub growth: Growth,
}

settings! {
    DecisionTree {
        ..growth: Growth;
    }
}

impl BatchLearner<Classification> for DecisionTree {
    fn fit(
        &self,
        training: &Training<'_, Classification>,
        options: FitOptions,
    ) -> Result<Box<dyn Fitted>, FitError> {
        training.two_classes()?;
        let (x, y) = (matrix(training.rows()), training.targets().to_vec());
        let parameters = DecisionTreeClassifierParameters {
            max_depth: self.growth.max_depth(),
            min_samples_leaf: self.growth.min_leaf,
            seed: Some(options.seed),
            ..DecisionTreeClassifierParameters::default()
        };
        let tree = DecisionTreeClassifier::fit(&x, &y, parameters).map_err(failed)?;
        Ok(Box::new(Predictor::new(training.schema(), tree)))
    }
}

impl BatchLearner<Regression> for DecisionTree {
    fn fit(
        &self,
        training: &Training<'_, Regression>,
        options: FitOptions,
    ) -> Result<Box<dyn Fitted>, FitError> {
        let (x, y) = (matrix(training.rows()), training.targets().to_vec());
        let parameters = DecisionTreeRegressorParameters {
            max_depth: self.growth.max_depth(),
            min_samples_leaf: self.growth.min_leaf,
            seed: Some(options.seed),
            ..DecisionTreeRegressorParameters::default()
        };
        let tree = DecisionTreeRegressor::fit(&x, &y, parameters).map_err(failed)?;
        Ok(Box::new(Predictor::new(training.schema(), tree)))
    }
}

impl Model for DecisionTreeClassifier<f64, u32, Matrix, Vec<u32>> {
    fn predict_into(&self, rows: &Matrix, table: &mut [f64]) {
        let classes = self.predict(rows).expect("the tree has been grown");
        let width = table.len() / classes.len();
        let predictions = table.chunks_exact_mut(width).zip(classes);
        predictions.for_each(|(prediction, class)| prediction[class as usize] = 1.0);
    }

    fn trees(&self) -> usize {
        1
    }
}

impl Model for DecisionTreeRegressor<f64, f64, Matrix, Vec<f64>> {
    fn predict_into(&self, rows: &Matrix, table: &mut [f64]) {
        table.copy_from_slice(&self.predict(rows).expect("the tree has been grown"));
    }

    fn trees(&self) -> usize {
        1
    }
}

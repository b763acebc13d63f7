//! Extremely randomised trees.

use forest_core::{Classification, Regression};
use smartcore::ensemble::extra_trees_regressor::{
    ExtraTreesRegressor, ExtraTreesRegressorParameters,
};

use crate::growth::{FEATURES, Growth, ROOT, bytes_of_trees, features, grow};
use crate::matrix::{Matrix, Model, Predictor, matrix};
use evaluation::{
    BatchEntry, BatchLearner, BatchTask, Declared as _, FitError, FitOptions, Fitted, Training,
    make, settings,
};

/// `extra-trees`.
pub static EXTRA_TREES: BatchEntry = BatchEntry {
    name: "extra-trees",
    description: "trees whose splits are the best of random ones; for classification, one forest per class",
    paper: "Geurts, Ernst, Wehenkel: Extremely randomized trees, Machine Learning 63, 2006",
    limits: &[],
    parameters: ExtraTrees::parameters,
    classification: Some(make::<ExtraTrees, Classification>),
    regression: Some(make::<ExtraTrees, Regression>),
};

/// Extremely randomised trees. smartcore has them for regression only, so classes are learned as numbers: 1 for a class,
/// 0 for the others, a forest for each class (one for two classes, where the variance that a split removes is its
/// decrease of Gini's index, as in trees of classes). Time and memory of K > 2 classes are K-fold.
#[derive(Clone, Debug, PartialEq)]
pub struct ExtraTrees {
    /// How far trees grow.
    pub growth: Growth,
    /// Features that a split chooses from; the square root of their number if `None`.
    pub features: Option<usize>,
}

settings! {
    ExtraTrees {
        features: FEATURES, ROOT => None, Some;
        ..growth: Growth;
    }
}

struct Forest {
    /// Tree by tree, one model for each learned output.
    parts: Vec<ExtraTreesRegressor<f64, f64, Matrix, Vec<f64>>>,
    trees: usize,
    outputs: Vec<usize>,
}

/// Returns the cells of a prediction that are learned: of two classes the second, as the first is the rest to 1.
fn outputs(width: usize) -> Vec<usize> {
    match width {
        2 => vec![1],
        _ => (0..width).collect(),
    }
}

impl<T: BatchTask> BatchLearner<T> for ExtraTrees {
    fn bytes_to_fit(&self, training: &Training<'_, T>, trees: usize) -> Option<u64> {
        let parts = outputs(training.schema().width()).len();
        Some(bytes_of_trees(&self.growth, training, trees * parts, 1))
    }

    fn fit(
        &self,
        training: &Training<'_, T>,
        options: FitOptions<'_>,
    ) -> Result<Box<dyn Fitted>, FitError> {
        let x = matrix(training.rows());
        let width = training.schema().width();
        let outputs = outputs(width);
        let targets: Vec<Vec<f64>> = outputs
            .iter()
            .map(|&cell| cell_of(training.targets(), cell, width, T::add))
            .collect();
        let parameters = ExtraTreesRegressorParameters {
            n_trees: 1,
            m: Some(features(self.features, training.schema().features())),
            max_depth: self.growth.max_depth(),
            min_samples_leaf: self.growth.min_leaf,
            ..ExtraTreesRegressorParameters::default()
        };
        let one = |part: usize, seed| {
            let y = &targets[part % outputs.len()];
            ExtraTreesRegressor::fit(&x, y, parameters.clone().with_seed(seed))
        };
        let parts = grow(options.trees * outputs.len(), options, one)?;
        let trees = options.trees;
        let forest = Forest {
            parts,
            trees,
            outputs,
        };
        Ok(Box::new(Predictor::new(training.schema(), forest)))
    }
}

/// Returns one cell of the predictions that equal these targets.
fn cell_of<V: Copy>(
    targets: &[V],
    cell: usize,
    width: usize,
    add: fn(V, f64, &mut [f64]),
) -> Vec<f64> {
    let mut prediction = vec![0.0; width];
    let mut one = |&target: &V| {
        prediction.fill(0.0);
        add(target, 1.0, &mut prediction);
        prediction[cell]
    };
    targets.iter().map(&mut one).collect()
}

impl Model for Forest {
    fn predict_into(&self, rows: &Matrix, table: &mut [f64]) {
        let share = 1.0 / self.trees as f64;
        for (part, tree) in self.parts.iter().enumerate() {
            let values = tree.predict(rows).expect("the tree has been grown");
            let (width, cell) = (
                table.len() / values.len(),
                self.outputs[part % self.outputs.len()],
            );
            let predictions = table.chunks_exact_mut(width).zip(values);
            predictions.for_each(|(prediction, value)| prediction[cell] += share * value);
        }
        match self.outputs[..] {
            [1] => table
                .chunks_exact_mut(2)
                .for_each(|prediction| prediction[0] = (1.0 - prediction[1]).max(0.0)),
            [_] => (),
            _ => table
                .chunks_exact_mut(self.outputs.len())
                .for_each(normalise),
        }
    }

    fn trees(&self) -> usize {
        self.trees
    }
}

/// Scales shares to a sum of 1: forests of different classes need not add up to 1, and all may predict 0.
fn normalise(prediction: &mut [f64]) {
    let total: f64 = prediction.iter().sum();
    let classes = prediction.len() as f64;
    let probability = |value: f64| {
        if total > 0.0 {
            value / total
        } else {
            1.0 / classes
        }
    };
    prediction
        .iter_mut()
        .for_each(|value| *value = probability(*value));
}

//! The nearest neighbours.

use forest_core::parameters::{Parameter, Rule, Words};
use forest_core::{Classification, Regression};
use smartcore::algorithm::neighbour::cover_tree::CoverTree;
use smartcore::linalg::basic::arrays::Array as _;
use smartcore::metrics::distance::euclidian::Euclidian;

use super::matrix::{Matrix, Model, Predictor};
use super::{SMARTCORE, failed};
use crate::{
    BatchEntry, BatchLearner, BatchTask, Declared as _, FitError, FitOptions, Fitted, Training,
    make, settings,
};

/// `k-nn`.
pub static K_NN: BatchEntry = BatchEntry {
    name: "k-nn",
    description: "the k nearest training samples, by Euclidean distance",
    paper: SMARTCORE,
    limits: &["keeps every training row"],
    parameters: Neighbours::parameters,
    classification: Some(make::<Neighbours, Classification>),
    regression: Some(make::<Neighbours, Regression>),
};

/// The k nearest training samples, found by a cover tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Neighbours {
    /// The number of neighbours; all samples if there are fewer.
    pub k: usize,
    /// The weight of a neighbour.
    pub weighting: Weighting,
}

/// The weight of a neighbour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weighting {
    /// All neighbours count alike.
    Uniform,
    /// 1/distance. Where a training sample lies at the point itself, only such samples count.
    Distance,
}

const WEIGHTINGS: Words<Weighting, 2> = Words([
    ("uniform", Weighting::Uniform),
    ("distance", Weighting::Distance),
]);

settings! {
    Neighbours {
        k: Parameter::new("k", Rule::Count(1), "3", "how many neighbours");
        weighting: Parameter::new("weights", Rule::Words(&WEIGHTINGS.names()), "uniform",
            "weights of neighbours: all equal, or 1/distance"), WEIGHTINGS;
    }
}

struct Search<T: BatchTask> {
    tree: CoverTree<Vec<f64>, Euclidian<f64>>,
    targets: Vec<T::Target>,
    k: usize,
    weighting: Weighting,
}

impl<T: BatchTask> BatchLearner<T> for Neighbours {
    fn fit(&self, training: &Training<'_, T>, _: FitOptions) -> Result<Box<dyn Fitted>, FitError> {
        let rows = training.rows();
        let rows = rows
            .outer_iter()
            .map(|row| row.iter().map(|&x| f64::from(x)).collect());
        let targets = training.targets().to_vec();
        let search = Search::<T> {
            tree: CoverTree::new(rows.collect(), Euclidian::new()).map_err(failed)?,
            k: self.k.min(targets.len()),
            targets,
            weighting: self.weighting,
        };
        Ok(Box::new(Predictor::new(training.schema(), search)))
    }
}

impl<T: BatchTask> Search<T> {
    fn predict_one(&self, row: &Vec<f64>, prediction: &mut [f64]) {
        let found = self.tree.find(row, self.k);
        let found = found.expect("there are at least k samples");
        let here = found.iter().any(|(_, distance, _)| *distance == 0.0);
        let weight = |distance: f64| match self.weighting {
            Weighting::Uniform => 1.0,
            Weighting::Distance if here => f64::from(u8::from(distance == 0.0)),
            Weighting::Distance => 1.0 / distance,
        };
        let total: f64 = found.iter().map(|(_, distance, _)| weight(*distance)).sum();
        for (sample, distance, _) in found {
            T::add(self.targets[sample], weight(distance) / total, prediction);
        }
    }
}

impl<T: BatchTask> Model for Search<T> {
    fn predict_into(&self, rows: &Matrix, table: &mut [f64]) {
        let (count, features) = rows.shape();
        let width = table.len() / count;
        for (index, prediction) in table.chunks_exact_mut(width).enumerate() {
            let row = (0..features).map(|column| *rows.get((index, column)));
            self.predict_one(&row.collect(), prediction);
        }
    }
}

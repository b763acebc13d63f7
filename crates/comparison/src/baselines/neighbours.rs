//! The nearest neighbours.

use forest_core::ForestSettings;
use forest_core::parameters::{Parameter, Rule, Values};
use smartcore::algorithm::neighbour::cover_tree::CoverTree;
use smartcore::linalg::basic::arrays::Array as _;
use smartcore::metrics::distance::euclidian::Euclidian;

use super::matrix::{Matrix, Model, Predictor};
use super::{SMARTCORE, failed};
use crate::{BatchLearner, BatchTask, FitError, Fitted, OfflineRow, Training};

pub(super) static K_NN: OfflineRow = OfflineRow {
    name: "k-nn",
    description: "the k nearest training samples, by Euclidean distance",
    paper: SMARTCORE,
    limits: &["keeps every training row"],
    parameters: PARAMETERS,
    has_trees: false,
    classification: Some(|v| Box::new(Neighbours::of(v))),
    regression: Some(|v| Box::new(Neighbours::of(v))),
};

/// The k nearest samples.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Neighbours {
    k: usize,
    weighting: Weighting,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Weighting {
    Uniform,
    Distance,
}

const PARAMETERS: &[Parameter] = &forest_core::parameters! {
    "k": Rule::Count(1), "3", "how many neighbours";
    "weights": Rule::Words(&["uniform", "distance"]), "uniform",
        "weights of neighbours: all equal, or 1/distance";
};

impl Neighbours {
    fn of(v: &mut Values) -> Self {
        let words = [
            ("uniform", Weighting::Uniform),
            ("distance", Weighting::Distance),
        ];
        Self {
            k: v.get("k"),
            weighting: v.one_of("weights", &words),
        }
    }
}

struct Search<T: BatchTask> {
    tree: CoverTree<Vec<f64>, Euclidian<f64>>,
    targets: Vec<T::Target>,
    k: usize,
    weighting: Weighting,
}

impl<T: BatchTask> BatchLearner<T> for Neighbours {
    fn fit(
        &self,
        training: &Training<'_, T>,
        _: ForestSettings,
    ) -> Result<Box<dyn Fitted>, FitError> {
        let rows = training.rows.outer_iter();
        let rows = rows
            .map(|row| row.iter().map(|&x| f64::from(x)).collect())
            .collect();
        let targets = training.targets.to_vec();
        let search = Search::<T> {
            tree: CoverTree::new(rows, Euclidian::new()).map_err(failed)?,
            k: self.k.min(targets.len()),
            targets,
            weighting: self.weighting,
        };
        Ok(Predictor::boxed(training, search))
    }
}

impl<T: BatchTask> Model for Search<T> {
    fn predict_into(&self, rows: &Matrix, table: &mut [f64], width: usize) {
        for (index, prediction) in table.chunks_exact_mut(width).enumerate() {
            let row = (0..rows.shape().1)
                .map(|column| *rows.get((index, column)))
                .collect();
            let found = self
                .tree
                .find(&row, self.k)
                .expect("there are at least k samples");
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
}

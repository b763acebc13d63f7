//! One type per task for all its learners. Each variant has one arm in `as_dyn` and one in
//! `as_dyn_mut`; everything else goes through those two.

use forest_core::{
    Classification, Footprint, InputError, InvariantError, OnlineLearner, PredictionRows, Prior,
    Regression, Schema, Task,
};
use mondrian::{MondrianClassifier, MondrianRegressor};
use ndarray::ArrayView2;
use obsp::{BspClassifier, BspRegressor};
use random_tessellation::{
    Classifier, DirectionCuts, Regressor, SparseCuts, UniformCuts, WeightedCuts,
};
use serde::{Deserialize, Serialize};
use stream_rf::{SaffariClassifier, SaffariRegressor, StreamClassifier, StreamRegressor};

use crate::{Algorithm, ByMetric, Named};

/// Any classifier. Match on it to reach what only one algorithm has.
///
/// The order of the variants is part of the snapshot format: new ones go last.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub enum AnyClassifier {
    /// `majority`
    Majority(Prior<Classification>),
    /// `boundary-forest`
    BoundaryForest(ByMetric<Classification>),
    /// `mondrian` and `mondrian-increasing`
    Mondrian(MondrianClassifier),
    /// `obsp`, `obsp-fixed` and `obsp-redraw`
    Bsp(BspClassifier),
    /// `stream-rf`
    StreamRf(StreamClassifier),
    /// `saffari`
    Saffari(SaffariClassifier),
    /// `urtf`
    Uniform(Classifier<UniformCuts>),
    /// `wurtf`
    Weighted(Classifier<WeightedCuts>),
    /// `sparse`
    Sparse(Classifier<SparseCuts>),
    /// `directions`
    Directions(Classifier<DirectionCuts>),
}

/// Any regressor. Match on it to reach what only one algorithm has.
///
/// The order of the variants is part of the snapshot format: new ones go last.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub enum AnyRegressor {
    /// `mean`
    Mean(Prior<Regression>),
    /// `boundary-forest`
    BoundaryForest(ByMetric<Regression>),
    /// `mondrian` and `mondrian-increasing`
    Mondrian(MondrianRegressor),
    /// `obsp`, `obsp-fixed` and `obsp-redraw`
    Bsp(BspRegressor),
    /// `stream-rf`
    StreamRf(StreamRegressor),
    /// `saffari`
    Saffari(SaffariRegressor),
    /// `urtf`
    Uniform(Regressor<UniformCuts>),
    /// `wurtf`
    Weighted(Regressor<WeightedCuts>),
    /// `sparse`
    Sparse(Regressor<SparseCuts>),
    /// `directions`
    Directions(Regressor<DirectionCuts>),
}

impl AnyClassifier {
    fn as_dyn(&self) -> &dyn Named<Task = Classification> {
        match self {
            Self::Majority(learner) => learner,
            Self::BoundaryForest(forest) => forest.as_dyn(),
            Self::Mondrian(learner) => learner,
            Self::Bsp(learner) => learner,
            Self::StreamRf(learner) => learner,
            Self::Saffari(learner) => learner,
            Self::Uniform(learner) => learner,
            Self::Weighted(learner) => learner,
            Self::Sparse(learner) => learner,
            Self::Directions(learner) => learner,
        }
    }

    fn as_dyn_mut(&mut self) -> &mut dyn Named<Task = Classification> {
        match self {
            Self::Majority(learner) => learner,
            Self::BoundaryForest(forest) => forest.as_dyn_mut(),
            Self::Mondrian(learner) => learner,
            Self::Bsp(learner) => learner,
            Self::StreamRf(learner) => learner,
            Self::Saffari(learner) => learner,
            Self::Uniform(learner) => learner,
            Self::Weighted(learner) => learner,
            Self::Sparse(learner) => learner,
            Self::Directions(learner) => learner,
        }
    }
}

impl AnyRegressor {
    fn as_dyn(&self) -> &dyn Named<Task = Regression> {
        match self {
            Self::Mean(learner) => learner,
            Self::BoundaryForest(forest) => forest.as_dyn(),
            Self::Mondrian(learner) => learner,
            Self::Bsp(learner) => learner,
            Self::StreamRf(learner) => learner,
            Self::Saffari(learner) => learner,
            Self::Uniform(learner) => learner,
            Self::Weighted(learner) => learner,
            Self::Sparse(learner) => learner,
            Self::Directions(learner) => learner,
        }
    }

    fn as_dyn_mut(&mut self) -> &mut dyn Named<Task = Regression> {
        match self {
            Self::Mean(learner) => learner,
            Self::BoundaryForest(forest) => forest.as_dyn_mut(),
            Self::Mondrian(learner) => learner,
            Self::Bsp(learner) => learner,
            Self::StreamRf(learner) => learner,
            Self::Saffari(learner) => learner,
            Self::Uniform(learner) => learner,
            Self::Weighted(learner) => learner,
            Self::Sparse(learner) => learner,
            Self::Directions(learner) => learner,
        }
    }
}

/// Delegates everything a learner does to `as_dyn` and `as_dyn_mut`: one dynamic call per batch.
macro_rules! delegate {
    ($any:ty, $task:ty) => {
        impl OnlineLearner for $any {
            type Task = $task;

            fn schema(&self) -> &Schema<$task> {
                self.as_dyn().schema()
            }

            fn samples_seen(&self) -> u64 {
                self.as_dyn().samples_seen()
            }

            fn footprint(&self) -> Footprint {
                self.as_dyn().footprint()
            }

            fn check_invariants(&self) -> Result<(), InvariantError> {
                self.as_dyn().check_invariants()
            }

            fn check_room(&self, rows: usize) -> Result<(), InputError> {
                self.as_dyn().check_room(rows)
            }

            fn learn(
                &mut self,
                features: ArrayView2<'_, f32>,
                targets: &[<$task as Task>::Target],
            ) -> Result<(), InputError> {
                self.as_dyn_mut().learn(features, targets)
            }

            fn predict_into(
                &self,
                features: ArrayView2<'_, f32>,
                answers: &mut Vec<f64>,
            ) -> Result<(), InputError> {
                self.as_dyn().predict_into(features, answers)
            }

            fn predict_then_learn(
                &mut self,
                features: ArrayView2<'_, f32>,
                targets: &[<$task as Task>::Target],
            ) -> Result<PredictionRows, InputError> {
                self.as_dyn_mut().predict_then_learn(features, targets)
            }
        }

        impl Named for $any {
            fn algorithm(&self) -> Algorithm {
                self.as_dyn().algorithm()
            }

            fn trees(&self) -> usize {
                self.as_dyn().trees()
            }
        }
    };
}

delegate!(AnyClassifier, Classification);
delegate!(AnyRegressor, Regression);

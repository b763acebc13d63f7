//! Online and offline learners behind one interface.

use datasets::TaskKind;
use forest_core::{
    Classification, Footprint, ForestSettings, InputError, OnlineLearner, Regression, Schema,
};
use ndarray::{Array2, ArrayView2};
use online_forests::{Ability, AnyLearner, Refused};

use crate::{AnyAlgorithm, BatchTask, Fitted, OwnAlgorithm, RunError};

/// A model that predicts test rows.
pub(super) trait Predicting {
    fn predict(&self, rows: ArrayView2<'_, f32>) -> Result<Array2<f64>, InputError>;

    /// Returns the bounds of intervals of this level, if it predicts any.
    fn intervals(&self, _: ArrayView2<'_, f32>, _: f64) -> Result<Option<Array2<f64>>, Refused> {
        Ok(None)
    }
}

impl Predicting for Box<dyn Fitted> {
    fn predict(&self, rows: ArrayView2<'_, f32>) -> Result<Array2<f64>, InputError> {
        Fitted::predict(&**self, rows)
    }
}

/// Returns the algorithm with every parameter written out, as its learner has them; `None` if it cannot be built.
pub(crate) fn full_algorithm(
    algorithm: &AnyAlgorithm,
    task: TaskKind,
    features: usize,
    trees: usize,
) -> Option<AnyAlgorithm> {
    let settings = ForestSettings::default().with_trees(trees);
    let built = match (algorithm, task) {
        (AnyAlgorithm::Offline(algorithm), _) => {
            Ok(AnyAlgorithm::Offline(algorithm.with_all_values()))
        }
        // It has no parameters, and may be expensive to make.
        (AnyAlgorithm::Own(own), _) => Ok(AnyAlgorithm::Own(own.clone())),
        (_, TaskKind::Classification) => {
            Online::<Classification>::build(algorithm, features, settings)
                .map(|online| online.full_algorithm())
        }
        (_, TaskKind::Regression) => Online::<Regression>::build(algorithm, features, settings)
            .map(|online| online.full_algorithm()),
    };
    built.ok()
}

/// A learner that learns row by row.
pub(super) enum Online<T: BatchTask> {
    Named(AnyLearner<T>),
    Own(OwnAlgorithm, Box<dyn OnlineLearner<Task = T>>),
}

impl<T: BatchTask> Online<T> {
    pub(super) fn build(
        algorithm: &AnyAlgorithm,
        features: usize,
        settings: ForestSettings,
    ) -> Result<Self, RunError> {
        let schema = Schema::<T>::new(features)?;
        match algorithm {
            AnyAlgorithm::Online(named) => Ok(Self::Named(named.build(schema, settings)?)),
            AnyAlgorithm::Own(own) => Ok(Self::Own(own.clone(), own.build(schema, settings)?)),
            AnyAlgorithm::Offline(_) => Err(RunError::offline_stream()),
        }
    }

    pub(super) fn learner(&self) -> &dyn OnlineLearner<Task = T> {
        match self {
            Self::Named(learner) => learner,
            Self::Own(_, learner) => &**learner,
        }
    }

    pub(super) fn learner_mut(&mut self) -> &mut dyn OnlineLearner<Task = T> {
        match self {
            Self::Named(learner) => learner,
            Self::Own(_, learner) => &mut **learner,
        }
    }

    /// Returns the memory that the learner takes, if it is known: a learner of the caller may report nothing.
    pub(super) fn footprint(&self) -> Option<Footprint> {
        let footprint = self.learner().footprint();
        let is_known = matches!(self, Self::Named(_)) || footprint.bytes > 0;
        is_known.then_some(footprint)
    }

    /// Returns the bytes that the learner takes, 0 if they are not known.
    pub(super) fn bytes(&self) -> usize {
        self.footprint().map_or(0, |footprint| footprint.bytes)
    }

    /// Returns the algorithm with every parameter written out.
    pub(super) fn full_algorithm(&self) -> AnyAlgorithm {
        match self {
            Self::Named(learner) => AnyAlgorithm::Online(learner.algorithm()),
            Self::Own(own, _) => AnyAlgorithm::Own(own.clone()),
        }
    }

    pub(super) fn trees(&self) -> usize {
        match self {
            Self::Named(learner) => learner.trees(),
            Self::Own(..) => 0,
        }
    }
}

impl<T: BatchTask> Predicting for Online<T> {
    fn predict(&self, rows: ArrayView2<'_, f32>) -> Result<Array2<f64>, InputError> {
        self.learner().predict(rows)
    }

    fn intervals(
        &self,
        rows: ArrayView2<'_, f32>,
        level: f64,
    ) -> Result<Option<Array2<f64>>, Refused> {
        match self {
            Self::Named(learner) if learner.can(Ability::Intervals) => {
                learner.central_intervals(rows, level).map(Some)
            }
            Self::Named(_) | Self::Own(..) => Ok(None),
        }
    }
}

//! What a class of Python holds: a learner by name, alone or as part of what Rust or the program has saved.

use forest_core::registry::snapshot::{Snapshot, SnapshotError};
use forest_model::{Model, TableTask};
use online_forests::ndarray::ArrayView2;
use online_forests::{
    Ability, AnyLearner, Batch, InputError, OnlineLearner, Pipeline, Proceed, Rows, Schema,
};

/// A learner, a pipeline around one, or a model of the program.
#[derive(Clone, Debug)]
pub enum Inner<T: TableTask> {
    /// A learner alone.
    Learner(AnyLearner<T>),
    /// Steps and a learner.
    Pipeline(Box<Pipeline<AnyLearner<T>>>),
    /// A pipeline with the columns of its table.
    Model(Box<Model<T>>),
}

impl<T: TableTask> Inner<T> {
    /// Returns the learner of rows of numbers.
    fn online(&self) -> &dyn OnlineLearner<Task = T> {
        match self {
            Self::Learner(learner) => learner,
            Self::Pipeline(pipeline) => &**pipeline,
            Self::Model(model) => &**model,
        }
    }

    fn online_mut(&mut self) -> &mut dyn OnlineLearner<Task = T> {
        match self {
            Self::Learner(learner) => learner,
            Self::Pipeline(pipeline) => &mut **pipeline,
            Self::Model(model) => &mut **model,
        }
    }

    /// The learner, which sees rows after the steps of a pipeline.
    pub fn learner(&self) -> &AnyLearner<T> {
        match self {
            Self::Learner(learner) => learner,
            Self::Pipeline(pipeline) => pipeline.learner(),
            Self::Model(model) => model.pipeline.learner(),
        }
    }

    /// The name of the learner, without parameters.
    pub fn algorithm(&self) -> &'static str {
        self.learner().algorithm().name()
    }

    /// The learner if it stands alone: nothing else may change it.
    pub fn learner_mut(&mut self) -> Option<&mut AnyLearner<T>> {
        match self {
            Self::Learner(learner) => Some(learner),
            Self::Pipeline(_) | Self::Model(_) => None,
        }
    }

    /// Names of the raw features; none unless it is a model of the program.
    pub fn feature_names(&self) -> Option<Vec<String>> {
        match self {
            Self::Learner(_) | Self::Pipeline(_) => None,
            Self::Model(model) => Some(model.columns.feature_names()),
        }
    }

    /// Names of the classes; none where they have none.
    pub fn class_names(&self) -> Option<Vec<String>> {
        let pipeline = match self {
            Self::Learner(_) => return None,
            Self::Pipeline(pipeline) => pipeline,
            Self::Model(model) => &model.pipeline,
        };
        let names = pipeline.class_names();
        (!names.is_empty()).then(|| names.names().to_vec())
    }
}

impl<T: TableTask> Inner<T> {
    /// Learns the first rows all at once, if it is a learner that can; nothing, if `proceed` says no in between.
    pub fn fit_at_once(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[T::Target],
        weights: Option<&[f64]>,
        proceed: Proceed<'_>,
    ) -> Option<Result<(), InputError>> {
        match self {
            Self::Learner(learner) => learner.fit_at_once(features, targets, weights, proceed),
            Self::Pipeline(_) | Self::Model(_) => None,
        }
    }

    /// Whether it learns with weights: not a pipeline, nor a model.
    pub fn takes_weights(&self) -> bool {
        match self {
            Self::Learner(learner) => learner.can(Ability::Weights),
            Self::Pipeline(_) | Self::Model(_) => false,
        }
    }

    /// Learns rows with a weight each; nothing, if it [takes none](Self::takes_weights).
    pub fn learn_weighted(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[T::Target],
        weights: &[f64],
    ) -> Option<Result<(), InputError>> {
        match self {
            Self::Learner(learner) if learner.can(Ability::Weights) => {
                Some(learner.learn_weighted(features, targets, weights))
            }
            _ => None,
        }
    }
}

impl<T: TableTask> OnlineLearner for Inner<T> {
    type Task = T;

    fn schema(&self) -> &Schema<T> {
        self.online().schema()
    }

    fn inside(&self) -> Option<&dyn OnlineLearner<Task = T>> {
        Some(self.online())
    }

    fn inside_mut(&mut self) -> Option<&mut dyn OnlineLearner<Task = T>> {
        Some(self.online_mut())
    }

    fn samples_seen(&self) -> u64 {
        self.online().samples_seen()
    }

    fn learn_batch(&mut self, batch: &Batch<'_, T>) {
        self.online_mut().learn_batch(batch);
    }

    fn predict_rows(&self, rows: &Rows<'_>, predictions: &mut [f64]) {
        self.online().predict_rows(rows, predictions);
    }
}

/// The very bytes that Rust or the program writes.
impl<T: TableTask> Snapshot for Inner<T> {
    fn label(&self) -> String {
        match self {
            Self::Learner(learner) => learner.label(),
            Self::Pipeline(pipeline) => pipeline.label(),
            Self::Model(model) => model.label(),
        }
    }

    fn encode(&self) -> Result<Vec<u8>, SnapshotError> {
        match self {
            Self::Learner(learner) => learner.encode(),
            Self::Pipeline(pipeline) => pipeline.encode(),
            Self::Model(model) => model.encode(),
        }
    }

    fn decode(label: &str, payload: &[u8]) -> Result<Self, SnapshotError> {
        match label.split_once('/').map(|(kind, _)| kind) {
            Some("model") => {
                Model::decode(label, payload).map(|model| Self::Model(Box::new(model)))
            }
            Some("pipeline") => {
                Pipeline::decode(label, payload).map(|pipeline| Self::Pipeline(Box::new(pipeline)))
            }
            // Values of a learner's parameters may be lists that are separated by the same character.
            _ => AnyLearner::decode(label, payload).map(Self::Learner),
        }
    }
}

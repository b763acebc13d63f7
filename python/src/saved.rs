//! What a learner of Python is inside: one by name, alone or as part of what Rust or the program has saved, of either
//! task.

use forest_core::registry::snapshot::{self, Snapshot, SnapshotError};
use forest_model::{Model, TableTask};
use online_forests::{
    Ability, AnyLearner, Batch, Classification, FeatureValues, OnlineLearner, Pipeline, Refused,
    Regression, Rows, Schema,
};
use pyo3::prelude::*;

use crate::error::{refused, wrong_type};

/// A learner of one of the tasks.
#[derive(Clone)]
pub enum Inner {
    Classes(Saved<Classification>),
    Numbers(Saved<Regression>),
}

/// Evaluates an expression with the learner of either task.
macro_rules! each {
    ($inner:expr, $it:ident => $work:expr) => {
        match $inner {
            $crate::saved::Inner::Classes($it) => $work,
            $crate::saved::Inner::Numbers($it) => $work,
        }
    };
}

/// Reads a learner of either task for this number of rows; a refusal becomes an exception.
macro_rules! query {
    ($learner:expr, $py:expr, $rows:expr, $it:ident => $work:expr) => {
        $learner.read($py, $rows, |held| {
            $crate::saved::each!(&held.inner, $it => $work.map_err(|why| $it.refusal(why)))
        })
    };
}

/// Changes a learner of either task with this number of rows; a refusal becomes an exception.
macro_rules! update {
    ($learner:expr, $py:expr, $rows:expr, $it:ident => $work:expr) => {
        $learner.write($py, $rows, |held| {
            held.changes += 1;
            $crate::saved::each!(&mut held.inner, $it => $work.map_err(|why| $it.refusal(why)))
        })
    };
}

/// Reads a learner of either task for the rows of an array, and returns an array.
macro_rules! query_rows {
    ($learner:expr, $x:expr, $rows:ident, $it:ident => $work:expr) => {
        $learner.query_rows($x, |held, $rows| {
            $crate::saved::each!(&held.inner, $it => $work.map_err(|why| $it.refusal(why)))
        })
    };
}
pub(crate) use {each, query, query_rows, update};

impl Inner {
    /// Returns the learner in a snapshot, which learns classes or numbers.
    pub fn from_bytes(bytes: &[u8], classes: bool) -> Result<Self, SnapshotError> {
        if classes {
            snapshot::from_bytes(bytes).map(Self::Classes)
        } else {
            snapshot::from_bytes(bytes).map(Self::Numbers)
        }
    }

    /// Returns the bytes of the file that Rust or the program writes.
    pub fn to_bytes(&self) -> PyResult<Vec<u8>> {
        each!(self, it => snapshot::to_bytes(it)).map_err(refused)
    }

    /// Adds the trees of the next shard.
    pub fn join(&mut self, next: Self) -> PyResult<()> {
        match (self, next) {
            (Self::Classes(first), Self::Classes(next)) => first.join(next),
            (Self::Numbers(first), Self::Numbers(next)) => first.join(next),
            _ => Err(wrong_type!("a classifier and a regressor cannot be joined")),
        }
    }
}

/// A learner, a pipeline around one, or a model of the program.
#[derive(Clone)]
pub enum Saved<T: TableTask> {
    Alone(AnyLearner<T>),
    Pipeline(Box<Pipeline<AnyLearner<T>>>),
    Model(Box<Model<T>>),
}

impl<T: TableTask> Saved<T> {
    fn online(&self) -> &dyn OnlineLearner<Task = T> {
        match self {
            Self::Alone(learner) => learner,
            Self::Pipeline(pipeline) => &**pipeline,
            Self::Model(model) => &**model,
        }
    }

    fn online_mut(&mut self) -> &mut dyn OnlineLearner<Task = T> {
        match self {
            Self::Alone(learner) => learner,
            Self::Pipeline(pipeline) => &mut **pipeline,
            Self::Model(model) => &mut **model,
        }
    }

    /// Returns the learner inside, behind the steps of a pipeline.
    pub fn learner(&self) -> &AnyLearner<T> {
        match self {
            Self::Alone(learner) => learner,
            Self::Pipeline(pipeline) => pipeline.learner(),
            Self::Model(model) => model.pipeline.learner(),
        }
    }

    /// Returns the learner if no steps are before it.
    pub fn alone(&self) -> Result<&AnyLearner<T>, Refused> {
        match self {
            Self::Alone(learner) => Ok(learner),
            _ => Err(Refused::cannot(
                "explain rows behind the steps of a pipeline",
            )),
        }
    }

    /// Returns the names of the features of a model of the program.
    pub fn feature_names(&self) -> Option<Vec<String>> {
        match self {
            Self::Alone(_) | Self::Pipeline(_) => None,
            Self::Model(model) => Some(model.columns.feature_names()),
        }
    }

    /// Returns the names of the classes, if they have any.
    pub fn class_names(&self) -> Option<Vec<String>> {
        let names = match self {
            Self::Alone(_) => return None,
            Self::Pipeline(pipeline) => pipeline.class_names(),
            Self::Model(model) => model.pipeline.class_names(),
        };
        (!names.is_empty()).then(|| names.names().to_vec())
    }

    /// Returns whether it can continue with more features. Nothing changes with as many as before.
    pub fn widens(&mut self) -> bool {
        let features = self.schema().features();
        self.widen(features).is_ok()
    }

    /// Refuses a learner that cannot continue with more features.
    pub fn expect_widening(&mut self) -> Result<(), Refused> {
        let refusal = Refused::cannot("continue with samples of more features");
        self.widens().then_some(()).ok_or(refusal)
    }

    /// Returns a word for each of its abilities besides learning and predicting.
    pub fn capabilities(&mut self) -> Vec<&'static str> {
        let widens = self.widens();
        let takes_missing_values = self.feature_values() == FeatureValues::NumbersAndCategories;
        let learner = self.learner();
        let partition = learner.can(Ability::Partition);
        let words = [
            ("forget", self.check_forgetting().is_ok()),
            ("refine", self.can(Ability::Partition)),
            ("widen", widens),
            ("weights", self.can(Ability::Weights)),
            ("explain", learner.can(Ability::Explain)),
            ("draw", partition && learner.schema().features() == 2),
            ("partition", partition),
            ("intervals", self.can(Ability::Intervals)),
            ("members", !learner.members().is_empty()),
            ("shards", self.part().is_some()),
            ("missing_values", takes_missing_values),
        ];
        let able = words.into_iter().filter(|(_, can)| *can);
        able.map(|(word, _)| word).collect()
    }

    /// Returns the error of something that the learner cannot do.
    pub fn cannot(&self, what: &str) -> PyErr {
        wrong_type!("{} cannot {what}", self.learner().algorithm().name())
    }

    /// Returns a refusal as an exception that names the learner: a `TypeError` for what it never can.
    pub fn refusal(&self, refusal: impl Into<Refused>) -> PyErr {
        match refusal.into() {
            Refused::Cannot(sentence) => match sentence.strip_prefix("this learner cannot ") {
                Some(what) => self.cannot(what),
                None => wrong_type!("{sentence}"),
            },
            other => refused(other),
        }
    }

    fn join(&mut self, next: Self) -> PyResult<()> {
        let joined = match (&mut *self, next) {
            (Self::Alone(learner), Self::Alone(next)) => learner.join(next),
            (Self::Pipeline(pipeline), Self::Pipeline(next)) => pipeline.join(*next),
            _ => return Err(self.cannot("be joined with a learner of another kind")),
        };
        joined.map_err(refused)
    }
}

impl<T: TableTask> OnlineLearner for Saved<T> {
    type Task = T;

    fn inside(&self) -> Option<&dyn OnlineLearner<Task = T>> {
        Some(self.online())
    }

    fn inside_mut(&mut self) -> Option<&mut dyn OnlineLearner<Task = T>> {
        Some(self.online_mut())
    }

    fn schema(&self) -> &Schema<T> {
        self.online().schema()
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

/// As Rust and the program write it.
impl<T: TableTask> Snapshot for Saved<T> {
    fn label(&self) -> String {
        match self {
            Self::Alone(learner) => learner.label(),
            Self::Pipeline(pipeline) => pipeline.label(),
            Self::Model(model) => model.label(),
        }
    }

    fn encode(&self) -> Result<Vec<u8>, SnapshotError> {
        match self {
            Self::Alone(learner) => learner.encode(),
            Self::Pipeline(pipeline) => pipeline.encode(),
            Self::Model(model) => model.encode(),
        }
    }

    fn decode(label: &str, payload: &[u8]) -> Result<Self, SnapshotError> {
        // Values of a learner's parameters may be lists that are separated by the same character.
        Ok(match label.split_once('/') {
            Some(("model", _)) => Self::Model(Box::new(Model::decode(label, payload)?)),
            Some(("pipeline", _)) => Self::Pipeline(Box::new(Pipeline::decode(label, payload)?)),
            _ => Self::Alone(AnyLearner::decode(label, payload)?),
        })
    }
}

//! Some of the trees of a forest, as learners that add their votes to those of others.

use std::ops::Range;

use forest_core::{InputError, PredictionRows, Shard, VoteSums};
use forest_model::TableTask;
use numpy::ndarray::ArrayView2;
use numpy::{IntoPyArray, PyArray2};
use online_forests::{Classification, OnlineLearner as _, Regression};
use pyo3::prelude::*;

use crate::arrays::Rows;
use crate::classifier::Classifier;
use crate::error::{cannot, refused};
use crate::inner::Inner;
use crate::regressor::Regressor;
use crate::task::PythonTask;
use crate::verbs::table;
use crate::votes::Votes;

impl<T: TableTask> Inner<T> {
    /// A reference to the trees; a model of the program has its shards in `train --part`.
    fn shard(&self) -> Option<&dyn Shard<Task = T>> {
        match self {
            Self::Learner(learner) => learner.as_shard(),
            Self::Pipeline(pipeline) => pipeline.shard(),
            Self::Model(_) => None,
        }
    }

    fn keep_trees(&mut self, part: Range<usize>) -> PyResult<()> {
        let none = cannot(self.algorithm(), DIVIDED);
        let kept = match self {
            Self::Learner(learner) => learner.as_shard_mut().map(|it| it.keep_trees(part)),
            Self::Pipeline(pipeline) if pipeline.shard().is_some() => {
                Some(pipeline.keep_trees(part))
            }
            Self::Pipeline(_) | Self::Model(_) => None,
        };
        kept.ok_or(none)?.map_err(refused)
    }

    fn join(&mut self, next: Self) -> PyResult<()> {
        match (self, next) {
            (Self::Learner(learner), Self::Learner(next)) => learner.join(next).map_err(refused),
            (Self::Pipeline(pipeline), Self::Pipeline(next)) => {
                pipeline.join(*next).map_err(refused)
            }
            (first, _) => Err(cannot(
                first.algorithm(),
                "be joined with a learner of another kind",
            )),
        }
    }

    fn add_votes(&self, rows: ArrayView2<'_, f32>, sums: &mut VoteSums) -> Result<(), InputError> {
        match self {
            Self::Learner(learner) => {
                let shard = learner.as_shard().ok_or(InputError::NoShards)?;
                shard.add_votes(rows, sums)
            }
            Self::Pipeline(pipeline) => pipeline.add_votes(rows, sums),
            Self::Model(_) => Err(InputError::NoShards),
        }
    }

    fn add_votes_then_learn(
        &mut self,
        rows: ArrayView2<'_, f32>,
        targets: &[T::Target],
        sums: &mut VoteSums,
    ) -> Result<(), InputError> {
        match self {
            Self::Learner(learner) => {
                let shard = learner.as_shard_mut().ok_or(InputError::NoShards)?;
                shard.add_votes_then_learn(rows, targets, sums)
            }
            Self::Pipeline(pipeline) => pipeline.add_votes_then_learn(rows, targets, sums),
            Self::Model(_) => Err(InputError::NoShards),
        }
    }

    fn finish(&self, sums: &VoteSums) -> Result<PredictionRows, InputError> {
        self.shard().ok_or(InputError::NoShards)?.finish(sums)
    }
}

/// The error of a learner that is not a forest.
const DIVIDED: &str =
    "be divided into shards: only a forest of independent trees can, alone or behind fitted steps";

/// What a class has as a shard.
macro_rules! shards {
    ($class:ident, $task:ty) => {
        #[pymethods]
        impl $class {
            /// Which trees of the forest it has, and of how many: the first, the one behind the last, all. None if this learner
            /// cannot be sharded.
            #[getter]
            fn part(&self, py: Python<'_>) -> PyResult<Option<(usize, usize, usize)>> {
                self.0.read_one(py, |inner| {
                    let shard = inner.shard()?;
                    Some((shard.part().start, shard.part().end, shard.total_trees()))
                })
            }

            /// Keeps only the trees from `first` to before `end`.
            fn keep_trees(&self, py: Python<'_>, first: usize, end: usize) -> PyResult<()> {
                self.0.write(py, |inner| inner.keep_trees(first..end))?
            }

            /// Takes the trees of the shard that follows this one.
            fn join(&self, py: Python<'_>, next: &Self) -> PyResult<()> {
                let next = next.0.read(py, Inner::clone)?;
                self.0.write(py, |inner| inner.join(next))?
            }

            /// Refuses what `learn` would refuse. Changes nothing.
            fn check(&self, x: &Bound<'_, PyAny>, y: &Bound<'_, PyAny>) -> PyResult<()> {
                let (rows, targets) = (Rows::of(x)?, <$task>::targets(y)?);
                let (rows, targets) = (rows.view()?, targets.view()?);
                let checked = self.0.read_rows(x.py(), targets.len(), |inner| {
                    let schema = inner.schema();
                    schema.check_rows(rows, inner.feature_values())?;
                    schema.check_targets(rows.nrows(), targets)?;
                    inner.check_room(rows.nrows())
                })?;
                checked.map_err(refused)
            }

            /// Adds the votes of its trees on rows.
            fn add_votes(&self, x: &Bound<'_, PyAny>, votes: &mut Votes) -> PyResult<()> {
                let rows = Rows::of(x)?;
                let view = rows.view()?;
                let sums = &mut votes.0;
                let added = self
                    .0
                    .read_rows(x.py(), view.nrows(), |inner| inner.add_votes(view, sums))?;
                added.map_err(refused)
            }

            /// Test-then-train: adds the votes of its trees on every row just before it was learned.
            fn add_votes_then_learn(
                &self,
                x: &Bound<'_, PyAny>,
                y: &Bound<'_, PyAny>,
                votes: &mut Votes,
            ) -> PyResult<()> {
                let (rows, targets) = (Rows::of(x)?, <$task>::targets(y)?);
                let (rows, targets) = (rows.view()?, targets.view()?);
                let sums = &mut votes.0;
                let learned = self.0.write_rows(x.py(), targets.len(), |inner| {
                    inner.add_votes_then_learn(rows, targets, sums)
                })?;
                learned.map_err(refused)
            }

            /// The predictions of the forest, once all trees have added their votes. A class that was not known at a row has
            /// probability 0.
            fn finish<'py>(
                &self,
                py: Python<'py>,
                votes: &Votes,
            ) -> PyResult<Bound<'py, PyArray2<f64>>> {
                let predictions = self.0.read(py, |inner| {
                    let predictions = inner.finish(&votes.0)?;
                    Ok::<_, InputError>(table(&predictions, inner.schema().width()))
                })?;
                Ok(predictions.map_err(refused)?.into_pyarray(py))
            }
        }
    };
}

shards!(Classifier, Classification);
shards!(Regressor, Regression);

//! Some of the trees of a forest, as learners that add their votes to those of others.

use std::ops::Range;

use forest_model::TableTask;
use numpy::{IntoPyArray, PyArray2};
use online_forests::{Classification, OnlineLearner, Part, Refused, Regression};
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
    /// A reference to what has trees; a model of the program has its shards in `train --part`.
    fn sharded(&self) -> Option<&dyn OnlineLearner<Task = T>> {
        match self {
            Self::Learner(learner) => Some(learner),
            Self::Pipeline(pipeline) => Some(&**pipeline),
            Self::Model(_) => None,
        }
    }

    fn keep_trees(&mut self, part: Range<usize>) -> PyResult<()> {
        if self.shard().is_none() {
            return Err(cannot(self.algorithm(), DIVIDED));
        }
        OnlineLearner::keep_trees(self, part).map_err(refused)
    }

    fn shard(&self) -> Option<Part> {
        self.sharded()?.part()
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
                    let part = inner.shard()?;
                    Some((part.trees.start, part.trees.end, part.of))
                })
            }

            /// Keeps only the trees from `first` to before `end`.
            fn keep_trees(&self, py: Python<'_>, first: usize, end: usize) -> PyResult<()> {
                self.0
                    .write(py, |inner| Inner::keep_trees(inner, first..end))?
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
                    let predictions = inner.finish_votes(&votes.0)?;
                    Ok::<_, Refused>(table(&predictions, inner.schema().width()))
                })?;
                Ok(predictions.map_err(refused)?.into_pyarray(py))
            }
        }
    };
}

shards!(Classifier, Classification);
shards!(Regressor, Regression);

//! Learning a batch together with the names that it brings.

use std::sync::Arc;

use numpy::ndarray::s;
use online_forests::{Classification, FeatureValues, OnlineLearner as _};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::arrays::Rows;
use crate::batch::{Batch, in_blocks};
use crate::columns::Columns;
use crate::error::{empty, refused, wrong_value};
use crate::held::Held;
use crate::inner::Inner;
use crate::names::Names;
use crate::shared::Shared;
use crate::task::{self, PythonTask, shown};
use crate::turn::Turn;

/// What a batch brings beside its rows: the learner of the first rows, and names of more classes and columns.
pub struct Lesson<T: PythonTask> {
    first: Option<Held<T>>,
    labels: Option<Arc<Names>>,
    columns: Option<Arc<Columns>>,
    at_once: bool,
}

impl<T: PythonTask> Lesson<T> {
    /// The same lesson, whose rows are learned all at once if they are the first and the learner can.
    pub fn at_once(mut self, at_once: bool) -> Self {
        self.at_once = at_once;
        self
    }

    /// A lesson for a learner, which is `first` if it does not exist yet.
    ///
    /// # Errors
    /// A learner that is empty, and no other to begin with.
    pub fn new(py: Python<'_>, learner: &Shared<T>, first: Option<&Shared<T>>) -> PyResult<Self> {
        let names = |held: &Held<T>| (held.labels.clone(), held.columns.clone());
        if let Some((labels, columns)) = learner.glance(py, |held| held.map(names))? {
            return Ok(Self {
                first: None,
                labels,
                columns,
                at_once: false,
            });
        }
        let first = first.ok_or_else(empty)?;
        learner.set_threads(first.threads());
        let first = first.look(py, |held| held.cloned())?.ok_or_else(empty)?;
        Ok(Self {
            labels: first.labels.clone(),
            columns: first.columns.clone(),
            first: Some(first),
            at_once: false,
        })
    }

    /// The columns before the batch.
    pub fn columns(&self) -> Option<&Arc<Columns>> {
        self.columns.as_ref()
    }

    /// What the learner that will learn the batch has to say.
    ///
    /// # Errors
    /// A learner that is broken.
    pub fn asked<R>(
        &mut self,
        py: Python<'_>,
        learner: &Shared<T>,
        question: impl FnOnce(&mut Inner<T>) -> R,
    ) -> PyResult<R> {
        match &mut self.first {
            Some(first) => Ok(question(&mut first.inner)),
            None => learner.ask(py, question),
        }
    }

    /// Number of features before the batch.
    ///
    /// # Errors
    /// A learner that is broken.
    pub fn width(&self, py: Python<'_>, learner: &Shared<T>) -> PyResult<usize> {
        let features = |inner: &Inner<T>| inner.schema().features();
        match &self.first {
            Some(first) => Ok(features(&first.inner)),
            None => learner.read_one(py, features),
        }
    }

    /// Returns what says which values of features the learner takes, when it is called.
    pub fn taken<'a>(
        &'a self,
        py: Python<'a>,
        learner: &'a Shared<T>,
    ) -> impl Fn() -> PyResult<FeatureValues> + 'a {
        move || match &self.first {
            Some(first) => Ok(first.inner.feature_values()),
            None => learner.read_one(py, |inner| inner.feature_values()),
        }
    }

    /// Has the batch bring these columns: those before, and more.
    pub fn bring_columns(&mut self, columns: Columns) {
        self.columns = Some(Arc::new(columns));
    }

    /// Whether a batch of rows with these columns may be learned now: not if they do not begin with those before, since then another
    /// batch came in between, and the rows have to be made again. Only new names may make rows wider.
    ///
    /// # Errors
    /// A name that cannot be hashed, or wider rows.
    pub fn accept_columns(
        &mut self,
        py: Python<'_>,
        learner: &Shared<T>,
        x: &Bound<'_, PyAny>,
        names: Option<&Bound<'_, PyTuple>>,
    ) -> PyResult<bool> {
        let (Some(before), Some(names)) = (&self.columns, names) else {
            return self.expect_width(py, learner, x).map(|()| true);
        };
        let begins = before.begin(names)?;
        if begins && names.len() > before.names().len() {
            self.bring_columns(Columns::named(names.clone())?);
        } else if begins {
            self.expect_width(py, learner, x)?;
        }
        Ok(begins)
    }

    /// Refuses rows that are not as wide as those before.
    ///
    /// # Errors
    /// Such rows.
    pub fn expect_width(
        &mut self,
        py: Python<'_>,
        learner: &Shared<T>,
        x: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let rows = Rows::of(x)?;
        let no_row = rows.view()?.slice_move(s![..0, ..]);
        let checked = self.asked(py, learner, |inner| {
            inner.schema().check_rows(no_row, inner.feature_values())
        })?;
        checked.map_err(refused)
    }

    /// Learns a batch block by block; the names of what a block brings are there when its rows are.
    ///
    /// # Errors
    /// A batch that is refused; then nothing is changed. What a signal handler raises; then the rows of the blocks before are learned.
    pub fn learn(
        mut self,
        learner: &Shared<T>,
        turn: &Turn<'_>,
        py: Python<'_>,
        batch: &Batch<'_, T>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let rows = batch.len();
        learner.change(turn, py, rows, |held| {
            let held = held.as_mut().or(self.first.as_mut()).ok_or_else(empty)?;
            batch.check(&mut held.inner)
        })??;
        if self.at_once && self.learn_at_once(learner, turn, py, batch)? {
            return report(progress, rows, rows);
        }
        let learned = in_blocks(py, rows, |block| {
            let done = block.end;
            let block = batch.block(block);
            let learn = |held: &mut Option<Held<T>>| self.learn_block(held, &block);
            learner.change(turn, py, block.len(), learn)??;
            report(progress, done, rows)
        });
        match learned {
            Ok(()) => Ok(()),
            Err(stopped) => {
                drop_labels(learner, turn, py)?;
                Err(stopped)
            }
        }
    }

    /// Learns the first rows all at once, and takes over the names; false, and nothing is changed, if the learner cannot. Until then the
    /// learner is empty: a signal handler may ask it.
    ///
    /// # Errors
    /// Rows that are refused, and what a signal handler raises; then nothing is changed.
    fn learn_at_once(
        &mut self,
        learner: &Shared<T>,
        turn: &Turn<'_>,
        py: Python<'_>,
        batch: &Batch<'_, T>,
    ) -> PyResult<bool> {
        let Some(first) = &mut self.first else {
            return Ok(false);
        };
        let inner = &mut first.inner;
        let fitted = learner.work_for(py, |proceed| {
            inner.fit_at_once(batch.rows, batch.targets, batch.weights, proceed)
        })?;
        let Some(fitted) = fitted else {
            return Ok(false);
        };
        fitted.map_err(refused)?;
        first.labels.clone_from(&self.labels);
        first.columns.clone_from(&self.columns);
        let first = self.first.take();
        learner.change(turn, py, 1, |held| *held = first)?;
        Ok(true)
    }

    /// Learns the rows of a block, and takes over the names.
    ///
    /// # Errors
    /// Rows that are refused; then nothing is changed.
    pub fn learn_block(
        &mut self,
        place: &mut Option<Held<T>>,
        block: &Batch<'_, T>,
    ) -> PyResult<()> {
        let is_first = place.is_none();
        if is_first {
            *place = self.first.take();
        }
        let held = place.as_mut().ok_or_else(empty)?;
        let learned = block.learn_wide(&mut held.inner);
        if learned.is_ok() {
            held.labels.clone_from(&self.labels);
            held.columns.clone_from(&self.columns);
        } else if is_first {
            self.first = place.take();
        }
        learned
    }
}

impl Lesson<Classification> {
    /// The class of a label: that of one that is known, or the next.
    ///
    /// # Errors
    /// A label that cannot be hashed.
    pub fn class_of(&mut self, label: &Bound<'_, PyAny>) -> PyResult<u32> {
        let known = self.labels.as_ref().map(|known| known.place(label));
        match known.transpose()?.flatten() {
            Some(place) => Ok(place as u32),
            None => Ok(self.classes_of(&PyTuple::new(label.py(), [label])?)?[0]),
        }
    }

    /// The class of each label, as [`class_of`](Self::class_of).
    ///
    /// # Errors
    /// A label that cannot be hashed.
    pub fn classes_of(&mut self, labels: &Bound<'_, PyTuple>) -> PyResult<Vec<u32>> {
        let known = self.labels.clone();
        let count = known.as_ref().map_or(0, |known| known.len());
        let (mut classes, mut new) = (Vec::with_capacity(labels.len()), Vec::new());
        for label in labels.iter() {
            let place = known
                .as_ref()
                .map(|known| known.place(&label))
                .transpose()?;
            classes.push(match place.flatten() {
                Some(place) => place as u32,
                None => {
                    expect_label(&label)?;
                    new.push(label);
                    (count + new.len() - 1) as u32
                }
            });
        }
        if !new.is_empty() {
            let new = PyTuple::new(labels.py(), new)?;
            let labels = match known {
                Some(known) => known.followed_by(&new)?,
                None => Names::of(new)?,
            };
            self.labels = Some(Arc::new(labels));
        }
        Ok(classes)
    }
}

/// Refuses what stands for a missing label: it equals no label, itself included, so that each would be a class of its own.
fn expect_label(label: &Bound<'_, PyAny>) -> PyResult<()> {
    if label.eq(label)? {
        Ok(())
    } else {
        Err(wrong_value(format!(
            "the label {} is missing; leave out rows without a label",
            shown(label)
        )))
    }
}

/// Lets go of the labels of rows that were not learned.
fn drop_labels<T: PythonTask>(
    learner: &Shared<T>,
    turn: &Turn<'_>,
    py: Python<'_>,
) -> PyResult<()> {
    let names = learner.glance(py, |held| {
        let held = held?;
        Some((held.labels.clone()?, held.width()))
    })?;
    match names {
        Some((labels, width)) if width < labels.len() => {
            let kept = Arc::new(Names::of(labels.first(py, width))?);
            learner.change(turn, py, 1, |held| {
                if let Some(held) = held {
                    held.labels = Some(kept);
                }
            })
        }
        _ => Ok(()),
    }
}

fn report(progress: Option<&Bound<'_, PyAny>>, done: usize, rows: usize) -> PyResult<()> {
    match progress {
        Some(function) => function.call1((done, rows)).map(drop),
        None => Ok(()),
    }
}

/// Learns the rows of an array as a batch.
///
/// # Errors
/// A value that is not an array of numbers, and as [`Lesson::learn`].
pub fn learn_rows<T: PythonTask>(
    learner: &Shared<T>,
    turn: &Turn<'_>,
    lesson: Lesson<T>,
    x: &Bound<'_, PyAny>,
    targets: &[T::Target],
    weights: Option<&Bound<'_, PyAny>>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    let rows = Rows::of(x)?;
    let rows = rows.view()?;
    let weights = weights.map(task::weights).transpose()?;
    let weights = weights
        .as_ref()
        .map(|weights| weights.as_slice())
        .transpose()?;
    let batch = Batch {
        rows,
        targets,
        weights,
    };
    lesson.learn(learner, turn, x.py(), &batch, progress)
}

//! How rows are learned together with the names that they bring.

use std::ops::Range;
use std::panic::resume_unwind;
use std::slice;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use forest_model::TableTask;
use numpy::ndarray::{ArrayView2, s};
use online_forests::{Ability, FeatureValues, InputError, OnlineLearner as _, SampleWeight};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::convert::{self, Targets, shown};
use crate::error::{refused, wrong_type, wrong_value};
use crate::names::{Columns, Names, with_row};
use crate::saved::{Saved, each};
use crate::shared::{Held, Learner, MANY, in_blocks, no_names};

/// How long a thread waits before it looks whether Python wants to interrupt it.
const A_WHILE: Duration = Duration::from_millis(100);
/// How often a sample is read again because the learner has learned new names meanwhile: a number of Python may run any code.
const TRIES: usize = 100;

impl Learner {
    /// Learns rows in blocks; false, and nothing is learned, if their columns do not begin with those before.
    pub fn learn_rows(
        &self,
        x: &Bound<'_, PyAny>,
        y: &Bound<'_, PyAny>,
        weights: Option<&Bound<'_, PyAny>>,
        how: &How<'_, '_>,
    ) -> PyResult<bool> {
        let py = x.py();
        let rows = convert::rows(x)?;
        let weights = weights
            .map(|it| convert::vector(it, "weights"))
            .transpose()?;
        let weights = weights.as_ref().map(|it| it.as_slice()).transpose()?;
        let (rows, count) = (rows.as_array(), rows.as_array().nrows());
        let batch = Batch { rows, weights };
        let mut lesson = Lesson::of(py, self)?;
        let given = Targets::of(y, lesson.learns_classes)?;
        let mut targets = lesson.targets(&given, how.labels)?;
        if !lesson.accept(batch.rows.ncols(), how)? {
            return Ok(false);
        }
        let check =
            |held: &mut Held| each!(&mut held.inner, it => batch.check(it, targets.as_ref()));
        self.write(py, count, check)?;
        if how.at_once && self.fit_at_once(py, &lesson, &batch, &targets)? {
            return how.report(count, count).map(|()| true);
        }
        in_blocks(py, count, |block| {
            let end = block.end;
            while !self.write(py, block.len(), |held| {
                lesson.learn(held, &batch, &targets, block.clone())
            })? {
                // Another thread brought names: those of these rows follow them.
                lesson = Lesson::of(py, self)?;
                targets = lesson.targets(&given, how.labels)?;
                if !lesson.accept(batch.rows.ncols(), how)? {
                    return Err(wrong_value!(
                        "another thread brought other columns; learn the rest again"
                    ));
                }
            }
            how.report(end, count)
        })?;
        Ok(true)
    }

    /// Learns the first rows all at once; false if they are not or the learner cannot. What has no blocks is done by another thread, while this one
    /// handles signals, which Python does in its main thread alone: what a handler raises stops the work, and nothing is changed.
    fn fit_at_once(
        &self,
        py: Python<'_>,
        lesson: &Lesson,
        batch: &Batch<'_>,
        targets: &Targets,
    ) -> PyResult<bool> {
        let (stopped, done) = (AtomicBool::new(false), AtomicBool::new(false));
        let proceed = || !stopped.load(Ordering::Relaxed);
        let caller = thread::current();
        let fitted = thread::scope(|scope| {
            let work = || {
                let fitted = self.write_detached(MANY, |held| {
                    let fitted = each!(&mut held.inner, it => {
                        it.fit_at_once(batch.rows, targets.as_ref(), batch.weights, &proceed)
                    });
                    if let Some(Ok(())) = fitted {
                        lesson.name(held);
                    }
                    Ok(fitted)
                });
                done.store(true, Ordering::Release);
                caller.unpark();
                fitted
            };
            let worker = thread::Builder::new().spawn_scoped(scope, work)?;
            let mut signals = Ok(());
            // A thread that panicked is finished and not done.
            while !done.load(Ordering::Acquire) && !worker.is_finished() {
                py.detach(|| thread::park_timeout(A_WHILE));
                signals = signals.and_then(|()| py.check_signals());
                stopped.store(signals.is_err(), Ordering::Relaxed);
            }
            let fitted = worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            signals.and(fitted)
        })?;
        let is_fitted = fitted.is_some();
        fitted.unwrap_or(Ok(())).map_err(refused)?;
        Ok(is_fitted)
    }

    /// Learns a dictionary of features with its target and its weight; whether every feature has a column, as [`Columns`] say.
    pub fn learn_features(
        &self,
        x: &Bound<'_, PyDict>,
        y: &Bound<'_, PyAny>,
        weight: f64,
    ) -> PyResult<bool> {
        let py = x.py();
        for _ in 0..TRIES {
            let mut lesson = Lesson::of(py, self)?;
            let targets = lesson.target(y)?;
            let learned = with_row(|row| {
                let all = lesson.fill(py, self, x, row)?;
                let rows = ArrayView2::from_shape((1, row.len()), row).map_err(refused)?;
                // Every learner takes a weight of 1.
                let weights = (weight != 1.0).then_some(slice::from_ref(&weight));
                let batch = Batch { rows, weights };
                let learn = |held: &mut Held| lesson.learn(held, &batch, &targets, 0..1);
                let learned = self.write(py, 1, learn)?;
                Ok::<_, PyErr>(learned.then_some(all))
            })?;
            if let Some(all) = learned {
                return Ok(all);
            }
        }
        Err(wrong_value!(
            "whenever this sample is read, the learner learns another one with new names"
        ))
    }
}

/// How rows are learned, as the arguments of `learn_named` say.
#[derive(Default)]
pub struct How<'a, 'py> {
    pub labels: Option<&'a Bound<'py, PyTuple>>,
    pub columns: Option<&'a Bound<'py, PyTuple>>,
    pub progress: Option<&'a Bound<'py, PyAny>>,
    pub at_once: bool,
}

impl How<'_, '_> {
    fn report(&self, done: usize, rows: usize) -> PyResult<()> {
        let report = |function: &Bound<'_, PyAny>| function.call1((done, rows)).map(drop);
        self.progress.map_or(Ok(()), report)
    }
}

/// What rows bring beside their numbers, as it follows from what the learner was at one moment: more classes and columns.
struct Lesson {
    learns_classes: bool,
    width: usize,
    features: usize,
    values: FeatureValues,
    before: (Option<Arc<Names>>, Option<Arc<Columns>>),
    labels: Option<Arc<Names>>,
    columns: Option<Arc<Columns>>,
}

impl Lesson {
    /// A lesson for a learner.
    fn of(py: Python<'_>, learner: &Learner) -> PyResult<Self> {
        let mut lesson = learner.read(py, 1, |held| {
            Ok(each!(&held.inner, it => Self {
                learns_classes: held.learns_classes(),
                width: it.schema().width(),
                features: it.schema().features(),
                values: it.feature_values(),
                before: (held.labels.clone(), held.columns.clone()),
                labels: held.labels.clone(),
                columns: held.columns.clone(),
            }))
        })?;
        if let Some(all) = &lesson.before.0
            && all.len() > lesson.width
        {
            // The others are of rows that another thread has not learned yet.
            lesson.labels = Some(Arc::new(Names::of(&all.first(py, lesson.width))?));
        }
        Ok(lesson)
    }

    /// The classes of the labels that the targets are places of; the targets themselves without labels. A label that is new is that of the
    /// next class.
    fn targets(
        &mut self,
        given: &Targets,
        labels: Option<&Bound<'_, PyTuple>>,
    ) -> PyResult<Targets> {
        let (Targets::Classes(places), Some(labels)) = (given, labels) else {
            return Ok(given.clone());
        };
        let (mut classes, mut new) = (Vec::with_capacity(labels.len()), Vec::new());
        let count = self.labels.as_ref().map_or(0, |known| known.len());
        for label in labels.iter() {
            classes.push(match self.place(&label)? {
                Some(place) => place as u32,
                // It equals no label, itself included, so that each would be a class of its own.
                None if !label.eq(&label)? => {
                    let label = shown(&label);
                    return Err(wrong_value!(
                        "the label {label} is missing; leave out its row"
                    ));
                }
                None => {
                    new.push(label);
                    (count + new.len() - 1) as u32
                }
            });
        }
        if !new.is_empty() {
            let new = PyTuple::new(labels.py(), new)?;
            self.labels = Some(Arc::new(match &self.labels {
                Some(known) => known.followed_by(&new)?,
                None => Names::of(&new)?,
            }));
        }
        let class = |place: &u32| classes.get(*place as usize).copied();
        let classes: Option<Vec<u32>> = places.iter().map(class).collect();
        let classes = classes.ok_or_else(|| wrong_value!("a code has no label"))?;
        Ok(Targets::Classes(classes))
    }

    /// The class of a label that is known.
    fn place(&self, label: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
        self.labels
            .as_ref()
            .map_or(Ok(None), |known| known.place(label))
    }

    /// The target of one sample: a number, or a label.
    fn target(&mut self, y: &Bound<'_, PyAny>) -> PyResult<Targets> {
        if self.learns_classes {
            return match self.place(y)? {
                Some(place) => Ok(Targets::Classes(vec![place as u32])),
                None => self.targets(
                    &Targets::Classes(vec![0]),
                    Some(&PyTuple::new(y.py(), [y])?),
                ),
            };
        }
        let Ok(number) = y.extract() else {
            return Err(wrong_type!(
                "a target must be a number, but is {}",
                shown(y)
            ));
        };
        Ok(Targets::Numbers(vec![number]))
    }

    /// Whether rows of this width may be learned: not if their columns do not begin with those before, as those of another thread may. Only new
    /// names make rows wider.
    fn accept(&mut self, width: usize, how: &How<'_, '_>) -> PyResult<bool> {
        if let (Some(before), Some(names)) = (&self.columns, how.columns) {
            let count = before.names.len();
            let begin = names.get_slice(0, count);
            if !begin.eq(before.names.list(names.py()))? {
                return Ok(false);
            }
            if names.len() > count {
                self.columns = Some(Arc::new(Columns::of(names)?));
                return Ok(true);
            }
        }
        InputError::check_width(width, self.features).map_err(refused)?;
        Ok(true)
    }

    /// Fills the row of a dictionary, in which new features have columns if there are any for them; whether all have one.
    fn fill(
        &mut self,
        py: Python<'_>,
        learner: &Learner,
        x: &Bound<'_, PyDict>,
        row: &mut Vec<f32>,
    ) -> PyResult<bool> {
        let columns = self.columns.clone().ok_or_else(no_names)?;
        let (width, values) = (self.features, self.values);
        if columns.fill(x, width, values, row)? {
            return Ok(true);
        }
        let widens = |held: &mut Held| Ok(each!(&mut held.inner, it => it.widens()));
        let widens = learner.write(py, 1, widens)?;
        let (more, all) = columns.more(&x.keys(), width, widens)?;
        if !more.is_empty() {
            let names = columns.names.list(py).add(more)?;
            let columns = Columns::of(names.cast()?)?;
            columns.fill(x, width.max(columns.names.len()), values, row)?;
            self.columns = Some(Arc::new(columns));
        }
        Ok(all)
    }

    /// Gives the learner the names.
    fn name(&self, held: &mut Held) {
        held.labels.clone_from(&self.labels);
        held.columns.clone_from(&self.columns);
    }

    /// Learns a block of the rows with its names; false, and nothing is changed, if another thread has brought other names since.
    fn learn(
        &self,
        held: &mut Held,
        batch: &Batch<'_>,
        targets: &Targets,
        block: Range<usize>,
    ) -> PyResult<bool> {
        let (labels, columns) = &self.before;
        let width = each!(&held.inner, it => it.schema().width());
        let has_labels =
            same(&held.labels, &self.labels) || (same(&held.labels, labels) && width == self.width);
        if !has_labels || !(same(&held.columns, &self.columns) || same(&held.columns, columns)) {
            return Ok(false);
        }
        each!(&mut held.inner, it => batch.learn(it, targets.as_ref(), block))?;
        self.name(held);
        Ok(true)
    }
}

fn same<N>(one: &Option<Arc<N>>, other: &Option<Arc<N>>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => Arc::ptr_eq(one, other),
        (one, other) => one.is_none() && other.is_none(),
    }
}

/// Rows that are learned together, with their targets, and a weight each if there are any.
#[derive(Clone, Copy)]
struct Batch<'a> {
    rows: ArrayView2<'a, f32>,
    weights: Option<&'a [f64]>,
}

impl Batch<'_> {
    /// Refuses what learning would refuse, and changes nothing. Rows may have more features than those before if the learner
    /// takes them.
    fn check<T: TableTask>(&self, saved: &mut Saved<T>, targets: &[T::Target]) -> PyResult<()> {
        let (rows, mut schema) = (self.rows.nrows(), *saved.schema());
        if self.rows.ncols() > schema.features() {
            schema = schema.with_features(self.rows.ncols()).map_err(refused)?;
            saved.expect_widening().map_err(|why| saved.refusal(why))?;
        }
        let checked = schema.check_rows(self.rows, saved.feature_values());
        checked.map_err(refused)?;
        schema.check_targets(rows, targets).map_err(refused)?;
        saved.check_room(rows).map_err(refused)?;
        let Some(weights) = self.weights else {
            return Ok(());
        };
        SampleWeight::check_rows(rows, weights).map_err(refused)?;
        if saved.can(Ability::Weights) {
            return Ok(());
        }
        Err(saved.cannot("learn with weights"))
    }

    /// Learns a block of rows, which may have more features than those before, and were checked if there are several.
    fn learn<T: TableTask>(
        &self,
        saved: &mut Saved<T>,
        targets: &[T::Target],
        block: Range<usize>,
    ) -> PyResult<()> {
        let features = self.rows.ncols();
        let is_wider = features > saved.schema().features();
        if is_wider || (self.weights.is_some() && !saved.can(Ability::Weights)) {
            self.check(saved, targets)?;
        }
        if is_wider {
            saved.widen(features).map_err(refused)?;
        }
        let rows = self.rows.slice(s![block.clone(), ..]);
        let targets = &targets[block.clone()];
        match self.weights {
            None => saved.learn(rows, targets),
            Some(weights) => saved.learn_weighted(rows, targets, &weights[block]),
        }
        .map_err(refused)
    }
}

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
use online_forests::{Ability, FeatureValues, InputError, OnlineLearner as _, Rows, SampleWeight};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::convert::{self, Targets, shown};
use crate::error::{refused, wrong_type, wrong_value};
use crate::names::{Columns, Names};
use crate::saved::{Saved, each};
use crate::shared::{Held, Learner, MANY, in_blocks, no_names};

/// The time between two checks for signals.
const SIGNAL_CHECK: Duration = Duration::from_millis(100);
/// The most attempts to read a sample: a number of Python may run any code, which may teach the learner new names.
const TRIES: usize = 100;

#[pymethods]
impl Learner {
    /// Learns rows one after another. A weight w stands for w copies of a row at once.
    #[pyo3(signature = (x, y, weights = None))]
    fn learn(
        &self,
        x: &Bound<'_, PyAny>,
        y: &Bound<'_, PyAny>,
        weights: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let learned = self.learn_named(x, y, weights, None, None, None, false);
        learned.map(drop)
    }

    /// Learns rows. With `labels`, which differ, targets are indices into them, and new labels become classes.
    /// `columns` are the names of the features, which begin with the known ones; otherwise nothing is learned, and
    /// False is returned. `progress` is called with the number of rows learned and of all rows. With `at_once`,
    /// learners that can build their trees in batch do so with the first rows.
    #[pyo3(signature = (x, y, weights = None, *, labels = None, columns = None, progress = None, at_once = false))]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    fn learn_named(
        &self,
        x: &Bound<'_, PyAny>,
        y: &Bound<'_, PyAny>,
        weights: Option<&Bound<'_, PyAny>>,
        labels: Option<&Bound<'_, PyTuple>>,
        columns: Option<&Bound<'_, PyTuple>>,
        progress: Option<&Bound<'_, PyAny>>,
        at_once: bool,
    ) -> PyResult<bool> {
        let py = x.py();
        let rows = convert::rows(x)?;
        let rows = rows.as_array();
        let count = rows.nrows();
        let weights = weights
            .map(|it| convert::vector(it, "weights"))
            .transpose()?;
        let weights = weights.as_ref().map(|it| it.as_slice()).transpose()?;
        let batch = Batch { rows, weights };
        let report = |done: usize| match progress {
            Some(progress) => progress.call1((done, count)).map(drop),
            None => Ok(()),
        };
        let mut lesson = Lesson::of(py, self)?;
        let given = Targets::of(y, lesson.learns_classes)?;
        let mut targets = lesson.targets(&given, labels)?;
        if !lesson.accept(py, rows, columns)? {
            return Ok(false);
        }
        self.write(
            py,
            count,
            |held| each!(&mut held.inner, it => batch.check(it, targets.as_ref())),
        )?;
        if at_once && self.fit_at_once(py, &lesson, &batch, &targets)? {
            return report(count).map(|()| true);
        }
        in_blocks(py, count, |block| {
            let end = block.end;
            while !self.write(py, block.len(), |held| {
                lesson.learn(held, &batch, &targets, block.clone())
            })? {
                // Another thread brought names: those of these rows follow them.
                lesson = Lesson::of(py, self)?;
                targets = lesson.targets(&given, labels)?;
                if !lesson.accept(py, rows, columns)? {
                    return Err(wrong_value!(
                        "another thread brought other columns; learn the rest again"
                    ));
                }
            }
            report(end)
        })?;
        Ok(true)
    }

    /// Learns a dictionary of features with a label or a number and weight `w`; returns whether every feature has a
    /// column.
    #[pyo3(signature = (x, y, w = 1.0))]
    fn learn_dict(&self, x: &Bound<'_, PyAny>, y: &Bound<'_, PyAny>, w: f64) -> PyResult<bool> {
        let py = x.py();
        let x = convert::dict(x)?;
        for _ in 0..TRIES {
            let mut lesson = Lesson::of(py, self)?;
            let targets = lesson.target(y)?;
            let (row, all) = lesson.row(py, self, &x)?;
            let rows = ArrayView2::from_shape((1, row.len()), &row).map_err(refused)?;
            lesson.observe(py, rows)?;
            // Every learner takes a weight of 1.
            let weights = (w != 1.0).then_some(slice::from_ref(&w));
            let batch = Batch { rows, weights };
            if self.write(py, 1, |held| lesson.learn(held, &batch, &targets, 0..1))? {
                return Ok(all);
            }
        }
        Err(wrong_value!(
            "whenever this sample is read, the learner learns another one with new names"
        ))
    }
}

impl Learner {
    /// Learns the first rows at once; returns false if they are not the first, or the learner cannot. Another thread
    /// does the work while this one handles signals, as only Python's main thread can: an exception of a handler stops
    /// the work, and nothing is changed.
    fn fit_at_once(
        &self,
        py: Python<'_>,
        lesson: &Lesson,
        batch: &Batch<'_>,
        targets: &Targets,
    ) -> PyResult<bool> {
        let stopped = AtomicBool::new(false);
        let done = AtomicBool::new(false);
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
                py.detach(|| thread::park_timeout(SIGNAL_CHECK));
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
}

/// The labels and columns after some rows are learned, as they follow from those of the learner at one moment.
struct Lesson {
    learns_classes: bool,
    width: usize,
    features: usize,
    values: FeatureValues,
    labels_before: Option<Arc<Names>>,
    columns_before: Option<Arc<Columns>>,
    labels: Option<Arc<Names>>,
    columns: Option<Arc<Columns>>,
}

impl Lesson {
    /// Begins a lesson for a learner.
    fn of(py: Python<'_>, learner: &Learner) -> PyResult<Self> {
        let mut lesson = learner.read(py, 1, |held| {
            Ok(each!(&held.inner, it => Self {
                learns_classes: held.learns_classes(),
                width: it.schema().width(),
                features: it.schema().features(),
                values: it.feature_values(),
                labels_before: held.labels.clone(),
                columns_before: held.columns.clone(),
                labels: held.labels.clone(),
                columns: held.columns.clone(),
            }))
        })?;
        if let Some(all) = &lesson.labels_before
            && all.list(py).len() > lesson.width
        {
            // The others are of rows that another thread has not learned yet.
            lesson.labels = Some(Arc::new(Names::of(&all.first(py, lesson.width))?));
        }
        Ok(lesson)
    }

    /// Returns the classes of targets that are indices into labels, and targets without labels as they are. A new label
    /// gets the next class.
    fn targets(
        &mut self,
        given: &Targets,
        labels: Option<&Bound<'_, PyTuple>>,
    ) -> PyResult<Targets> {
        let (Targets::Classes(places), Some(labels)) = (given, labels) else {
            return Ok(given.clone());
        };
        let mut classes = Vec::with_capacity(labels.len());
        let mut new = Vec::new();
        let py = labels.py();
        let known = self.labels.as_ref();
        let known = known.map_or_else(|| PyTuple::empty(py), |known| known.list(py));
        for label in labels.iter() {
            classes.push(match self.place(&label)? {
                Some(place) => place as u32,
                // NaN equals no label, itself included, so that each would be a class of its own.
                None if label.is_none() || !label.eq(&label)? => {
                    let label = shown(&label);
                    return Err(wrong_value!(
                        "the label {label} is missing; leave out its row"
                    ));
                }
                None => {
                    new.push(label);
                    (known.len() + new.len() - 1) as u32
                }
            });
        }
        if !new.is_empty() {
            let known = known.add(PyTuple::new(py, new)?)?;
            self.labels = Some(Arc::new(Names::of(known.cast()?)?));
        }
        let class = |place: &u32| classes.get(*place as usize).copied();
        let classes: Option<Vec<u32>> = places.iter().map(class).collect();
        let classes = classes.ok_or_else(|| wrong_value!("a code has no label"))?;
        Ok(Targets::Classes(classes))
    }

    /// Returns the class of a label; `None` if it is new.
    fn place(&self, label: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
        self.labels
            .as_ref()
            .map_or(Ok(None), |known| known.place(label))
    }

    /// Returns the target of one sample: a number, or the class of a label.
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
        let wrong = |_| wrong_type!("a target must be a number, but is {}", shown(y));
        Ok(Targets::Numbers(vec![y.extract().map_err(wrong)?]))
    }

    /// Returns whether these rows may be learned: not if their columns do not begin with the known ones, which another
    /// thread may have brought. Only new names make rows wider.
    fn accept(
        &mut self,
        py: Python<'_>,
        rows: ArrayView2<'_, f32>,
        columns: Option<&Bound<'_, PyTuple>>,
    ) -> PyResult<bool> {
        let mut width = self.features;
        if let (Some(before), Some(names)) = (&self.columns, columns) {
            let count = before.words.len();
            let begin = names.get_slice(0, count);
            if !begin.eq(before.names.list(py))? {
                return Ok(false);
            }
            if names.len() > count {
                self.columns = Some(Arc::new(Columns::of(names, before.words.clone())?));
                width = rows.ncols();
            }
        }
        InputError::check_width(rows.ncols(), width).map_err(refused)?;
        self.observe(py, rows).map(|()| true)
    }

    /// Records which columns have words, if the learner supports them.
    fn observe(&mut self, py: Python<'_>, rows: ArrayView2<'_, f32>) -> PyResult<()> {
        if let Some(columns) = &self.columns
            && self.values == FeatureValues::NumbersAndCategories
            && let Some(columns) = columns.after(py, rows)?
        {
            self.columns = Some(Arc::new(columns));
        }
        Ok(())
    }

    /// Returns the row of a dictionary of features, of which new ones get columns if there is room; and whether all
    /// features have one.
    fn row(
        &mut self,
        py: Python<'_>,
        learner: &Learner,
        x: &Bound<'_, PyDict>,
    ) -> PyResult<(Vec<f32>, bool)> {
        let columns = self.columns.clone().ok_or_else(no_names)?;
        let width = self.features;
        let (row, all) = columns.row(x, width, self.values)?;
        if all {
            return Ok((row, true));
        }
        let widens = learner.write(py, 1, |held| Ok(each!(&mut held.inner, it => it.widens())))?;
        let (more, all) = columns.more(&x.keys(), width, widens)?;
        if more.is_empty() {
            return Ok((row, all));
        }
        let names = columns.names.list(py).add(more)?;
        let columns = Columns::of(names.cast()?, columns.words.clone())?;
        let (row, _) = columns.row(x, width.max(columns.words.len()), self.values)?;
        self.columns = Some(Arc::new(columns));
        Ok((row, all))
    }

    /// Gives a learner that has learned the rows their labels and columns.
    fn name(&self, held: &mut Held) {
        held.changes += 1;
        held.labels.clone_from(&self.labels);
        held.columns.clone_from(&self.columns);
    }

    /// Learns a block of rows with its names; returns false, and changes nothing, if another thread has brought other
    /// names.
    fn learn(
        &self,
        held: &mut Held,
        batch: &Batch<'_>,
        targets: &Targets,
        block: Range<usize>,
    ) -> PyResult<bool> {
        let width = each!(&held.inner, it => it.schema().width());
        let has_labels = same(&held.labels, &self.labels)
            || (same(&held.labels, &self.labels_before) && width == self.width);
        let has_columns =
            same(&held.columns, &self.columns) || same(&held.columns, &self.columns_before);
        if !has_labels || !has_columns {
            return Ok(false);
        }
        each!(&mut held.inner, it => batch.learn(it, targets.as_ref(), block))?;
        self.name(held);
        Ok(true)
    }
}

fn same<N>(one: &Option<Arc<N>>, other: &Option<Arc<N>>) -> bool {
    one.as_ref().map(Arc::as_ptr) == other.as_ref().map(Arc::as_ptr)
}

/// Rows that are learned together, and their weights if there are any.
#[derive(Clone, Copy)]
struct Batch<'a> {
    rows: ArrayView2<'a, f32>,
    weights: Option<&'a [f64]>,
}

impl Batch<'_> {
    /// Refuses what learning would refuse; changes nothing. Rows may have more features than before if the learner
    /// supports that.
    fn check<T: TableTask>(&self, saved: &mut Saved<T>, targets: &[T::Target]) -> PyResult<()> {
        let mut schema = *saved.schema();
        if self.rows.ncols() > schema.features() {
            schema = schema.with_features(self.rows.ncols()).map_err(refused)?;
            saved.expect_widening().map_err(|why| saved.refusal(why))?;
        }
        let taken = saved.feature_values();
        Rows::check_values(self.rows, schema.features(), taken).map_err(refused)?;
        let rows = self.rows.nrows();
        schema.check_targets(rows, targets).map_err(refused)?;
        saved.check_room(rows).map_err(refused)?;
        if let Some(weights) = self.weights {
            SampleWeight::check_rows(rows, weights).map_err(refused)?;
            if !saved.can(Ability::Weights) {
                return Err(saved.cannot("learn with weights"));
            }
        }
        Ok(())
    }

    /// Learns a block of rows, which may have more features than before. Several rows must have been checked.
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

//! Measures runs: a new learner takes the steps of its schedule. Only time inside the learner counts.

use std::cell::Cell;
use std::ops::{AddAssign, Range};
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use forest_core::{Footprint, ForestSettings, OnlineLearner};
use ndarray::{Array2, ArrayView2, s};
use online_forests::Ability;

use crate::contender::Learner;
use crate::curve::{AroundChange, Curve, windows_around};
use crate::metric::{INTERVAL_LEVEL, Scores, Tested};
use crate::protocol::{Rows, Samples, Step};
use crate::record::{Measured, Params, Record};
use crate::{ComparedTask, Contender, Request, RunError, Training, number};

type Result<V> = std::result::Result<V, RunError>;

/// Batches begin with 8 rows, so that a learner that grows is seen to do so, and double up to 1,000. A batch means its
/// rows one after another, so its size does not change predictions.
const FIRST_BATCH: usize = 8;
const LARGEST_BATCH: usize = 1000;
/// Rows of a batch of predictions.
const PREDICTED: usize = 4000;

/// How long calls took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Time {
    /// Time of the clock.
    pub wall: Duration,
    /// Time of the processor, in all threads of the process together.
    pub processor: Duration,
}

impl AddAssign for Time {
    fn add_assign(&mut self, other: Self) {
        self.wall += other.wall;
        self.processor += other.processor;
    }
}

thread_local! {
    /// The time that learners reported on this thread during the current call.
    static CHARGED: Cell<Option<Time>> = const { Cell::new(None) };
}

/// Reports how long a call of a learner took, as the learner measured it: a comparison then takes this as the time of
/// the call.
///
/// Learners of other libraries call it, on the thread that called them: the conversion of rows does not count.
pub fn charge(time: Time) {
    let mut charged = CHARGED.get().unwrap_or_default();
    charged += time;
    CHARGED.set(Some(charged));
}

/// Makes a call, and returns with its result what the learner reported by [`charge`], else the time that has passed.
fn timed<V>(call: impl FnOnce() -> V) -> (V, Time) {
    CHARGED.set(None);
    let (start, processor) = (Instant::now(), ProcessTime::now());
    let value = call();
    let (wall, processor) = (start.elapsed(), processor.elapsed());
    let passed = Time { wall, processor };
    (value, CHARGED.take().unwrap_or(passed))
}

/// Follows the progress of runs and may stop them. Learners may call it from several threads.
///
/// `()` is an observer that does nothing.
pub trait Observer: Sync {
    /// Reports the runs that are missing, by their numbers of rows.
    fn plan(&self, _runs: &[usize]) {}

    /// Reports that a run of an algorithm on a data set begins.
    fn start_run(&self, _name: &str) {}

    /// Reports how many more rows of the run have been learned or predicted.
    fn advance(&self, _rows: usize) {}

    /// Reports that a run of `rows` rows has ended, perhaps before all of them were visited.
    fn finish_run(&self, _rows: usize, _record: &Record) {}

    /// Returns whether to end after the current batch. Unfinished runs have no record.
    fn is_stopped(&self) -> bool {
        false
    }
}

impl Observer for () {}

/// The observer and the limits of a run.
pub(crate) struct Watch<'a> {
    observer: &'a dyn Observer,
    max_bytes: Option<u64>,
    max_seconds: Option<f64>,
    start: Instant,
}

impl<'a> Watch<'a> {
    pub(crate) fn new(observer: &'a dyn Observer, request: &Request) -> Self {
        Self {
            observer,
            max_bytes: request.max_memory,
            max_seconds: request.time_limit,
            start: Instant::now(),
        }
    }

    /// Reports how many more rows are done, and checks the run.
    fn advance(&self, rows: usize) -> Result<()> {
        self.observer.advance(rows);
        self.check()
    }

    /// Returns an error if the run has to end.
    pub(crate) fn check(&self) -> Result<()> {
        if self.observer.is_stopped() {
            return Err(RunError::Interrupted);
        }
        match self.max_seconds {
            Some(limit) if self.start.elapsed().as_secs_f64() > limit => {
                let reason = format!("stopped: the run took more than the time limit ({limit} s)");
                Err(RunError::Failed(reason))
            }
            _ => Ok(()),
        }
    }
}

impl<T: ComparedTask> Learner<T> {
    fn online(&mut self) -> Result<&mut dyn OnlineLearner<Task = T>> {
        match self {
            Self::Online(learner) => Ok(&mut **learner),
            Self::Offline(..) => Err(RunError::failed("an offline algorithm learns no stream")),
        }
    }

    fn predict(&self, rows: ArrayView2<'_, f32>) -> Result<Array2<f64>> {
        match self {
            Self::Online(learner) => Ok(learner.predict(rows)?),
            Self::Offline(_, Some(model)) => Ok((model.predict)(rows)?),
            Self::Offline(_, None) => Err(RunError::failed("no rows have been learned")),
        }
    }

    /// Returns what it holds, if that is known, and its trees.
    fn held(&self) -> (Option<Footprint>, usize) {
        match self {
            Self::Online(own) => (
                Some(own.footprint()).filter(|held| held.bytes > 0),
                own.trees(),
            ),
            Self::Offline(_, Some(model)) => (model.footprint, model.trees),
            Self::Offline(_, None) => (None, 0),
        }
    }
}

type Part = (Range<usize>, Scores);

/// A learner in a run. It takes steps, whose time is measured and whose predictions are scored.
struct Trial<'a, T: ComparedTask> {
    learner: Learner<T>,
    settings: ForestSettings,
    params: Params,
    samples: &'a Samples<T::Target>,
    watch: &'a Watch<'a>,
    /// Rows learned so far, and an earlier number of them with the bytes held then.
    rows: u64,
    earlier: (u64, u64),
    learn: Time,
    predict: Time,
    /// The changes of a stream; `None` where rows are held out.
    changes: Option<&'a [usize]>,
    /// Whether predictions are scored: along a stream, from the first learned row on.
    is_scored: bool,
    window: Scores,
    curve: Curve,
    /// Rows before, after and later than each change, with their scores.
    parts: Vec<[Option<Part>; 3]>,
}

impl<'a, T: ComparedTask> Trial<'a, T> {
    fn new(
        contender: &Contender,
        settings: ForestSettings,
        samples: &'a Samples<T::Target>,
        changes: Option<&'a [usize]>,
        watch: &'a Watch<'a>,
    ) -> Result<Self> {
        let contender = match &samples.weights {
            Some(weights) => &contender.with_weights(weights),
            None => contender,
        };
        let (learner, planned) = contender.build(samples.features.ncols(), settings)?;
        let around = windows_around(changes.unwrap_or_default(), samples.observed.len());
        let scored = |rows| (rows, Scores::all(T::KIND));
        let around = around.into_iter();
        let parts = around.map(|windows| windows.map(|rows| rows.map(scored)));
        Ok(Self {
            learner,
            settings,
            params: planned.params,
            samples,
            watch,
            rows: 0,
            earlier: (0, 0),
            learn: Time::default(),
            predict: Time::default(),
            changes,
            is_scored: changes.is_none(),
            window: Scores::all(T::KIND),
            curve: Curve::default(),
            parts: parts.collect(),
        })
    }

    /// Takes all steps of a learner. Along a stream they come window by window, and the curve has a point for each.
    fn follow(
        &mut self,
        rows: &Rows<'_, T::Target>,
        learner: usize,
        scores: &mut Scores,
    ) -> Result<()> {
        let is_stream = self.changes.is_some();
        for window in rows.windows(self.samples) {
            if is_stream {
                self.check_bytes(window.len())?;
            }
            let before = self.learn.wall + self.predict.wall;
            for step in rows.steps(learner, self.samples, &window) {
                match step {
                    Step::Learn(rows) => self.learn(rows)?,
                    Step::Test(rows) => self.test(rows, scores)?,
                    Step::TestThenLearn(rows) => self.test_then_learn(rows, scores)?,
                }
            }
            if !is_stream {
                continue;
            }
            // A window without a score is a part of the next.
            if let Some(value) = self.window.main_value() {
                self.curve.rows.push(window.end);
                self.curve.windowed.push(value);
                let all = scores.main_value().unwrap_or(f64::NAN);
                self.curve.cumulative.push(all);
                let seconds = self.learn.wall + self.predict.wall - before;
                self.curve.seconds.push(seconds.as_secs_f64());
                self.window = Scores::all(T::KIND);
            }
            self.watch.advance(window.len())?;
        }
        Ok(())
    }

    /// Learns rows, batch by batch; an offline learner learns them at once.
    fn learn(&mut self, rows: Range<usize>) -> Result<()> {
        let is_stream = self.changes.is_some();
        if let Learner::Offline(fit, model) = &mut self.learner {
            let (features, targets) = self.samples.slice(&rows);
            let unlabelled = self.samples.features.slice(s![self.samples.learned.., ..]);
            let training = Training::<T>::new(features, targets, unlabelled)?;
            let (fitted, time) = timed(|| fit(&training, self.settings));
            self.learn += time;
            self.watch.advance(rows.len())?;
            *model = Some(fitted?);
            return Ok(());
        }
        let (mut start, mut size) = (rows.start, FIRST_BATCH);
        while start < rows.end {
            let batch = start..rows.end.min(start + size);
            (start, size) = (batch.end, (2 * batch.len()).min(LARGEST_BATCH));
            if !is_stream {
                self.check_bytes(batch.len())?;
            }
            let (features, targets) = self.samples.slice(&batch);
            let learner = self.learner.online()?;
            let (learned, time) = timed(|| learner.learn(features, targets));
            learned?;
            self.learn += time;
            self.is_scored = true;
            if !is_stream {
                self.watch.advance(batch.len())?;
            }
        }
        if is_stream {
            return Ok(());
        }
        self.check_bytes(0)
    }

    fn test(&mut self, rows: Range<usize>, scores: &mut Scores) -> Result<()> {
        for start in rows.clone().step_by(PREDICTED) {
            let batch = start..rows.end.min(start + PREDICTED);
            let (features, _) = self.samples.slice(&batch);
            let (predictions, time) = timed(|| self.learner.predict(features));
            let predictions = predictions?;
            self.predict += time;
            let bounds = match &self.learner {
                Learner::Online(known)
                    if self.changes.is_none() && known.can(Ability::Intervals) =>
                {
                    Some(known.central_intervals(features, INTERVAL_LEVEL)?)
                }
                _ => None,
            };
            for (index, prediction) in predictions.rows().into_iter().enumerate() {
                let of_row = |all: &Array2<f64>| [all[[index, 0]], all[[index, 1]]];
                let interval = bounds.as_ref().map(of_row);
                self.score(batch.start + index, &prediction.to_vec(), interval, scores);
            }
            if self.changes.is_none() {
                self.watch.advance(batch.len())?;
            }
        }
        Ok(())
    }

    fn test_then_learn(&mut self, rows: Range<usize>, scores: &mut Scores) -> Result<()> {
        let (features, targets) = self.samples.slice(&rows);
        let learner = self.learner.online()?;
        let (predictions, time) = timed(|| learner.predict_then_learn(features, targets));
        self.learn += time;
        for (row, prediction) in rows.zip(predictions?.iter()) {
            self.score(row, prediction, None, scores);
            self.is_scored = true;
        }
        Ok(())
    }

    fn score(
        &mut self,
        row: usize,
        prediction: &[f64],
        interval: Option<[f64; 2]>,
        scores: &mut Scores,
    ) {
        let truth = T::number(self.samples.truth(row));
        let observed = T::number(self.samples.observed[row]);
        if !self.is_scored {
            return;
        }
        let tested = Tested {
            prediction,
            truth,
            observed,
            interval,
        };
        if self.changes.is_some() {
            self.window.add(&tested);
        }
        for (rows, part) in self.parts.iter_mut().flatten().flatten() {
            if rows.contains(&row) {
                part.add(&tested);
            }
        }
        scores.add(&tested);
    }

    /// Stops, before rows are learned, a learner that holds too much, or would hold too much after these `next` rows if
    /// it kept growing as it did over the latest ones. Without a limit, its size is not asked for.
    fn check_bytes(&mut self, next: usize) -> Result<()> {
        let Some(limit) = self.watch.max_bytes else {
            return Ok(());
        };
        let held = self.learner.held().0.map_or(0, |held| held.bytes as u64);
        let (before, rows) = (self.earlier, self.rows);
        let grown = held.saturating_sub(before.1) * next as u64;
        let expected = held + grown.checked_div(rows - before.0).unwrap_or(0);
        self.earlier = (rows, held);
        self.rows += next as u64;
        if expected > limit {
            let [expected, limit] = [expected, limit].map(|bytes| number::bytes(bytes as f64));
            return Err(RunError::Failed(format!(
                "stopped after {rows} rows: with {next} more, the learner would hold about {expected}, more than the memory limit ({limit})"
            )));
        }
        Ok(())
    }

    fn measured(&self, scores: &Scores) -> Measured {
        let mut measured = scores.measured();
        let mut learn = self.learn;
        match self.changes {
            None => {
                measured.standard_errors = scores.standard_errors();
                measured.predict_seconds = Some(self.predict.wall.as_secs_f64());
                measured.predict_processor_seconds = Some(self.predict.processor.as_secs_f64());
            }
            Some(changes) => {
                learn += self.predict;
                measured.curve = Some(self.curve.clone());
                for (&row, parts) in changes.iter().zip(&self.parts) {
                    let [before, after, later] =
                        parts.each_ref().map(|part| part.as_ref()?.1.main_value());
                    let around = AroundChange {
                        row,
                        before,
                        after,
                        later,
                    };
                    measured.around_changes.push(around);
                }
            }
        }
        measured.learn_seconds = learn.wall.as_secs_f64();
        measured.learn_processor_seconds = Some(learn.processor.as_secs_f64());
        let held = self.learner.held().0;
        measured.nodes = held.map(|held| held.nodes);
        measured.stored_samples = held.map(|held| held.stored_samples);
        measured.model_bytes = held.map(|held| held.bytes);
        measured
    }
}

/// Measures a run, which may have several learners: returns their parameters, the number of trees, and what was
/// measured.
pub(crate) fn run<T: ComparedTask>(
    contender: &Contender,
    settings: ForestSettings,
    rows: &Rows<'_, T::Target>,
    watch: &Watch<'_>,
) -> Result<(Params, usize, Measured)> {
    let mut pooled = Scores::all(T::KIND);
    let (mut all, mut params, mut trees) = (Vec::new(), Params::new(), 0);
    for learner in 0..rows.learners() {
        let mut samples = rows.samples(learner)?;
        if contender.is_baseline() {
            // It ignores features, which may be missing.
            samples.to_mut().features.fill(0.0);
        }
        let mut trial = Trial::<T>::new(contender, settings, &samples, rows.changes(), watch)?;
        // Folds are scored together, learners along a stream on their own.
        if rows.changes().is_some() {
            pooled = Scores::all(T::KIND);
        }
        trial.follow(rows, learner, &mut pooled)?;
        all.push(trial.measured(&pooled));
        (trees, params) = (trial.learner.held().1, trial.params);
    }
    let mean = Measured::over_folds(&all);
    let predict_seconds: Option<f64> = all.iter().map(|one| one.predict_seconds).sum();
    let processor: Option<f64> = all.iter().map(|one| one.predict_processor_seconds).sum();
    let (count, last) = (all.len(), all.pop());
    let mut measured = last.expect("there is at least one learner");
    if rows.changes().is_some() && count > 1 {
        measured = mean;
    } else if count > 1 {
        let pooled = std::mem::replace(&mut measured, mean);
        (measured.value, measured.metrics) = (pooled.value, pooled.metrics);
        (measured.standard_errors, measured.curve) = (pooled.standard_errors, None);
        measured.predict_seconds = predict_seconds;
        measured.predict_processor_seconds = processor;
    }
    let value = measured.value;
    if !value.is_finite() {
        let reason = format!("the metric is {value}: a prediction is not a finite number");
        return Err(RunError::Failed(reason));
    }
    Ok((params, trees, measured))
}

/// Learns the rows that are to be learned, then is tested on each of these ranges of rows. Returns what each test
/// measured, and the number of trees.
///
/// # Errors
/// Rows or parameters that the learner rejects.
pub fn measure<T: ComparedTask>(
    contender: &Contender,
    settings: ForestSettings,
    samples: &Samples<T::Target>,
    tests: &[Range<usize>],
) -> Result<(Vec<Measured>, usize)> {
    let watch = Watch::new(&(), &Request::default());
    let mut trial = Trial::<T>::new(contender, settings, samples, None, &watch)?;
    trial.learn(0..samples.learned)?;
    let mut measured = Vec::new();
    for rows in tests {
        let mut scores = Scores::all(T::KIND);
        trial.predict = Time::default();
        trial.test(rows.clone(), &mut scores)?;
        measured.push(trial.measured(&scores));
    }
    Ok((measured, trial.learner.held().1))
}

//! Measures runs: a new learner takes the steps of its schedule. Only time inside the learner counts.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use forest_core::{Footprint, ForestSettings, OnlineLearner};
use ndarray::{Array2, ArrayView2, s};
use online_forests::{Ability, AnyLearner};

use crate::curve::{AroundChange, Curve};
use crate::metric::{Accumulator, INTERVAL_LEVEL, Metric, Tested};
use crate::protocol::{Course, Rows, Samples, Step};
use crate::record::{Measured, Params};
use crate::{BatchLearner, BatchTask, Contender, Fitted, Observer, RunError, Training, number};

type Result<V> = std::result::Result<V, RunError>;

/// Batches begin with 8 rows, so that a learner that grows is seen to do so, and double up to 1,000. A batch means its rows one after
/// another, so its size does not change predictions.
const LEARNED: (usize, usize) = (8, 1000);
/// Batches of predictions double while they take less than 50 ms.
const PREDICTED: (usize, usize) = (1000, 16_000);
const QUICK: Duration = Duration::from_millis(50);

thread_local! {
    /// What learners of this thread have measured themselves.
    static CHARGED: Cell<Option<Duration>> = const { Cell::new(None) };
}

/// Reports how long a call of a learner took, as the learner measured it: a comparison then takes this as the time of the call.
///
/// Learners of other libraries call it, on the thread that called them: the conversion of rows does not count.
pub fn charge(time: Duration) {
    CHARGED.set(Some(CHARGED.get().unwrap_or_default() + time));
}

/// Makes a call, and returns with its result what the learner reported by [`charge`], else the time that has passed.
fn timed<V>(call: impl FnOnce() -> V) -> (V, Duration) {
    CHARGED.set(None);
    let start = Instant::now();
    let value = call();
    let passed = start.elapsed();
    (value, CHARGED.take().unwrap_or(passed))
}

/// Limits of one run; unlimited by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Bytes that the learner may hold; offline learners and those that do not report it are not limited.
    pub bytes: Option<u64>,
    /// Time that the run may take, including all work around the learner. Checked after every batch; for an offline learner,
    /// when its fit ends.
    pub time: Option<Duration>,
}

/// Watches a run, batch by batch.
pub(crate) struct Watch<'a> {
    pub observer: &'a dyn Observer,
    pub limits: Limits,
    pub start: Instant,
}

impl Watch<'_> {
    /// Reports how many rows are done; returns an error if the run has to end.
    fn advance(&self, rows: usize) -> Result<()> {
        self.observer.advance(rows);
        self.check()
    }

    pub(crate) fn check(&self) -> Result<()> {
        if self.observer.is_stopped() {
            return Err(RunError::Interrupted);
        }
        match self.limits.time {
            Some(limit) if self.start.elapsed() > limit => Err(RunError::Failed(format!(
                "stopped: the run took more than the time limit ({} s)",
                limit.as_secs_f64()
            ))),
            _ => Ok(()),
        }
    }
}

/// How fast a learner grows.
#[derive(Debug, Default)]
struct Growth {
    /// Learned so far.
    rows: u64,
    /// The row and the bytes held after it, before the latest rows.
    earlier: (u64, u64),
}

impl Growth {
    /// Extrapolates the bytes it will hold after `next` more rows, from the latest rows.
    fn expect(&mut self, bytes: u64, next: u64) -> u64 {
        let (held, after) = self.earlier;
        let (grown, learned) = (bytes.saturating_sub(held), self.rows - after);
        self.earlier = (bytes, self.rows);
        bytes + (grown * next).checked_div(learned).unwrap_or(0)
    }
}

/// A learner of a run.
pub(crate) enum Learner<T: BatchTask> {
    Named(AnyLearner<T>),
    Own(Box<dyn OnlineLearner<Task = T>>),
    AtOnce(
        Arc<dyn BatchLearner<T>>,
        ForestSettings,
        Option<Box<dyn Fitted>>,
    ),
}

impl<T: BatchTask> Learner<T> {
    pub(crate) fn online(&self) -> Option<&dyn OnlineLearner<Task = T>> {
        match self {
            Self::Named(learner) => Some(learner),
            Self::Own(learner) => Some(&**learner),
            Self::AtOnce(..) => None,
        }
    }

    fn online_mut(&mut self) -> Result<&mut dyn OnlineLearner<Task = T>> {
        match self {
            Self::Named(learner) => Ok(learner),
            Self::Own(learner) => Ok(&mut **learner),
            Self::AtOnce(..) => Err(RunError::Failed(
                "an offline algorithm cannot be measured along a stream".to_owned(),
            )),
        }
    }

    fn fitted(&self) -> Option<&dyn Fitted> {
        match self {
            Self::AtOnce(.., fitted) => fitted.as_deref(),
            _ => None,
        }
    }

    fn predict(&self, rows: ArrayView2<'_, f32>) -> Result<Array2<f64>> {
        let predictions = match (self.online(), self.fitted()) {
            (Some(learner), _) => learner.predict(rows)?,
            (None, Some(fitted)) => fitted.predict(rows)?,
            (None, None) => return Err(RunError::Failed("no rows have been learned".to_owned())),
        };
        Ok(predictions)
    }

    /// Returns what it holds; `None` if that is unknown.
    fn footprint(&self) -> Option<Footprint> {
        match self {
            Self::Named(learner) => Some(learner.footprint()),
            Self::Own(learner) => Some(learner.footprint()).filter(|held| held.bytes > 0),
            Self::AtOnce(..) => self.fitted()?.footprint(),
        }
    }

    fn trees(&self) -> usize {
        match self {
            Self::Named(learner) => learner.trees(),
            Self::Own(_) => 0,
            Self::AtOnce(..) => self.fitted().map_or(0, |fitted| fitted.trees()),
        }
    }
}

/// A learner in a run. It takes steps, whose time is measured and whose predictions are scored.
struct Trial<'a, T: BatchTask> {
    learner: Learner<T>,
    params: Params,
    samples: &'a Samples<T::Target>,
    watch: &'a Watch<'a>,
    growth: Growth,
    learn: Duration,
    predict: Duration,
    /// What is followed along a stream.
    stream: Option<Stream<T>>,
}

struct Stream<T: BatchTask> {
    /// Whether rows have been learned: predictions before are nobody's, and are not scored.
    has_learned: bool,
    window: Scores<T>,
    curve: Curve,
    around: Vec<AroundChange<Range<usize>>>,
    parts: Vec<(Range<usize>, Scores<T>)>,
}

impl<T: BatchTask> Stream<T> {
    fn new(changes: &[usize], rows: usize) -> Self {
        let around = AroundChange::all(changes, rows);
        let parts = around
            .iter()
            .flat_map(|change| [&change.before, &change.after, &change.later]);
        Self {
            has_learned: false,
            window: Scores::main(),
            curve: Curve::default(),
            parts: parts
                .flatten()
                .map(|rows| (rows.clone(), Scores::main()))
                .collect(),
            around,
        }
    }
}

impl<'a, T: BatchTask> Trial<'a, T> {
    fn new(
        contender: &Contender,
        settings: ForestSettings,
        samples: &'a Samples<T::Target>,
        watch: &'a Watch<'a>,
    ) -> Result<Self> {
        let contender = match &samples.weights {
            Some(weights) => contender.with_weights(weights),
            None => contender.clone(),
        };
        let features = samples.features.ncols();
        Ok(Self {
            params: contender.planned(T::KIND, features, settings.trees).0,
            learner: contender.build(features, settings)?,
            samples,
            watch,
            growth: Growth::default(),
            learn: Duration::ZERO,
            predict: Duration::ZERO,
            stream: None,
        })
    }

    /// Takes all steps. Along a stream they come window by window, and the curve has a point for each.
    fn follow(&mut self, course: Course<'_>, scores: &mut Scores<T>) -> Result<()> {
        let rows = self.samples.observed.len();
        self.stream = course.changes.map(|changes| Stream::new(changes, rows));
        for (rows, steps) in course.steps {
            if self.stream.is_some() {
                self.check_bytes(rows.len())?;
            }
            let before = self.learn + self.predict;
            for step in steps {
                match step {
                    Step::Learn(rows) => self.learn(rows)?,
                    Step::Test(rows) => self.test(rows, scores)?,
                    Step::TestThenLearn(rows) => self.test_then_learn(rows, scores)?,
                }
            }
            let seconds = (self.learn + self.predict - before).as_secs_f64();
            if let Some(Stream { window, curve, .. }) = &mut self.stream {
                // A window without a score is a part of the next.
                if let Some(value) = window.main_value() {
                    curve.rows.push(rows.end);
                    curve.windowed.push(value);
                    curve
                        .cumulative
                        .push(scores.main_value().unwrap_or(f64::NAN));
                    curve.seconds.push(seconds);
                    *window = Scores::main();
                }
                self.watch.advance(rows.len())?;
            }
        }
        Ok(())
    }

    /// Learns rows, batch by batch; an offline learner learns them at once.
    fn learn(&mut self, rows: Range<usize>) -> Result<()> {
        if let Learner::AtOnce(learner, settings, fitted) = &mut self.learner {
            let (features, targets) = self.samples.slice(&rows);
            let mut training = Training::<T>::new(features, targets)?;
            if learner.is_transductive() {
                let unlabelled = self.samples.features.slice(s![self.samples.learned.., ..]);
                training = training.with_unlabelled(unlabelled)?;
            }
            let (fit, time) = timed(|| learner.fit(&training, *settings));
            self.learn += time;
            self.watch.advance(rows.len())?;
            *fitted = Some(fit?);
            return Ok(());
        }
        let (mut start, mut size) = (rows.start, LEARNED.0);
        while start < rows.end {
            let batch = start..rows.end.min(start + size);
            (start, size) = (batch.end, (2 * batch.len()).min(LEARNED.1));
            if self.stream.is_none() {
                self.check_bytes(batch.len())?;
            }
            let (features, targets) = self.samples.slice(&batch);
            let learner = self.learner.online_mut()?;
            let (learned, time) = timed(|| learner.learn(features, targets));
            learned?;
            self.learn += time;
            match &mut self.stream {
                Some(stream) => stream.has_learned = true,
                None => self.watch.advance(batch.len())?,
            }
        }
        if self.stream.is_none() {
            self.check_bytes(0)
        } else {
            Ok(())
        }
    }

    /// Predicts rows, batch by batch.
    fn test(&mut self, rows: Range<usize>, scores: &mut Scores<T>) -> Result<()> {
        let (mut start, mut size) = (rows.start, PREDICTED.0);
        while start < rows.end {
            let batch = start..rows.end.min(start + size);
            start = batch.end;
            let (features, _) = self.samples.slice(&batch);
            let (predictions, time) = timed(|| self.learner.predict(features));
            let predictions = predictions?;
            self.predict += time;
            if time < QUICK {
                size = (2 * size).min(PREDICTED.1);
            }
            let known = self.learner.online().filter(|_| self.stream.is_none());
            let known = known.filter(|learner| learner.can(Ability::Intervals));
            let bounds = known.map(|known| known.central_intervals(features, INTERVAL_LEVEL));
            let bounds = bounds.transpose()?;
            for (index, prediction) in predictions.rows().into_iter().enumerate() {
                let interval = bounds
                    .as_ref()
                    .map(|all| [all[[index, 0]], all[[index, 1]]]);
                self.score(batch.start + index, &prediction.to_vec(), interval, scores);
            }
            if self.stream.is_none() {
                self.watch.advance(batch.len())?;
            }
        }
        Ok(())
    }

    fn test_then_learn(&mut self, rows: Range<usize>, scores: &mut Scores<T>) -> Result<()> {
        let (features, targets) = self.samples.slice(&rows);
        let learner = self.learner.online_mut()?;
        let (predictions, time) = timed(|| learner.predict_then_learn(features, targets));
        self.learn += time;
        for (row, prediction) in rows.zip(predictions?.iter()) {
            self.score(row, prediction, None, scores);
            if let Some(stream) = &mut self.stream {
                stream.has_learned = true;
            }
        }
        Ok(())
    }

    fn score(
        &mut self,
        row: usize,
        prediction: &[f64],
        interval: Option<[f64; 2]>,
        scores: &mut Scores<T>,
    ) {
        let (truth, observed) = (self.samples.truth(row), self.samples.observed[row]);
        let tested = Tested {
            prediction,
            truth,
            observed,
            interval,
        };
        if let Some(stream) = &mut self.stream {
            if !stream.has_learned {
                return;
            }
            stream.window.add(&tested);
            for (rows, scores) in &mut stream.parts {
                if rows.contains(&row) {
                    scores.add(&tested);
                }
            }
        }
        scores.add(&tested);
    }

    /// Stops, before rows are learned, a learner that holds too much, or would hold too much after these `next` rows if
    /// it kept growing as it did over the latest ones. Without a limit, its size is not asked for.
    fn check_bytes(&mut self, next: usize) -> Result<()> {
        let Some(limit) = self.watch.limits.bytes else {
            return Ok(());
        };
        let held = self
            .learner
            .footprint()
            .map_or(0, |footprint| footprint.bytes);
        let expected = self.growth.expect(held as u64, next as u64);
        let rows = self.growth.rows;
        self.growth.rows += next as u64;
        if expected > limit {
            let [expected, limit] = [expected, limit].map(|bytes| number::bytes(bytes as f64));
            return Err(RunError::Failed(format!(
                "stopped after {rows} rows: with {next} more, the learner would hold about {expected}, more than the memory limit ({limit})"
            )));
        }
        Ok(())
    }

    fn measured(&self, scores: &Scores<T>) -> Measured {
        let mut measured = scores.measured();
        match &self.stream {
            None => {
                measured.standard_errors = scores.standard_errors();
                measured.learn_seconds = self.learn.as_secs_f64();
                measured.predict_seconds = Some(self.predict.as_secs_f64());
            }
            Some(stream) => {
                let value = |rows: &Range<usize>| {
                    let mut parts = stream.parts.iter();
                    parts.find(|(known, _)| known == rows)?.1.main_value()
                };
                measured.learn_seconds = (self.learn + self.predict).as_secs_f64();
                measured.curve = Some(stream.curve.clone());
                measured.around_changes = stream.around.iter().map(|at| at.map(value)).collect();
            }
        }
        measured.set_footprint(self.learner.footprint());
        measured
    }
}

/// A completed run.
pub(crate) struct Run {
    pub params: Params,
    pub trees: usize,
    pub measured: Measured,
}

/// Measures a run, which may have several learners.
pub(crate) fn run<T: BatchTask>(
    contender: &Contender,
    settings: ForestSettings,
    rows: &Rows<'_, T::Target>,
    watch: &Watch<'_>,
) -> Result<Run> {
    let mut pooled = Scores::all();
    let (mut all, mut params, mut trees) = (Vec::new(), Params::new(), 0);
    let mut one = |samples: &Samples<T::Target>, course: Course<'_>| -> Result<Measured> {
        let blank;
        let samples = if contender.is_baseline() {
            // It ignores features, which may be missing.
            let features = Array2::zeros(samples.features.dim());
            blank = Samples {
                features,
                ..samples.clone()
            };
            &blank
        } else {
            samples
        };
        let mut trial = Trial::<T>::new(contender, settings, samples, watch)?;
        // Folds are scored together, learners along a stream on their own.
        if course.changes.is_some() {
            pooled = Scores::all();
        }
        trial.follow(course, &mut pooled)?;
        trees = trial.learner.trees();
        let measured = trial.measured(&pooled);
        params = trial.params;
        Ok(measured)
    };
    for learner in 0..rows.learners() {
        all.push(rows.with_course(learner, &mut one)?);
    }
    let mean = Measured::over_folds(&all);
    let predict: Option<f64> = all.iter().map(|one| one.predict_seconds).sum();
    let last = all.pop().expect("there is at least one learner");
    let measured = match (all.is_empty(), predict) {
        (true, _) => last,
        (false, None) => mean,
        (false, Some(_)) => Measured {
            learn_seconds: mean.learn_seconds,
            predict_seconds: predict,
            nodes: mean.nodes,
            stored_samples: mean.stored_samples,
            model_bytes: mean.model_bytes,
            ..last
        },
    };
    if !measured.value.is_finite() {
        let value = measured.value;
        let reason = format!("the metric is {value}: a prediction is not a finite number");
        return Err(RunError::Failed(reason));
    }
    Ok(Run {
        params,
        trees,
        measured,
    })
}

/// Learns the rows that are to be learned, then is tested on each of these ranges of rows. Returns what each test measured, and the number of
/// trees.
///
/// # Errors
/// Rows or parameters that the learner rejects.
pub fn measure<T: BatchTask>(
    contender: &Contender,
    settings: ForestSettings,
    samples: &Samples<T::Target>,
    tests: &[Range<usize>],
) -> Result<(Vec<Measured>, usize)> {
    let watch = Watch {
        observer: &(),
        limits: Limits::default(),
        start: Instant::now(),
    };
    let mut trial = Trial::<T>::new(contender, settings, samples, &watch)?;
    trial.learn(0..samples.learned)?;
    let mut measured = Vec::new();
    for rows in tests {
        let mut scores = Scores::all();
        trial.predict = Duration::ZERO;
        trial.test(rows.clone(), &mut scores)?;
        measured.push(trial.measured(&scores));
    }
    Ok((measured, trial.learner.trees()))
}

/// Every metric of task `T`, added up over the same rows.
pub struct Scores<T: BatchTask> {
    metrics: Vec<Sum<T>>,
}

/// A metric and what adds it up.
type Sum<T> = (
    Metric,
    Box<dyn Accumulator<<T as forest_core::Task>::Target>>,
);

impl<T: BatchTask> Scores<T> {
    /// Returns every metric, of no rows yet.
    pub fn all() -> Self {
        let of_task = Metric::of_task(T::KIND);
        let metrics = of_task.filter_map(|one| Some((one, T::accumulator(&one.accumulate)?)));
        Self {
            metrics: metrics.collect(),
        }
    }

    /// Returns the main metric alone, of no rows yet.
    fn main() -> Self {
        let mut all = Self::all();
        all.metrics.truncate(1);
        all
    }

    /// Adds a row.
    pub fn add(&mut self, row: &Tested<'_, T::Target>) {
        self.metrics.iter_mut().for_each(|(_, sum)| sum.add(row));
    }

    /// Returns the main metric; `None` before the first row.
    fn main_value(&self) -> Option<f64> {
        self.metrics[0].1.value()
    }

    fn standard_errors(&self) -> BTreeMap<String, f64> {
        self.by_name(|metric| metric.standard_error())
    }

    /// Returns the values of a run.
    pub fn measured(&self) -> Measured {
        Measured {
            value: self.main_value().unwrap_or(f64::NAN),
            metrics: self.by_name(|metric| metric.value()),
            ..Measured::default()
        }
    }

    fn by_name(
        &self,
        value: impl Fn(&dyn Accumulator<T::Target>) -> Option<f64>,
    ) -> BTreeMap<String, f64> {
        let named = self.metrics.iter().filter_map(|(metric, sum)| {
            let value = value(&**sum).filter(|value| value.is_finite())?;
            Some((metric.name.to_owned(), value))
        });
        named.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_learner_measures_is_its_time() {
        let ((), time) = timed(|| [2, 3].map(Duration::from_secs).into_iter().for_each(charge));
        assert_eq!(time, Duration::from_secs(5));
        assert!(timed(|| ()).1 < Duration::from_secs(1));
    }

    #[test]
    fn growth_is_extrapolated_from_the_latest_rows() {
        let mut growth = Growth::default();
        assert_eq!(growth.expect(100, 10), 100, "nothing is known yet");
        growth.rows = 10;
        assert_eq!(growth.expect(300, 20), 300 + 400);
        growth.rows = 30;
        assert_eq!(growth.expect(400, 40), 400 + 200);
    }
}

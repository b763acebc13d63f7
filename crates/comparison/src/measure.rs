//! Measures runs: a new learner takes the steps of its schedule. Only time inside the learner counts.

use std::ops::Range;

use forest_core::{Footprint, ForestSettings, OnlineLearner};
use ndarray::{Array2, ArrayView2, s};
use online_forests::Ability;

use crate::contender::Learner;
use crate::metric::{INTERVAL_LEVEL, Scores, Tested};
use crate::record::{AroundChange, Curve, Measured, Params};
use crate::schedule::{Schedule, Step, windows_around};
use crate::watch::{Watch, timed};
use crate::{ComparedTask, Contender, Request, RunError, Samples, Time, Training, number};

type Result<V> = std::result::Result<V, RunError>;

/// Batches begin with 8 rows, so that a learner that grows is seen to do so, and double up to 1,000. A batch means its
/// rows one after another, so its size does not change predictions.
const FIRST_BATCH: usize = 8;
const LARGEST_BATCH: usize = 1000;
/// Rows of a batch of predictions.
const PREDICTED: usize = 4000;

/// Measures a run, which may have several learners. Returns their parameters, the number of trees, and measurements.
pub(crate) fn run<T: ComparedTask>(
    contender: &Contender,
    settings: ForestSettings,
    schedule: &Schedule<'_, T::Target>,
    watch: &Watch<'_>,
) -> Result<(Params, usize, Measured)> {
    let changes = schedule.changes();
    let mut pooled = Scores::new(T::KIND);
    let mut params = Params::new();
    let mut trees = 0;
    let mut all = Vec::new();
    for learner in 0..schedule.learners() {
        let mut samples = schedule.samples(learner)?;
        if contender.is_baseline() {
            // It ignores features, which may be missing.
            samples.to_mut().features.fill(0.0);
        }
        let mut trial = Trial::<T>::new(contender, settings, &samples, changes, watch)?;
        // Folds are scored together, learners along a stream on their own.
        if changes.is_none() {
            trial.scores = pooled;
        }
        trial.follow(schedule, learner)?;
        all.push(trial.measured());
        trees = trial.learner.trees();
        params = trial.params;
        pooled = trial.scores;
    }
    let measured = match &all[..] {
        [one] => one.clone(),
        [.., pooled] if changes.is_none() => Measured {
            value: pooled.value,
            metrics: pooled.metrics.clone(),
            standard_errors: pooled.standard_errors.clone(),
            predict_seconds: all.iter().map(|one| one.predict_seconds).sum(),
            predict_processor_seconds: all.iter().map(|one| one.predict_processor_seconds).sum(),
            ..Measured::over_folds(&all)
        },
        _ => Measured::over_folds(&all),
    };
    let value = measured.value;
    if !value.is_finite() {
        let reason = format!("the metric is {value}: a prediction is not a finite number");
        return Err(RunError::Failed(reason));
    }
    Ok((params, trees, measured))
}

/// Learns the rows to be learned, then tests each range of rows. Returns the measurements, and the number of trees.
///
/// # Errors
/// Returns an error for rows or parameters that the learner rejects.
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
        trial.predict = Time::default();
        trial.scores = Scores::new(T::KIND);
        trial.test(rows.clone())?;
        measured.push(trial.measured());
    }
    Ok((measured, trial.learner.trees()))
}

/// Rows of a stream around a change, with their scores.
struct Around {
    rows: Range<usize>,
    scores: Scores,
}

/// A learner in a run. It takes steps, whose time is measured and whose predictions are scored.
struct Trial<'a, T: ComparedTask> {
    learner: Learner<T>,
    settings: ForestSettings,
    params: Params,
    samples: &'a Samples<T::Target>,
    watch: &'a Watch<'a>,
    /// Rows learned so far.
    rows: u64,
    /// An earlier number of rows, and the bytes held then.
    earlier_rows: u64,
    earlier_bytes: u64,
    learn: Time,
    predict: Time,
    /// The changes of a stream; `None` where rows are held out.
    changes: Option<&'a [usize]>,
    /// Whether predictions are scored: along a stream, from the first learned row on.
    is_scored: bool,
    scores: Scores,
    /// The scores of the current window of a stream.
    window: Scores,
    curve: Curve,
    /// The rows before, after and later than each change.
    around: Vec<[Option<Around>; 3]>,
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
        let mut around = Vec::new();
        for windows in windows_around(changes.unwrap_or_default(), samples.observed.len()) {
            around.push(windows.map(|rows| {
                Some(Around {
                    rows: rows?,
                    scores: Scores::new(T::KIND),
                })
            }));
        }
        Ok(Self {
            learner,
            settings,
            params: planned.params,
            samples,
            watch,
            rows: 0,
            earlier_rows: 0,
            earlier_bytes: 0,
            learn: Time::default(),
            predict: Time::default(),
            changes,
            is_scored: changes.is_none(),
            scores: Scores::new(T::KIND),
            window: Scores::new(T::KIND),
            curve: Curve::default(),
            around,
        })
    }

    fn is_stream(&self) -> bool {
        self.changes.is_some()
    }

    /// Takes all steps of a learner. Along a stream they come window by window, and the curve has a point for each.
    fn follow(&mut self, schedule: &Schedule<'_, T::Target>, learner: usize) -> Result<()> {
        for window in schedule.windows(self.samples) {
            if self.is_stream() {
                self.check_bytes(window.len())?;
            }
            let before = self.learn.wall + self.predict.wall;
            for step in schedule.steps(learner, self.samples, &window) {
                match step {
                    Step::Learn(rows) => self.learn(rows)?,
                    Step::Test(rows) => self.test(rows)?,
                    Step::TestThenLearn(rows) => self.test_then_learn(rows)?,
                }
            }
            if self.is_stream() {
                let time = self.learn.wall + self.predict.wall - before;
                self.add_point(window.end, time.as_secs_f64());
                self.watch.advance(window.len())?;
            }
        }
        Ok(())
    }

    /// Adds the window that ends here to the curve; one without a score is a part of the next.
    fn add_point(&mut self, end: usize, seconds: f64) {
        if let (Some(windowed), Some(all)) = (self.window.main_value(), self.scores.main_value()) {
            self.curve.rows.push(end);
            self.curve.windowed.push(windowed);
            self.curve.cumulative.push(all);
            self.curve.seconds.push(seconds);
            self.window = Scores::new(T::KIND);
        }
    }

    /// Learns rows, batch by batch; an offline learner learns them at once.
    fn learn(&mut self, rows: Range<usize>) -> Result<()> {
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
        let mut start = rows.start;
        let mut size = FIRST_BATCH;
        while start < rows.end {
            let batch = start..rows.end.min(start + size);
            start = batch.end;
            size = (2 * size).min(LARGEST_BATCH);
            if !self.is_stream() {
                self.check_bytes(batch.len())?;
            }
            let (features, targets) = self.samples.slice(&batch);
            let learner = self.learner.online()?;
            let (learned, time) = timed(|| learner.learn(features, targets));
            learned?;
            self.learn += time;
            self.is_scored = true;
            if !self.is_stream() {
                self.watch.advance(batch.len())?;
            }
        }
        if self.is_stream() {
            return Ok(());
        }
        self.check_bytes(0)
    }

    fn test(&mut self, rows: Range<usize>) -> Result<()> {
        for start in rows.clone().step_by(PREDICTED) {
            let batch = start..rows.end.min(start + PREDICTED);
            let (features, _) = self.samples.slice(&batch);
            let (predictions, time) = timed(|| self.learner.predict(features));
            let predictions = predictions?;
            self.predict += time;
            let mut bounds = None;
            if let Learner::Online(learner) = &self.learner
                && !self.is_stream()
                && learner.can(Ability::Intervals)
            {
                bounds = Some(learner.central_intervals(features, INTERVAL_LEVEL)?);
            }
            for (index, prediction) in predictions.rows().into_iter().enumerate() {
                let interval = bounds.as_ref().map(|it| [it[[index, 0]], it[[index, 1]]]);
                self.score(batch.start + index, &prediction.to_vec(), interval);
            }
            if !self.is_stream() {
                self.watch.advance(batch.len())?;
            }
        }
        Ok(())
    }

    fn test_then_learn(&mut self, rows: Range<usize>) -> Result<()> {
        let (features, targets) = self.samples.slice(&rows);
        let learner = self.learner.online()?;
        let (predictions, time) = timed(|| learner.predict_then_learn(features, targets));
        self.learn += time;
        for (row, prediction) in rows.zip(predictions?.iter()) {
            self.score(row, prediction, None);
            self.is_scored = true;
        }
        Ok(())
    }

    fn score(&mut self, row: usize, prediction: &[f64], interval: Option<[f64; 2]>) {
        if !self.is_scored {
            return;
        }
        let tested = Tested {
            prediction,
            truth: self.samples.truth(row).into(),
            observed: self.samples.observed[row].into(),
            interval,
        };
        self.scores.add(&tested);
        if self.is_stream() {
            self.window.add(&tested);
        }
        for around in self.around.iter_mut().flatten().flatten() {
            if around.rows.contains(&row) {
                around.scores.add(&tested);
            }
        }
    }

    /// Stops, before rows are learned, a learner that holds too much, or would hold too much after these `next` rows if
    /// it kept growing as it did over the latest ones. Without a limit, its size is not asked for.
    fn check_bytes(&mut self, next: usize) -> Result<()> {
        let Some(limit) = self.watch.max_bytes else {
            return Ok(());
        };
        let held = self.learner.footprint().map_or(0, |held| held.bytes as u64);
        let growth = held.saturating_sub(self.earlier_bytes) * next as u64;
        let expected = held
            + growth
                .checked_div(self.rows - self.earlier_rows)
                .unwrap_or(0);
        if expected > limit {
            let rows = self.rows;
            let [expected, limit] = [expected, limit].map(|bytes| number::bytes(bytes as f64));
            return Err(RunError::Failed(format!(
                "stopped after {rows} rows: with {next} more, the learner would hold about {expected}, more than the \
                 memory limit ({limit})"
            )));
        }
        self.earlier_rows = self.rows;
        self.earlier_bytes = held;
        self.rows += next as u64;
        Ok(())
    }

    fn measured(&self) -> Measured {
        let held = self.learner.footprint();
        let mut measured = Measured {
            value: self.scores.main_value().unwrap_or(f64::NAN),
            metrics: self.scores.metrics(),
            nodes: held.map(|held| held.nodes),
            stored_samples: held.map(|held| held.stored_samples),
            model_bytes: held.map(|held| held.bytes),
            ..Measured::default()
        };
        let mut learn = self.learn;
        if let Some(changes) = self.changes {
            learn += self.predict;
            measured.curve = Some(self.curve.clone());
            for (&row, around) in changes.iter().zip(&self.around) {
                let [before, after, later] = around
                    .each_ref()
                    .map(|part| part.as_ref()?.scores.main_value());
                measured.around_changes.push(AroundChange {
                    row,
                    before,
                    after,
                    later,
                });
            }
        } else {
            measured.standard_errors = self.scores.standard_errors();
            measured.predict_seconds = Some(self.predict.wall.as_secs_f64());
            measured.predict_processor_seconds = Some(self.predict.processor.as_secs_f64());
        }
        measured.learn_seconds = learn.wall.as_secs_f64();
        measured.learn_processor_seconds = Some(learn.processor.as_secs_f64());
        measured
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

    /// Returns what it holds, if that is known.
    fn footprint(&self) -> Option<Footprint> {
        match self {
            Self::Online(learner) => Some(learner.footprint()).filter(|held| held.bytes > 0),
            Self::Offline(_, model) => model.as_ref()?.footprint,
        }
    }

    fn trees(&self) -> usize {
        match self {
            Self::Online(learner) => learner.trees(),
            Self::Offline(_, model) => model.as_ref().map_or(0, |model| model.trees),
        }
    }
}

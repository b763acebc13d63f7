//! One run: a new learner learns and predicts its rows. Only time inside the learner is measured.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use forest_core::{Footprint, ForestSettings};

use super::batches::{batches, growing};
use super::online::{Answering, Online};
use super::rows::{Fold, Folds, Part, Rows};
use super::stream;
use super::watch::{Growth, Watch};
use crate::metric::{INTERVAL_LEVEL, Scores, Tested};
use crate::record::Measured;
use crate::{AnyAlgorithm, BatchAlgorithm, BatchTask, FitOptions, RunError, Training};

type Result<V> = std::result::Result<V, RunError>;

/// A run that came to its end.
pub(crate) struct Run {
    /// The algorithm with all of its parameters.
    pub algorithm: AnyAlgorithm,
    pub trees: usize,
    pub measured: Measured,
}

/// Builds the learner and runs the protocol that `rows` are for.
pub(crate) fn run<T: BatchTask>(
    algorithm: &AnyAlgorithm,
    settings: ForestSettings,
    rows: &Rows<'_, T::Target>,
    watch: &Watch<'_>,
) -> Result<Run> {
    let trial = Trial {
        algorithm,
        settings,
        watch,
    };
    let run = match rows {
        Rows::Holdout(fold) => trial.holdout::<T>(fold)?,
        Rows::KFold(folds) => trial.k_fold::<T>(folds)?,
        Rows::Prequential(stream) => stream::prequential::<T>(&trial, stream)?,
        Rows::Delayed(stream) => stream::delayed::<T>(&trial, stream)?,
    };
    match run.measured.value {
        value if value.is_finite() => Ok(run),
        value => Err(RunError::NotFinite(value)),
    }
}

/// What a run is made of, beside its rows.
pub(super) struct Trial<'a> {
    algorithm: &'a AnyAlgorithm,
    settings: ForestSettings,
    pub watch: &'a Watch<'a>,
}

/// A learner that has learned one part and was tested on another.
struct Fit {
    /// With all of its parameters.
    algorithm: AnyAlgorithm,
    trees: usize,
    learn: Duration,
    predict: Duration,
    footprint: Option<Footprint>,
}

impl Trial<'_> {
    /// The learner for rows like these.
    pub fn build<T: BatchTask>(&self, rows: &Part<T::Target>) -> Result<Online<T>> {
        Online::build(&self.weighted(rows), rows.features.ncols(), self.settings)
    }

    /// The algorithm, with the weights of the features if they are weighted.
    fn weighted<V>(&self, rows: &Part<V>) -> AnyAlgorithm {
        match &rows.weights {
            Some(weights) => self.algorithm.with_weights(weights),
            None => self.algorithm.clone(),
        }
    }

    fn holdout<T: BatchTask>(&self, fold: &Fold<T::Target>) -> Result<Run> {
        let mut scores = Scores::<T>::all();
        let fit = self.fit(fold, &mut scores)?;
        let (learn, predict) = (fit.learn, fit.predict);
        Ok(run_of(fit, &scores, learn, predict))
    }

    /// Scores are of the rows of all folds; time to learn and size are means over folds.
    fn k_fold<T: BatchTask>(&self, folds: &Folds<'_, T::Target>) -> Result<Run> {
        let mut scores = Scores::<T>::all();
        let (mut learn, mut predict) = (Duration::ZERO, Duration::ZERO);
        let mut fits = Vec::new();
        for fold in folds.iter() {
            let fold = fold.map_err(|error| RunError::Rows(error.to_string()))?;
            let fit = self.fit(&fold, &mut scores)?;
            learn += fit.learn;
            predict += fit.predict;
            fits.push(fit);
        }
        let footprint = mean(fits.iter().map(|fit| fit.footprint));
        let last = fits.pop().expect("there are at least two folds");
        let fit = Fit { footprint, ..last };
        Ok(run_of(fit, &scores, learn / folds.len() as u32, predict))
    }

    /// Learns one part, then tests on the other.
    fn fit<T: BatchTask>(&self, fold: &Fold<T::Target>, scores: &mut Scores<T>) -> Result<Fit> {
        match self.weighted(&fold.train) {
            AnyAlgorithm::Offline(algorithm) => self.fit_offline(&algorithm, fold, scores),
            _ => self.fit_online(fold, scores),
        }
    }

    fn fit_online<T: BatchTask>(
        &self,
        fold: &Fold<T::Target>,
        scores: &mut Scores<T>,
    ) -> Result<Fit> {
        let mut online = self.build::<T>(&fold.train)?;
        let (mut learn, mut growth) = (Duration::ZERO, Growth::default());
        for rows in growing(fold.train.len()) {
            let bytes = online.footprint().bytes;
            self.watch.check_bytes(&mut growth, bytes, rows.len())?;
            let (features, targets) = fold.train.slice(&rows);
            let start = Instant::now();
            online.learner_mut().learn(features, targets)?;
            learn += start.elapsed();
            self.watch.advance(rows.len())?;
        }
        self.watch
            .check_bytes(&mut growth, online.footprint().bytes, 0)?;
        Ok(Fit {
            predict: self.test(&online, &fold.test, scores)?,
            algorithm: online.stated(),
            trees: online.trees(),
            learn,
            footprint: Some(online.footprint()),
        })
    }

    /// Fits to all training rows at once; only the fit counts as learning.
    fn fit_offline<T: BatchTask>(
        &self,
        algorithm: &BatchAlgorithm,
        fold: &Fold<T::Target>,
        scores: &mut Scores<T>,
    ) -> Result<Fit> {
        let learner = algorithm.learner::<T>()?;
        let (train, watch) = (&fold.train, self.watch);
        let mut training = Training::<T>::new(train.features.view(), &train.observed)?;
        if learner.is_transductive() {
            training = training.with_unlabelled(fold.test.features.view())?;
        }
        let tell = |part: usize, parts: usize| {
            let rows = |part: usize| train.len() * part / parts;
            match watch.advance(rows(part) - rows(part - 1)) {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        };
        let options = FitOptions {
            progress: &tell,
            ..FitOptions::new(self.settings.trees, self.settings.seed)
        };
        let start = Instant::now();
        let fitted = learner.fit(&training, options);
        let learn = start.elapsed();
        watch.check()?;
        let fitted = fitted?;
        Ok(Fit {
            predict: self.test(&*fitted, &fold.test, scores)?,
            algorithm: AnyAlgorithm::Offline(algorithm.stated()),
            trees: fitted.trees(),
            learn,
            footprint: fitted.footprint(),
        })
    }

    /// Adds the scores of all rows, and gives the time that answers took; that of intervals does not count.
    fn test<T: BatchTask>(
        &self,
        learner: &(impl Answering + ?Sized),
        test: &Part<T::Target>,
        scores: &mut Scores<T>,
    ) -> Result<Duration> {
        let mut time = Duration::ZERO;
        for rows in batches(test.len()) {
            let (features, observed) = test.slice(&rows);
            let start = Instant::now();
            let answers = learner.predict(features)?;
            time += start.elapsed();
            let intervals = learner.intervals();
            let intervals =
                intervals.map(|known| known.central_intervals(features, INTERVAL_LEVEL));
            let intervals = intervals.transpose()?;
            for (index, answer) in answers.rows().into_iter().enumerate() {
                let bounds = intervals.as_ref().map(|bounds| bounds.row(index));
                scores.add(&Tested {
                    answer: &answer.to_vec(),
                    truth: test.truth(rows.start + index),
                    observed: observed[index],
                    interval: bounds.map(|bounds| [bounds[0], bounds[1]]),
                });
            }
            self.watch.advance(rows.len())?;
        }
        Ok(time)
    }
}

fn run_of<T: BatchTask>(fit: Fit, scores: &Scores<T>, learn: Duration, predict: Duration) -> Run {
    let mut measured = Measured {
        learn_seconds: learn.as_secs_f64(),
        predict_seconds: Some(predict.as_secs_f64()),
        standard_errors: scores.standard_errors(),
        ..Measured::of(scores)
    };
    measured.set_footprint(fit.footprint);
    Run {
        algorithm: fit.algorithm,
        trees: fit.trees,
        measured,
    }
}

/// None if one of them is none.
fn mean(footprints: impl ExactSizeIterator<Item = Option<Footprint>>) -> Option<Footprint> {
    let count = footprints.len();
    let total: Footprint = footprints.collect::<Option<Vec<_>>>()?.into_iter().sum();
    Some(Footprint {
        nodes: total.nodes / count,
        stored_samples: total.stored_samples / count,
        bytes: total.bytes / count,
    })
}

impl Measured {
    pub(super) fn of<T: BatchTask>(scores: &Scores<T>) -> Self {
        Self {
            value: scores.main_value(),
            metrics: scores.values(),
            ..Self::default()
        }
    }

    pub(super) fn set_footprint(&mut self, footprint: Option<Footprint>) {
        self.nodes = footprint.map(|footprint| footprint.nodes);
        self.stored_samples = footprint.map(|footprint| footprint.stored_samples);
        self.model_bytes = footprint.map(|footprint| footprint.bytes);
    }
}

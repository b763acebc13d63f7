//! One run: a new learner learns and predicts its rows. Only time inside the learner is measured.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use forest_core::{Footprint, ForestSettings};

use super::batches::growing;
use super::online::Online;
use super::rows::{Fold, Folds, Part, Rows};
use super::stream;
use super::trained::{Model, Trained};
use super::watch::{Growth, Watch};
use crate::metric::Scores;
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
    pub algorithm: &'a AnyAlgorithm,
    pub settings: ForestSettings,
    pub watch: &'a Watch<'a>,
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
        let trained = self.train(fold)?;
        let predict = trained.answer(&fold.test, &mut scores, self.watch)?;
        Ok(trained.run(&scores, predict))
    }

    /// Scores are of the rows of all folds; time to learn and size are means over folds.
    fn k_fold<T: BatchTask>(&self, folds: &Folds<'_, T::Target>) -> Result<Run> {
        let mut scores = Scores::<T>::all();
        let (mut learn, mut predict) = (Duration::ZERO, Duration::ZERO);
        let (mut footprints, mut last) = (Vec::new(), None);
        for fold in folds.iter() {
            let fold = fold.map_err(|error| RunError::Rows(error.to_string()))?;
            let trained = self.train::<T>(&fold)?;
            predict += trained.answer(&fold.test, &mut scores, self.watch)?;
            learn += trained.learn;
            footprints.push(trained.footprint());
            last = Some(trained);
        }
        let last = last.expect("there are at least two folds");
        let mut run = last.run(&scores, predict);
        run.measured.learn_seconds = learn.as_secs_f64() / folds.len() as f64;
        run.measured.set_footprint(mean(footprints.into_iter()));
        Ok(run)
    }

    /// Learns the training part; learners that may look at unlabelled rows look at those of the test part.
    pub fn train<T: BatchTask>(&self, fold: &Fold<T::Target>) -> Result<Trained<T>> {
        match self.weighted(&fold.train) {
            AnyAlgorithm::Offline(algorithm) => self.fit_offline(&algorithm, fold),
            _ => self.learn_online(&fold.train),
        }
    }

    fn learn_online<T: BatchTask>(&self, train: &Part<T::Target>) -> Result<Trained<T>> {
        let mut online = self.build::<T>(train)?;
        let (mut learn, mut growth) = (Duration::ZERO, Growth::default());
        for rows in growing(train.len()) {
            let bytes = online.footprint().bytes;
            self.watch.check_bytes(&mut growth, bytes, rows.len())?;
            let (features, targets) = train.slice(&rows);
            let start = Instant::now();
            online.learner_mut().learn(features, targets)?;
            learn += start.elapsed();
            self.watch.advance(rows.len())?;
        }
        let bytes = online.footprint().bytes;
        self.watch.check_bytes(&mut growth, bytes, 0)?;
        Ok(Trained {
            algorithm: online.stated(),
            trees: online.trees(),
            learn,
            model: Model::Online(online),
        })
    }

    /// Fits to all training rows at once; only the fit counts as learning.
    fn fit_offline<T: BatchTask>(
        &self,
        algorithm: &BatchAlgorithm,
        fold: &Fold<T::Target>,
    ) -> Result<Trained<T>> {
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
        Ok(Trained {
            algorithm: AnyAlgorithm::Offline(algorithm.stated()),
            trees: fitted.trees(),
            learn,
            model: Model::Fitted(fitted),
        })
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

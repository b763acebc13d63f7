//! Builds a learner and trains it.

use std::time::Duration;

use forest_core::ForestSettings;

use super::batches::growing;
use super::online::Online;
use super::rows::{Fold, Part};
use super::trained::{Model, Trained};
use super::watch::{Growth, Limits, Watch};
use crate::clock::Stopwatch;
use crate::{AnyAlgorithm, BatchLearner, BatchTask, FitOptions, OwnBuild, RunError, Training};

type Result<V> = std::result::Result<V, RunError>;

/// The settings of a run, beside its rows.
pub(super) struct Trial<'a> {
    pub algorithm: &'a AnyAlgorithm,
    pub settings: ForestSettings,
    pub watch: &'a Watch<'a>,
}

impl Trial<'_> {
    /// Builds the learner for rows like these.
    pub(super) fn build<T: BatchTask>(&self, rows: &Part<T::Target>) -> Result<Online<T>> {
        Online::build(&self.weighted(rows), rows.features.ncols(), self.settings)
    }

    /// Returns the algorithm, with the weights of the features if they are weighted.
    fn weighted<V>(&self, rows: &Part<V>) -> AnyAlgorithm {
        match &rows.weights {
            Some(weights) => self.algorithm.with_weights(weights),
            None => self.algorithm.clone(),
        }
    }

    /// Learns the training part; transductive learners also see the unlabelled rows of the test part.
    pub(super) fn train<T: BatchTask>(&self, fold: &Fold<T::Target>) -> Result<Trained<T>> {
        match self.weighted(&fold.train) {
            AnyAlgorithm::Offline(algorithm) => {
                let learner = algorithm.learner::<T>()?;
                let algorithm = AnyAlgorithm::Offline(algorithm.with_all_values());
                self.fit_offline(algorithm, &*learner, fold)
            }
            AnyAlgorithm::Own(own) => match own.of_task::<T>()? {
                OwnBuild::Online(_) => self.learn_online(&fold.train),
                OwnBuild::Offline(learner) => {
                    self.fit_offline(AnyAlgorithm::Own(own.clone()), &**learner, fold)
                }
            },
            AnyAlgorithm::Online(_) => self.learn_online(&fold.train),
        }
    }

    fn learn_online<T: BatchTask>(&self, train: &Part<T::Target>) -> Result<Trained<T>> {
        let mut online = self.build::<T>(train)?;
        let (mut learn, mut growth) = (Duration::ZERO, Growth::default());
        for rows in growing(train.len()) {
            self.watch
                .check_bytes(&mut growth, || online.bytes(), rows.len())?;
            let (features, targets) = train.slice(&rows);
            let clock = Stopwatch::start();
            online.learner_mut().learn(features, targets)?;
            learn += clock.elapsed();
            self.watch.advance(rows.len())?;
        }
        self.watch.check_bytes(&mut growth, || online.bytes(), 0)?;
        Ok(Trained {
            algorithm: online.full_algorithm(),
            trees: online.trees(),
            learn,
            model: Model::Online(online),
        })
    }

    /// Fits to all training rows at once; only the fit counts as learning.
    fn fit_offline<T: BatchTask>(
        &self,
        algorithm: AnyAlgorithm,
        learner: &dyn BatchLearner<T>,
        fold: &Fold<T::Target>,
    ) -> Result<Trained<T>> {
        let (train, watch) = (&fold.train, self.watch);
        let mut training = Training::<T>::new(train.features.view(), &train.observed)?;
        if learner.is_transductive() {
            training = training.with_unlabelled(fold.test.features.view())?;
        }
        let options = FitOptions::new(self.settings.trees, self.settings.seed);
        let clock = Stopwatch::start();
        let fitted = learner.fit(&training, options);
        let learn = clock.elapsed();
        watch.advance(train.len())?;
        let fitted = fitted?;
        Ok(Trained {
            algorithm,
            trees: fitted.trees(),
            learn,
            model: Model::Fitted(fitted),
        })
    }
}

impl<T: BatchTask> Trained<T> {
    /// Builds a learner and trains it on the training part; with `weights`, on those of the training part.
    ///
    /// # Errors
    /// Returns an error for rows that the learner rejects.
    pub fn new(
        algorithm: &AnyAlgorithm,
        settings: ForestSettings,
        fold: &Fold<T::Target>,
    ) -> Result<Self> {
        let watch = &Watch::start(&(), Limits::default());
        let trial = Trial {
            algorithm,
            settings,
            watch,
        };
        trial.train(fold)
    }
}

//! Measures one run: a new learner learns and predicts its rows. Only time inside the learner counts.

use std::time::Duration;

use forest_core::{Footprint, ForestSettings};

use super::folds;
use super::rows::{Fold, Folds, Rows};
use super::stream;
use super::trained::Run;
use super::trial::Trial;
use super::watch::Watch;
use crate::scores::Scores;
use crate::{AnyAlgorithm, BatchTask, RunError};

type Result<V> = std::result::Result<V, RunError>;

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
        Rows::PrequentialKFold(folded) => folds::prequential_k_fold::<T>(&trial, folded)?,
        Rows::Delayed(stream) => stream::delayed::<T>(&trial, stream)?,
    };
    match run.measured.value {
        value if value.is_finite() => Ok(run),
        value => Err(RunError::Failed(format!(
            "the metric is {value}: a prediction is not a finite number"
        ))),
    }
}

impl Trial<'_> {
    fn holdout<T: BatchTask>(&self, fold: &Fold<T::Target>) -> Result<Run> {
        let mut scores = Scores::<T>::all();
        let trained = self.train(fold)?;
        let predict = trained.score(&fold.test, &mut scores, self.watch)?;
        Ok(trained.run(&scores, predict))
    }

    /// Measures every fold. Scores are of the rows of all folds; time to learn and size are means over folds.
    fn k_fold<T: BatchTask>(&self, folds: &Folds<'_, T::Target>) -> Result<Run> {
        let mut scores = Scores::<T>::all();
        let (mut learn, mut predict) = (Duration::ZERO, Duration::ZERO);
        let (mut footprints, mut last) = (Vec::new(), None);
        for fold in folds.iter() {
            let fold = fold.map_err(|error| RunError::Failed(error.to_string()))?;
            let trained = self.train::<T>(&fold)?;
            predict += trained.score(&fold.test, &mut scores, self.watch)?;
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
}

/// Returns the mean; `None` if any is missing.
fn mean(footprints: impl ExactSizeIterator<Item = Option<Footprint>>) -> Option<Footprint> {
    let count = footprints.len();
    let total: Footprint = footprints.collect::<Option<Vec<_>>>()?.into_iter().sum();
    Some(Footprint {
        nodes: total.nodes / count,
        stored_samples: total.stored_samples / count,
        bytes: total.bytes / count,
    })
}

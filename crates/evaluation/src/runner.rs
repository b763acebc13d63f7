//! Every comparison, seed by seed, algorithm by algorithm.

use std::collections::BTreeMap;
use std::ops::Range;

use datasets::Target;
use forest_core::{Classification, ForestSettings, Regression};
use serde_json::Value;

use crate::metric::{ACCURACY, RMSE, Scoring};
use crate::protocol::measure::{self, Run};
use crate::protocol::rows::Rows;
use crate::record::{Host, Outcome, Record};
use crate::{AnyAlgorithm, BatchTask, Comparison, Observer, RunError};

/// What all runs share.
pub struct Runner<'a> {
    /// Where it runs.
    pub host: Host,
    /// Trees of every forest.
    pub trees: usize,
    /// One repetition each.
    pub seeds: Range<u64>,
    /// Who is told.
    pub observer: &'a dyn Observer,
}

/// Whether all runs were done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completion {
    /// All that were asked for.
    Complete,
    /// [`Observer::is_stopped`] ended them.
    Interrupted,
}

/// Stopped, or a record could not be kept.
enum Stop<E> {
    Interrupted,
    NotKept(E),
}

impl Runner<'_> {
    /// Runs every comparison with every seed. A record is given to `keep` as soon as its run ends; a run that fails is
    /// a record.
    ///
    /// All algorithms with one seed come before the next seed, so that an early end leaves a fair comparison.
    ///
    /// # Errors
    /// That of `keep`.
    pub fn run<E>(
        &self,
        comparisons: &[Comparison<'_>],
        mut keep: impl FnMut(Record) -> Result<(), E>,
    ) -> Result<Completion, E> {
        let mut comparisons = comparisons.iter();
        let ended = comparisons.try_for_each(|comparison| self.compare(comparison, &mut keep));
        match ended {
            Ok(()) => Ok(Completion::Complete),
            Err(Stop::Interrupted) => Ok(Completion::Interrupted),
            Err(Stop::NotKept(error)) => Err(error),
        }
    }

    fn compare<E>(
        &self,
        comparison: &Comparison<'_>,
        keep: &mut dyn FnMut(Record) -> Result<(), E>,
    ) -> Result<(), Stop<E>> {
        match &comparison.dataset.target {
            Target::Classes { labels, .. } => {
                self.run_seeds::<Classification, E>(comparison, (labels, labels), &ACCURACY, keep)
            }
            Target::Values { values, noise_free } => {
                let truth = noise_free.as_ref().unwrap_or(values);
                self.run_seeds::<Regression, E>(comparison, (values, truth), &RMSE, keep)
            }
        }
    }

    fn run_seeds<T: BatchTask, E>(
        &self,
        comparison: &Comparison<'_>,
        (observed, truth): (&[T::Target], &[T::Target]),
        scoring: &Scoring<T::Target>,
        keep: &mut dyn FnMut(Record) -> Result<(), E>,
    ) -> Result<(), Stop<E>> {
        for seed in self.seeds.clone() {
            let rows = Rows::new(comparison, observed, truth, seed);
            let rows = rows.as_ref().map_err(ToString::to_string);
            for algorithm in &comparison.algorithms {
                let name = format!("{} · {algorithm}", comparison.setting.dataset);
                self.observer.start_run(&name);
                let run = rows.clone().map_err(RunError::Rows).and_then(|rows| {
                    let settings = self.settings(seed);
                    measure::run::<T>(algorithm, settings, rows, scoring, self.observer)
                });
                let record = self.record(comparison, algorithm, seed, run);
                let record = record.ok_or(Stop::Interrupted)?;
                self.observer.finish_run(comparison.rows_per_run(), &record);
                keep(record).map_err(Stop::NotKept)?;
            }
        }
        Ok(())
    }

    fn settings(&self, seed: u64) -> ForestSettings {
        ForestSettings {
            trees: self.trees,
            seed,
            ..ForestSettings::default()
        }
    }

    /// The record of a run, unless it was interrupted.
    fn record(
        &self,
        comparison: &Comparison<'_>,
        algorithm: &AnyAlgorithm,
        seed: u64,
        run: Result<Run, RunError>,
    ) -> Option<Record> {
        let (params, trees, outcome) = match run {
            Ok(run) => {
                let outcome = Outcome::Measured(run.measured);
                (parameters(&run.algorithm), run.trees, outcome)
            }
            Err(RunError::Interrupted) => return None,
            Err(error) => {
                let error = error.to_string();
                (parameters(algorithm), self.trees, Outcome::Failed { error })
            }
        };
        Some(Record {
            setting: comparison.setting.clone(),
            label: algorithm.to_string(),
            algorithm: algorithm.name().to_owned(),
            params,
            baseline: algorithm.is_baseline(),
            offline: algorithm.is_offline(),
            trees,
            seed,
            host: self.host.clone(),
            outcome,
        })
    }
}

/// The parameters as data: numbers where JSON has them, else text (`inf`).
fn parameters(algorithm: &AnyAlgorithm) -> BTreeMap<String, Value> {
    let value = |text: &str| serde_json::from_str(text).unwrap_or_else(|_| Value::from(text));
    let given = algorithm.given();
    given
        .map(|(key, text)| (key.to_owned(), value(text)))
        .collect()
}

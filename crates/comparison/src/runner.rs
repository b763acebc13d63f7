//! Runs every comparison, seed by seed, algorithm by algorithm.

use std::any::Any;
use std::convert::Infallible;
use std::ops::Range;
use std::panic::{self, AssertUnwindSafe};
use std::time::Instant;

use datasets::Target;
use forest_core::{Classification, ForestSettings, Regression};

use crate::measure::{self, Limits, Run, Watch};
use crate::protocol::{PreprocessingError, Rows, Table};
use crate::record::{Host, Outcome, Record};
use crate::{BatchTask, Comparison, Contender, GridPart, RunError, host};

/// Follows the progress of runs and may stop them. Learners may call it from several threads.
///
/// `()` is an observer that does nothing.
pub trait Observer: Sync {
    /// Reports the runs that are missing, by their numbers of rows.
    fn plan(&self, runs: &[usize]) {
        let _ = runs;
    }

    /// Reports that a run of an algorithm on a data set begins.
    fn start_run(&self, name: &str) {
        let _ = name;
    }

    /// Reports how many more rows of the run have been learned or predicted.
    fn advance(&self, rows: usize) {
        let _ = rows;
    }

    /// Reports that a run of `rows` rows has ended, perhaps before all of them were visited.
    fn finish_run(&self, rows: usize, record: &Record) {
        let _ = (rows, record);
    }

    /// Returns whether to end after the current batch. Unfinished runs have no record.
    fn is_stopped(&self) -> bool {
        false
    }
}

impl Observer for () {}

/// Runs comparisons.
pub struct Runner<'a> {
    /// The host, for the records.
    pub host: Host,
    /// Threads that learners use, for the records.
    pub threads: usize,
    /// Trees of every forest.
    pub trees: usize,
    /// Seeds of the runs.
    pub seeds: Range<u64>,
    /// The part of all runs that it does.
    pub part: GridPart,
    /// Follows the runs.
    pub observer: &'a dyn Observer,
    /// Limits of each run.
    pub limits: Limits,
    /// Records of runs that it does not repeat.
    pub finished: &'a [Record],
}

/// How runs ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completion {
    /// All were run.
    Complete,
    /// The observer stopped them.
    Interrupted,
}

type Planned<'c, 'd> = (&'c Comparison<'d>, &'c Contender, u64);

impl Runner<'static> {
    /// Returns a runner for this many trees and seeds, on all threads of this host and without limits.
    pub fn new(trees: usize, seeds: u64) -> Self {
        Self {
            host: Host::current(),
            threads: host::threads(None),
            trees,
            seeds: 0..seeds,
            part: GridPart::WHOLE,
            observer: &(),
            limits: Limits::default(),
            finished: &[],
        }
    }
}

impl Runner<'_> {
    /// Returns the runs of its part that are not finished: comparison by comparison, seed by seed.
    fn missing<'c, 'd>(&self, comparisons: &'c [Comparison<'d>]) -> Vec<Planned<'c, 'd>> {
        let (mut runs, mut number) = (Vec::new(), 0);
        for comparison in comparisons {
            let block = comparison.contenders.len();
            for seed in self.seeds.clone() {
                for (at, contender) in comparison.contenders.iter().enumerate() {
                    if self.part.has(number + at, block)
                        && !comparison.is_recorded(self.finished, contender, self.trees, seed)
                    {
                        runs.push((comparison, contender, seed));
                    }
                }
                number += block;
            }
        }
        runs
    }

    /// Runs all and returns their records.
    pub fn records(&self, comparisons: &[Comparison<'_>]) -> Vec<Record> {
        let mut records = Vec::new();
        let keep = |record| -> Result<(), Infallible> {
            records.push(record);
            Ok(())
        };
        let Ok(_) = self.run(comparisons, keep);
        records
    }

    /// Runs all, and passes on each record as its run ends.
    ///
    /// # Errors
    /// Returns the first error of `keep`, after which nothing is run.
    pub fn run<E>(
        &self,
        comparisons: &[Comparison<'_>],
        mut keep: impl FnMut(Record) -> Result<(), E>,
    ) -> Result<Completion, E> {
        let runs = self.missing(comparisons);
        let sizes: Vec<usize> = runs.iter().map(|run| run.0.rows_per_run()).collect();
        self.observer.plan(&sizes);
        let same_rows = |one: &Planned<'_, '_>, next: &Planned<'_, '_>| {
            std::ptr::eq(one.0, next.0) && one.2 == next.2
        };
        for runs in runs.chunk_by(same_rows) {
            let dataset = runs[0].0.dataset;
            let (features, target) = (&dataset.features, &dataset.target);
            let completion = match target {
                Target::Classes { labels, .. } => {
                    let table = Table {
                        features,
                        target,
                        observed: labels,
                        truth: None,
                    };
                    self.run_alike::<Classification, E>(runs, table, &mut keep)?
                }
                Target::Values { values, noise_free } => {
                    let table = Table {
                        features,
                        target,
                        observed: values,
                        truth: noise_free.as_deref(),
                    };
                    self.run_alike::<Regression, E>(runs, table, &mut keep)?
                }
            };
            if completion == Completion::Interrupted {
                return Ok(completion);
            }
        }
        Ok(Completion::Complete)
    }

    /// Runs those that have the same rows in the same order.
    fn run_alike<T: BatchTask, E>(
        &self,
        runs: &[Planned<'_, '_>],
        table: Table<'_, T::Target>,
        keep: &mut dyn FnMut(Record) -> Result<(), E>,
    ) -> Result<Completion, E> {
        let (comparison, _, seed) = runs[0];
        let rows = Rows::new(comparison, table, seed);
        for (_, contender, _) in runs {
            let name = format!("{} · {contender}", comparison.setting.dataset);
            self.observer.start_run(&name);
            let run = self.measure::<T>(contender, rows.as_ref(), seed);
            if let Err(RunError::Interrupted) = run {
                return Ok(Completion::Interrupted);
            }
            let record = self.record(comparison, contender, seed, run);
            self.observer.finish_run(comparison.rows_per_run(), &record);
            keep(record)?;
        }
        Ok(Completion::Complete)
    }

    fn measure<T: BatchTask>(
        &self,
        contender: &Contender,
        rows: Result<&Rows<'_, T::Target>, &PreprocessingError>,
        seed: u64,
    ) -> Result<Run, RunError> {
        let rows = rows.map_err(Clone::clone)?;
        let settings = ForestSettings::default()
            .with_trees(self.trees)
            .with_seed(seed);
        let (observer, limits) = (self.observer, self.limits);
        let watch = Watch {
            observer,
            limits,
            start: Instant::now(),
        };
        let run = || measure::run::<T>(contender, settings, rows, &watch);
        // Unwind safe: nothing that the run changes is used after it, as it owns the learner and the scores.
        match panic::catch_unwind(AssertUnwindSafe(run)) {
            // A learner that fails because it was interrupted, or took too long, reports its own reason.
            Ok(ended) => ended.map_err(|error| watch.check().err().unwrap_or(error)),
            Err(panic) => Err(RunError::Failed(format!("panicked: {}", message(&*panic)))),
        }
    }

    fn record(
        &self,
        comparison: &Comparison<'_>,
        contender: &Contender,
        seed: u64,
        run: Result<Run, RunError>,
    ) -> Record {
        let (key, has_trees) = comparison.key(contender, self.trees);
        let asked_trees = if has_trees { self.trees } else { 0 };
        let (params, trees, outcome) = match run {
            Ok(run) => (
                run.params,
                run.trees,
                Outcome::Measured(Box::new(run.measured)),
            ),
            Err(error) => (
                contender.params(),
                asked_trees,
                Outcome::Failed {
                    error: error.to_string(),
                },
            ),
        };
        Record {
            key,
            setting: comparison.setting.clone(),
            label: contender.to_string(),
            algorithm: contender.name().to_owned(),
            params,
            baseline: contender.is_baseline(),
            offline: contender.is_offline(),
            trees,
            asked_trees,
            seed,
            part: (self.part != GridPart::WHOLE).then_some(self.part),
            date: host::now(),
            threads: self.threads,
            host: self.host.clone(),
            outcome,
        }
    }
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("without a message")
}

#[cfg(test)]
mod tests {
    use datasets::{OpenOptions, open};

    use super::*;
    use crate::protocol::Design;
    use crate::record::Protocol;
    use crate::{RunLog, read_records};

    #[test]
    fn what_was_recorded_is_read_back_to_the_last_bit_and_not_run_again() {
        let data = ["gaussian-mixture:n=60,test=20", "friedman:n=60,test=20"];
        let data = data.map(|address| open(address, &OpenOptions::default()).unwrap());
        let contenders = ["no-change", "batch-urtf", "wurtf:weights=1/2"];
        let contenders = contenders.map(|name| name.parse().unwrap());
        let mut comparisons = Vec::new();
        for data in &data {
            for protocol in [Protocol::Holdout, Protocol::Prequential] {
                comparisons.push(
                    Comparison::new(data, protocol, &contenders, &Design::default()).unwrap(),
                );
            }
        }
        let records = Runner::new(2, 2).records(&comparisons);
        let (failed, finished): (Vec<_>, Vec<_>) = records.iter().partition(|run| run.failed());
        assert!(!failed.is_empty() && finished.len() > 4);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("runs.jsonl");
        let mut log = RunLog::open(&path).unwrap();
        records.iter().for_each(|run| log.append(run).unwrap());
        let read = read_records::<Record>(&path).unwrap();
        assert_eq!(read, records);
        let again = Runner {
            finished: &read,
            ..Runner::new(2, 2)
        };
        assert_eq!(again.records(&comparisons), []);
    }
}

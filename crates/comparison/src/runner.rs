//! Runs every comparison, seed by seed, algorithm by algorithm.

use std::any::Any;
use std::convert::Infallible;
use std::ops::Range;
use std::panic::{self, AssertUnwindSafe};

use datasets::Target;
use forest_core::{Classification, ForestSettings, Regression};

use crate::protocol::Limits;
use crate::protocol::measure;
use crate::protocol::rows::{Rows, Source};
use crate::protocol::trained::Run;
use crate::protocol::watch::Watch;
use crate::record::{Host, Outcome, Record};
use crate::{AnyAlgorithm, BatchTask, Comparison, Observer, Part, RunError, host};

/// The settings that all runs share.
pub struct Runner<'a> {
    /// Where it runs.
    pub host: Host,
    /// Threads that learn and predict, for the records: [`forest_core::threads`] sets them.
    pub threads: usize,
    /// Trees of every forest.
    pub trees: usize,
    /// One repetition each.
    pub seeds: Range<u64>,
    /// The part of all runs that is done here.
    pub part: Part,
    /// Follows progress, and may stop.
    pub observer: &'a dyn Observer,
    /// Limits of each run.
    pub limits: Limits,
    /// Earlier records: these runs are not repeated.
    pub finished: &'a [Record],
}

/// Whether every requested run was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completion {
    /// All requested runs were done.
    Complete,
    /// [`Observer::is_stopped`] ended them.
    Interrupted,
}

/// The reason to end: the observer stopped, or a record could not be written.
enum Stop<E> {
    Interrupted,
    NotKept(E),
}

/// Returns the number of the first run of each comparison; runs are numbered by seed, then by algorithm.
fn first_runs(comparisons: &[Comparison<'_>], seeds: &Range<u64>) -> Vec<usize> {
    let mut runs = 0;
    let first = |comparison: &Comparison<'_>| {
        let count = comparison.algorithms.len() * seeds.clone().count();
        runs += count;
        runs - count
    };
    comparisons.iter().map(first).collect()
}

/// Returns the runs of a part: comparison, algorithm and seed of each.
pub fn runs_of_part<'c, 'd>(
    part: Part,
    comparisons: &'c [Comparison<'d>],
    seeds: &Range<u64>,
) -> Vec<(&'c Comparison<'d>, &'c AnyAlgorithm, u64)> {
    let mut runs = Vec::new();
    for (comparison, first) in comparisons.iter().zip(first_runs(comparisons, seeds)) {
        for (number, seed) in seeds.clone().enumerate() {
            let wanted = comparison.algorithms_in(part, first, number);
            runs.extend(wanted.map(|algorithm| (comparison, algorithm, seed)));
        }
    }
    runs
}

impl Comparison<'_> {
    /// Returns the algorithms whose runs with seed number `number` are in this part. The comparison's first run is number `first` of all.
    fn algorithms_in(
        &self,
        part: Part,
        first: usize,
        number: usize,
    ) -> impl Iterator<Item = &AnyAlgorithm> {
        let block = self.algorithms.len();
        let run = move |at: usize| first + number * block + at;
        let algorithms = self.algorithms.iter().enumerate();
        let wanted = algorithms.filter(move |(at, _)| part.has(run(*at), block));
        wanted.map(|(_, algorithm)| algorithm)
    }
}

impl Runner<'static> {
    /// Returns a runner on this machine, with one thread per core, without observer or limits, and with the seeds `0..seeds`.
    pub fn new(trees: usize, seeds: u64) -> Self {
        Self {
            host: Host::current(),
            threads: host::threads(None),
            trees,
            seeds: 0..seeds,
            part: Part::WHOLE,
            observer: &(),
            limits: Limits::default(),
            finished: &[],
        }
    }
}

impl Runner<'_> {
    /// Runs every comparison with every seed and returns the records; a run that fails is a record.
    pub fn records(&self, comparisons: &[Comparison<'_>]) -> Vec<Record> {
        let mut records = Vec::new();
        let keep = |record| -> Result<(), Infallible> {
            records.push(record);
            Ok(())
        };
        let Ok(_) = self.run(comparisons, keep);
        records
    }

    /// Runs every comparison with every seed. A record is passed to `keep` as soon as its run ends; a run that fails is
    /// a record.
    ///
    /// All algorithms with one seed come before the next seed, so that an early end leaves a fair comparison.
    ///
    /// # Errors
    /// Returns the error of `keep`.
    pub fn run<E>(
        &self,
        comparisons: &[Comparison<'_>],
        mut keep: impl FnMut(Record) -> Result<(), E>,
    ) -> Result<Completion, E> {
        let firsts = first_runs(comparisons, &self.seeds);
        let mut numbered = comparisons.iter().zip(firsts);
        let ended =
            numbered.try_for_each(|(comparison, first)| self.compare(comparison, first, &mut keep));
        match ended {
            Ok(()) => Ok(Completion::Complete),
            Err(Stop::Interrupted) => Ok(Completion::Interrupted),
            Err(Stop::NotKept(error)) => Err(error),
        }
    }

    fn compare<E>(
        &self,
        comparison: &Comparison<'_>,
        first: usize,
        keep: &mut dyn FnMut(Record) -> Result<(), E>,
    ) -> Result<(), Stop<E>> {
        match &comparison.dataset.target {
            Target::Classes { labels, .. } => {
                let source = Source {
                    comparison,
                    observed: labels,
                    truth: None,
                };
                self.run_seeds::<Classification, E>(source, first, keep)
            }
            Target::Values { values, noise_free } => {
                let source = Source {
                    comparison,
                    observed: values,
                    truth: noise_free.as_deref(),
                };
                self.run_seeds::<Regression, E>(source, first, keep)
            }
        }
    }

    fn run_seeds<T: BatchTask, E>(
        &self,
        source: Source<'_, T::Target>,
        first: usize,
        keep: &mut dyn FnMut(Record) -> Result<(), E>,
    ) -> Result<(), Stop<E>> {
        let comparison = source.comparison;
        for seed in self.seeds.clone() {
            let number = (seed - self.seeds.start) as usize;
            let wanted = comparison.algorithms_in(self.part, first, number);
            let missing = wanted.filter(|algorithm| {
                !comparison.is_recorded(self.finished, algorithm, self.trees, seed)
            });
            let missing: Vec<&AnyAlgorithm> = missing.collect();
            if missing.is_empty() {
                continue;
            }
            let rows = source.rows(seed);
            let rows = rows.as_ref().map_err(ToString::to_string);
            for algorithm in missing {
                let name = format!("{} · {algorithm}", comparison.setting.dataset);
                self.observer.start_run(&name);
                let run = rows.clone().map_err(RunError::Failed);
                let run = run.and_then(|rows| self.measure::<T>(algorithm, rows, seed));
                let record = self.record(comparison, algorithm, seed, run);
                let record = record.ok_or(Stop::Interrupted)?;
                self.observer.finish_run(comparison.rows_per_run(), &record);
                keep(record).map_err(Stop::NotKept)?;
            }
        }
        Ok(())
    }

    /// Measures a run; a panic fails this run only.
    fn measure<T: BatchTask>(
        &self,
        algorithm: &AnyAlgorithm,
        rows: &Rows<'_, T::Target>,
        seed: u64,
    ) -> Result<Run, RunError> {
        let watch = Watch::start(self.observer, self.limits);
        let run = || measure::run::<T>(algorithm, self.settings(seed), rows, &watch);
        // Unwind safe: nothing that the run changes is used after it, as it owns the learner and the scores.
        match panic::catch_unwind(AssertUnwindSafe(run)) {
            // A learner that fails because it was interrupted, or took too long, reports its own reason.
            Ok(ended) => ended.map_err(|error| watch.check().err().unwrap_or(error)),
            Err(panic) => Err(RunError::Failed(format!("panicked: {}", message(&*panic)))),
        }
    }

    fn settings(&self, seed: u64) -> ForestSettings {
        ForestSettings::default()
            .with_trees(self.trees)
            .with_seed(seed)
    }

    /// Returns the record of a run, unless it was interrupted.
    fn record(
        &self,
        comparison: &Comparison<'_>,
        algorithm: &AnyAlgorithm,
        seed: u64,
        run: Result<Run, RunError>,
    ) -> Option<Record> {
        let (params, trees, outcome) = match run {
            Ok(run) => {
                let outcome = Outcome::Measured(Box::new(run.measured));
                (run.algorithm.params(), run.trees, outcome)
            }
            Err(RunError::Interrupted) => return None,
            Err(error) => {
                let error = error.to_string();
                (algorithm.params(), self.trees, Outcome::Failed { error })
            }
        };
        // Whether the caller's own learner uses the number of trees is unknown.
        let has_trees = trees > 0 || matches!(algorithm, AnyAlgorithm::Own(_));
        Some(Record {
            setting: comparison.setting.clone(),
            label: algorithm.to_string(),
            algorithm: algorithm.name().to_owned(),
            params,
            baseline: algorithm.is_baseline(),
            offline: algorithm.is_offline(),
            trees,
            asked_trees: if has_trees { self.trees } else { 0 },
            seed,
            part: (self.part != Part::WHOLE).then_some(self.part),
            date: host::now(),
            threads: self.threads,
            host: self.host.clone(),
            outcome,
        })
    }
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("without a message").to_owned()
}

#[cfg(test)]
mod tests {
    use datasets::{OpenOptions, open};

    use super::*;
    use crate::protocol::Design;
    use crate::record::Protocol;
    use crate::{RunLog, read_records};

    /// Returns finished and failed runs of both protocols.
    fn records() -> Vec<Record> {
        let data = ["gaussian-mixture:n=60,test=20", "friedman:n=60,test=20"];
        let data = data.map(|address| open(address, &OpenOptions::default()).unwrap());
        let algorithms = ["no-change", "batch-urtf", "wurtf:weights=1/2"];
        let algorithms = algorithms.map(|name| name.parse().unwrap());
        let protocols = [Protocol::Holdout, Protocol::Prequential];
        let one = |data, protocol| Comparison::new(data, protocol, &algorithms, &Design::default());
        let comparisons = data
            .iter()
            .flat_map(|data| protocols.map(|protocol| one(data, protocol).unwrap()));
        Runner::new(2, 2).records(&comparisons.collect::<Vec<_>>())
    }

    #[test]
    fn what_was_recorded_is_read_back_to_the_last_bit() {
        let records = records();
        let (failed, finished): (Vec<_>, Vec<_>) = records.iter().partition(|run| run.failed());
        assert!(!failed.is_empty() && finished.len() > 4);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("runs.jsonl");
        let mut log = RunLog::open(&path).unwrap();
        records.iter().for_each(|run| log.append(run).unwrap());
        assert_eq!(read_records::<Record>(&path).unwrap(), records);
    }
}

//! Runs every comparison, seed by seed, algorithm by algorithm.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::panic::{self, AssertUnwindSafe};

use datasets::Target;
use forest_core::{Classification, ForestSettings, Regression};

use crate::files::{FileError, Folder};
use crate::measure;
use crate::record::{Host, Measured, Outcome, Params, Record};
use crate::schedule::{Schedule, Table};
use crate::watch::{Observer, Watch};
use crate::{ComparedTask, Comparison, Contender, GridPart, Request, RunError, host};

/// Runs comparisons.
pub struct Runner<'a> {
    /// Trees, seeds, part, threads and limits of the runs.
    pub request: Request,
    /// The host, for the records.
    pub host: Host,
    /// Follows the runs.
    pub observer: &'a dyn Observer,
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

/// The parameters, the number of trees, and what was measured.
type Run = (Params, usize, Measured);

/// The missing runs of a comparison with one seed: they have the same rows in the same order.
struct Group<'c, 'd> {
    comparison: &'c Comparison<'d>,
    seed: u64,
    missing: Vec<&'c Contender>,
}

impl Request {
    /// Runs whatever has no record in the folder; records each run and passes it to `follow`. Returns all records.
    ///
    /// # Errors
    /// Returns an error if a record cannot be written, or of `follow`; after it, nothing is run.
    pub fn run<E: From<FileError>>(
        &self,
        comparisons: &[Comparison<'_>],
        folder: &Folder,
        observer: &dyn Observer,
        mut follow: impl FnMut(&Record) -> Result<(), E>,
    ) -> Result<(Vec<Record>, Completion), E> {
        let mut log = folder.open_log()?;
        let runner = Runner {
            request: self.clone(),
            host: Host::current(),
            observer,
            finished: &folder.finished,
        };
        let mut records = folder.finished.clone();
        let completion = runner.run(comparisons, |record| -> Result<(), E> {
            log.append(&record)?;
            follow(&record)?;
            records.push(record);
            Ok(())
        })?;
        Ok((records, completion))
    }
}

impl Runner<'static> {
    /// Returns a runner for this many trees and seeds, on all threads of this host and without limits.
    pub fn new(trees: usize, seeds: u64) -> Self {
        Self {
            request: Request {
                trees,
                seeds,
                ..Request::default()
            },
            host: Host::current(),
            observer: &(),
            finished: &[],
        }
    }
}

impl Runner<'_> {
    /// Returns the runs of its part that are not finished: comparison by comparison, seed by seed.
    fn missing<'c, 'd>(&self, comparisons: &'c [Comparison<'d>]) -> Vec<Group<'c, 'd>> {
        let finished = self.finished.iter().map(|run| (run.seed, run.key.as_str()));
        let finished: BTreeSet<(u64, &str)> = finished.collect();
        let part = self.request.part.unwrap_or(GridPart::WHOLE);
        let mut groups = Vec::new();
        let mut number = 0;
        for comparison in comparisons {
            let contenders = &comparison.contenders;
            let mut keys = Vec::new();
            for contender in contenders {
                keys.push(comparison.key(contender, self.request.trees).0);
            }
            for seed in 0..self.request.seeds {
                let mut missing = Vec::new();
                for (contender, key) in contenders.iter().zip(&keys) {
                    if part.has(number, keys.len()) && !finished.contains(&(seed, &key[..])) {
                        missing.push(contender);
                    }
                    number += 1;
                }
                if !missing.is_empty() {
                    groups.push(Group {
                        comparison,
                        seed,
                        missing,
                    });
                }
            }
        }
        groups
    }

    /// Runs all and returns their records.
    pub fn records(&self, comparisons: &[Comparison<'_>]) -> Vec<Record> {
        let mut records = Vec::new();
        let Ok(_) = self.run(comparisons, |record| {
            records.push(record);
            Ok::<(), Infallible>(())
        });
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
        let groups = self.missing(comparisons);
        let mut rows = Vec::new();
        for group in &groups {
            rows.extend(vec![group.comparison.rows_per_run(); group.missing.len()]);
        }
        self.observer.plan(&rows);
        for group in &groups {
            let data = group.comparison.dataset;
            let completion = match &data.target {
                Target::Classes { labels, .. } => {
                    let table = Table::of(data, labels, None);
                    self.run_group::<Classification, E>(group, table, &mut keep)?
                }
                Target::Values { values, noise_free } => {
                    let table = Table::of(data, values, noise_free.as_deref());
                    self.run_group::<Regression, E>(group, table, &mut keep)?
                }
            };
            if completion == Completion::Interrupted {
                return Ok(completion);
            }
        }
        Ok(Completion::Complete)
    }

    fn run_group<T: ComparedTask, E>(
        &self,
        group: &Group<'_, '_>,
        table: Table<'_, T::Target>,
        keep: &mut dyn FnMut(Record) -> Result<(), E>,
    ) -> Result<Completion, E> {
        let comparison = group.comparison;
        let name = &comparison.setting.dataset;
        let schedule = Schedule::new(comparison, table, group.seed);
        for &contender in &group.missing {
            self.observer.start_run(&format!("{name} · {contender}"));
            let run = match &schedule {
                Ok(schedule) => self.measure::<T>(contender, schedule, group.seed),
                Err(error) => Err(RunError::Failed(error.to_string())),
            };
            if let Err(RunError::Interrupted) = run {
                return Ok(Completion::Interrupted);
            }
            let record = self.record(comparison, contender, group.seed, run);
            self.observer.finish_run(comparison.rows_per_run(), &record);
            keep(record)?;
        }
        Ok(Completion::Complete)
    }

    fn measure<T: ComparedTask>(
        &self,
        contender: &Contender,
        schedule: &Schedule<'_, T::Target>,
        seed: u64,
    ) -> Result<Run, RunError> {
        let trees = self.request.trees;
        let settings = ForestSettings::default().with_trees(trees).with_seed(seed);
        let watch = Watch::new(self.observer, &self.request);
        let run = || measure::run::<T>(contender, settings, schedule, &watch);
        // Unwind safe: nothing that the run changes is used after it, as it owns the learner and the scores.
        match panic::catch_unwind(AssertUnwindSafe(run)) {
            // A learner that fails because it was interrupted, or took too long, reports its own reason.
            Ok(ended) => ended.map_err(|error| watch.check().err().unwrap_or(error)),
            Err(panic) => {
                let text = panic.downcast_ref::<String>().map(String::as_str);
                let text = text.or(panic.downcast_ref::<&str>().copied());
                let text = text.unwrap_or("without a message");
                Err(RunError::Failed(format!("panicked: {text}")))
            }
        }
    }

    fn record(
        &self,
        comparison: &Comparison<'_>,
        contender: &Contender,
        seed: u64,
        run: Result<Run, RunError>,
    ) -> Record {
        let (key, asked_trees) = comparison.key(contender, self.request.trees);
        let (params, trees, outcome) = match run {
            Ok((params, trees, run)) => (params, trees, Outcome::Measured(Box::new(run))),
            Err(error) => {
                let error = error.to_string();
                (contender.params(), asked_trees, Outcome::Failed { error })
            }
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
            part: self.request.part.filter(|part| *part != GridPart::WHOLE),
            date: host::now(),
            threads: host::threads(self.request.threads),
            host: self.host.clone(),
            outcome,
        }
    }
}

#[cfg(test)]
mod tests {
    use datasets::{OpenOptions, open};

    use super::*;
    use crate::protocol::{Design, Protocol};
    use crate::{RunLog, comparisons, read_records};

    #[test]
    fn what_was_recorded_is_read_back_to_the_last_bit_and_not_run_again() {
        let data = ["gaussian-mixture:n=60,test=20", "friedman:n=60,test=20"];
        let data = data.map(|address| open(address, &OpenOptions::default()).unwrap());
        let contenders = ["no-change", "batch-urtf", "wurtf:weights=1/2"];
        let contenders = contenders.map(|name| name.parse().unwrap());
        let protocols = [Protocol::Holdout, Protocol::Prequential];
        let planned = comparisons(&data, &contenders, &protocols, &Design::default()).unwrap();
        let records = Runner::new(2, 2).records(&planned);
        let (failed, measured): (Vec<_>, Vec<_>) = records.iter().partition(|run| run.failed());
        assert!(!failed.is_empty() && measured.len() > 4);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("runs.jsonl");
        let mut log = RunLog::open(&path).unwrap();
        records.iter().for_each(|run| log.append(run).unwrap());
        let finished = &read_records::<Record>(&path).unwrap();
        assert_eq!(*finished, records);
        let again = Runner {
            finished,
            ..Runner::new(2, 2)
        };
        assert_eq!(again.records(&planned), []);
    }
}

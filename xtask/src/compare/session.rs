//! The runs: every comparison, every seed, every algorithm, each noted when it ends.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::ops::ControlFlow;

use anyhow::{Context, Error, Result, anyhow};
use datasets::Target;
use forest_core::{Classification, Regression};
use online_forests::Algorithm;
use serde_json::Value;

use super::metric::Scored;
use super::plan::Comparison;
use super::prepare::{self, Labelled, Rows};
use super::progress::Progress;
use super::record::{Host, Outcome, Record};
use super::run::{self, Entry, Finished, RunError};
use super::run_log::RunLog;

/// Where finished runs go besides the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Echo {
    /// Nowhere.
    Quiet,
    /// To standard output, a line each.
    Json,
}

/// What all runs share, and what has become of them.
#[derive(Debug)]
pub struct Session {
    /// Where it runs.
    pub host: Host,
    /// Trees of every forest.
    pub trees: usize,
    /// Seeds `0..seeds`.
    pub seeds: u64,
    /// Whether to print as well.
    pub echo: Echo,
    /// The file that grows.
    pub run_log: RunLog,
    /// The bar that grows.
    pub progress: Progress,
    /// The finished runs.
    pub records: Vec<Record>,
    /// Rows visited by runs that are over.
    pub rows_done: usize,
}

/// Go on, or stop because of Ctrl-C.
type Flow = ControlFlow<()>;

impl Session {
    /// Runs all comparisons, or as many as Ctrl-C leaves time for.
    ///
    /// # Errors
    /// If a finished run cannot be written down.
    pub fn run(&mut self, comparisons: &[Comparison<'_>]) -> Result<Flow> {
        for comparison in comparisons {
            if self.comparison(comparison)?.is_break() {
                return Ok(Flow::Break(()));
            }
        }
        Ok(Flow::Continue(()))
    }

    fn comparison(&mut self, comparison: &Comparison<'_>) -> Result<Flow> {
        match &comparison.dataset.target {
            Target::Classes { labels, .. } => {
                let targets = Labelled {
                    observed: labels,
                    truth: labels,
                };
                self.seeds::<Classification>(comparison, targets)
            }
            Target::Values { values, noise_free } => {
                let truth = noise_free.as_ref().unwrap_or(values);
                self.seeds::<Regression>(
                    comparison,
                    Labelled {
                        observed: values,
                        truth,
                    },
                )
            }
        }
    }

    /// Seed by seed, so that an early end leaves a fair comparison.
    fn seeds<T: Scored>(
        &mut self,
        comparison: &Comparison<'_>,
        targets: Labelled<'_, T>,
    ) -> Result<Flow> {
        for seed in 0..self.seeds {
            let rows = prepare::rows(comparison, targets, seed);
            for algorithm in &comparison.algorithms {
                let trees = self.trees;
                let entry = Entry {
                    algorithm,
                    trees,
                    seed,
                };
                match self.attempt(comparison, entry, rows.as_ref()) {
                    Some(record) => self.note(comparison, record)?,
                    None => return Ok(Flow::Break(())),
                }
            }
        }
        Ok(Flow::Continue(()))
    }

    /// The record of a run, unless Ctrl-C ended it. Rows that could not be prepared fail it.
    fn attempt<T: Scored>(
        &self,
        comparison: &Comparison<'_>,
        entry: Entry<'_>,
        rows: Result<&Rows<T>, &Error>,
    ) -> Option<Record> {
        let what = format!("{} · {}", comparison.setting.dataset, entry.algorithm);
        self.progress.begin(what);
        let ended = match rows {
            Ok(rows) => run::run(entry, rows, &self.progress),
            Err(error) => Err(RunError::Failed(anyhow!("{error:#}"))),
        };
        match ended {
            Ok(finished) => Some(self.measured(comparison, entry, finished)),
            Err(RunError::Failed(error)) => Some(self.failed(comparison, entry, &error)),
            Err(RunError::Interrupted) => None,
        }
    }

    fn note(&mut self, comparison: &Comparison<'_>, record: Record) -> Result<()> {
        let line = serde_json::to_string(&record)?;
        self.run_log.append(&line)?;
        if self.echo == Echo::Json {
            writeln!(std::io::stdout(), "{line}").context("cannot write to standard output")?;
        }
        self.rows_done += comparison.rows_per_run();
        self.progress
            .finished(self.records.len() + 1, self.rows_done, &record);
        self.records.push(record);
        Ok(())
    }

    fn measured(
        &self,
        comparison: &Comparison<'_>,
        entry: Entry<'_>,
        finished: Finished,
    ) -> Record {
        let outcome = Outcome::Measured(finished.measured);
        Record {
            params: parameters(&finished.algorithm),
            trees: finished.trees,
            ..self.record(comparison, entry, outcome)
        }
    }

    fn failed(&self, comparison: &Comparison<'_>, entry: Entry<'_>, error: &Error) -> Record {
        let error = format!("{error:#}");
        self.record(comparison, entry, Outcome::Failed { error })
    }

    /// A record with what was asked for: parameters and trees as given.
    fn record(&self, comparison: &Comparison<'_>, entry: Entry<'_>, outcome: Outcome) -> Record {
        Record {
            setting: comparison.setting.clone(),
            label: entry.algorithm.to_string(),
            algorithm: entry.algorithm.name().to_owned(),
            params: parameters(entry.algorithm),
            baseline: entry.algorithm.is_baseline(),
            trees: entry.trees,
            seed: entry.seed,
            host: self.host.clone(),
            outcome,
        }
    }
}

/// The parameters as data: numbers where they are numbers, words where not (`inf` is none in JSON).
fn parameters(algorithm: &Algorithm) -> BTreeMap<String, Value> {
    let typed = |word: &str| serde_json::from_str(word).unwrap_or_else(|_| Value::from(word));
    algorithm
        .given()
        .map(|(key, value)| (key.to_owned(), typed(value)))
        .collect()
}

//! The comparison under way: every contest, every seed, every algorithm, each noted when it ends.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::ops::ControlFlow;

use anyhow::{Context, Error, Result, anyhow};
use datasets::Target;
use forest_core::{Classification, Regression};
use online_forests::Algorithm;
use serde_json::Value;

use super::journal::Journal;
use super::metric::Scored;
use super::plan::Contest;
use super::prepare::{self, Labelled, Rows};
use super::progress::Progress;
use super::record::{Host, Outcome, Record};
use super::run::{self, Entry, Finished, Halt};

/// Where finished runs go besides the journal.
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
    pub journal: Journal,
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
    /// Runs all contests, or as many as Ctrl-C leaves time for.
    ///
    /// # Errors
    /// If a finished run cannot be written down.
    pub fn run(&mut self, contests: &[Contest<'_>]) -> Result<Flow> {
        for contest in contests {
            if self.contest(contest)?.is_break() {
                return Ok(Flow::Break(()));
            }
        }
        Ok(Flow::Continue(()))
    }

    fn contest(&mut self, contest: &Contest<'_>) -> Result<Flow> {
        match &contest.dataset.target {
            Target::Classes { labels, .. } => {
                let targets = Labelled {
                    observed: labels,
                    truth: labels,
                };
                self.seeds::<Classification>(contest, targets)
            }
            Target::Values { values, noise_free } => {
                let truth = noise_free.as_ref().unwrap_or(values);
                self.seeds::<Regression>(
                    contest,
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
        contest: &Contest<'_>,
        targets: Labelled<'_, T>,
    ) -> Result<Flow> {
        for seed in 0..self.seeds {
            let rows = prepare::rows(contest, targets, seed);
            for algorithm in &contest.algorithms {
                let trees = self.trees;
                let entry = Entry {
                    algorithm,
                    trees,
                    seed,
                };
                match self.attempt(contest, entry, rows.as_ref()) {
                    Some(record) => self.note(contest, record)?,
                    None => return Ok(Flow::Break(())),
                }
            }
        }
        Ok(Flow::Continue(()))
    }

    /// The record of a run, unless Ctrl-C ended it. Rows that could not be prepared fail it.
    fn attempt<T: Scored>(
        &self,
        contest: &Contest<'_>,
        entry: Entry<'_>,
        rows: Result<&Rows<T>, &Error>,
    ) -> Option<Record> {
        let what = format!("{} · {}", contest.setting.dataset, entry.algorithm);
        self.progress.begin(what);
        let ended = match rows {
            Ok(rows) => run::run(entry, rows, &self.progress),
            Err(error) => Err(Halt::Failed(anyhow!("{error:#}"))),
        };
        match ended {
            Ok(finished) => Some(self.measured(contest, entry, finished)),
            Err(Halt::Failed(error)) => Some(self.failed(contest, entry, &error)),
            Err(Halt::Interrupted) => None,
        }
    }

    fn note(&mut self, contest: &Contest<'_>, record: Record) -> Result<()> {
        let line = serde_json::to_string(&record)?;
        self.journal.append(&line)?;
        if self.echo == Echo::Json {
            writeln!(std::io::stdout(), "{line}").context("cannot write to standard output")?;
        }
        self.rows_done += contest.rows_per_run();
        self.progress
            .finished(self.records.len() + 1, self.rows_done, &record);
        self.records.push(record);
        Ok(())
    }

    fn measured(&self, contest: &Contest<'_>, entry: Entry<'_>, finished: Finished) -> Record {
        let outcome = Outcome::Measured(finished.measured);
        Record {
            params: parameters(&finished.algorithm),
            trees: finished.trees,
            ..self.record(contest, entry, outcome)
        }
    }

    fn failed(&self, contest: &Contest<'_>, entry: Entry<'_>, error: &Error) -> Record {
        let error = format!("{error:#}");
        self.record(contest, entry, Outcome::Failed { error })
    }

    /// A record with what was asked for: parameters and trees as given.
    fn record(&self, contest: &Contest<'_>, entry: Entry<'_>, outcome: Outcome) -> Record {
        Record {
            setting: contest.setting.clone(),
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

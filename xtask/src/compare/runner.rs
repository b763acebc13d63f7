//! Every comparison, seed by seed, algorithm by algorithm; each run is written down when it ends.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write as _;
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow};
use datasets::Target;
use evaluation::BatchTask;
use forest_core::{Classification, ForestSettings, Regression};
use serde_json::Value;

use super::algorithm::AnyAlgorithm;
use super::comparison::Comparison;
use super::interrupt::Interrupted;
use super::measure::{self, Run};
use super::metric::{ACCURACY, RMSE, Scoring};
use super::progress::Progress;
use super::record::{Host, Outcome, Record};
use super::rows::Rows;
use crate::files::cannot_write;

/// `runs.jsonl`, and standard output if that is asked for.
#[derive(Debug)]
pub struct RunLog {
    path: PathBuf,
    file: File,
    to_stdout: bool,
}

impl RunLog {
    pub fn create(path: PathBuf, to_stdout: bool) -> Result<Self> {
        let file = File::create(&path).with_context(|| cannot_write(&path))?;
        Ok(Self {
            path,
            file,
            to_stdout,
        })
    }

    /// Appends a line with one call, so that an interruption leaves whole lines.
    fn append(&mut self, record: &Record) -> Result<()> {
        let line = format!("{}\n", serde_json::to_string(record)?);
        let written = self.file.write_all(line.as_bytes());
        written.with_context(|| cannot_write(&self.path))?;
        if self.to_stdout {
            let printed = std::io::stdout().write_all(line.as_bytes());
            printed.context("cannot write to standard output")?;
        }
        Ok(())
    }
}

/// What all runs share, and the records of those that are finished.
#[derive(Debug)]
pub struct Runner {
    pub host: Host,
    pub trees: usize,
    /// Seeds are `0..seeds`.
    pub seeds: u64,
    pub log: RunLog,
    pub progress: Progress,
    pub records: Vec<Record>,
}

impl Runner {
    /// Fails with [`Interrupted`] after Ctrl-C; a run that fails is a record.
    pub fn run(&mut self, comparisons: &[Comparison<'_>]) -> Result<()> {
        comparisons
            .iter()
            .try_for_each(|comparison| self.compare(comparison))
    }

    fn compare(&mut self, comparison: &Comparison<'_>) -> Result<()> {
        match &comparison.dataset.target {
            Target::Classes { labels, .. } => {
                self.run_seeds::<Classification>(comparison, labels, labels, &ACCURACY)
            }
            Target::Values { values, noise_free } => {
                let truth = noise_free.as_ref().unwrap_or(values);
                self.run_seeds::<Regression>(comparison, values, truth, &RMSE)
            }
        }
    }

    /// All algorithms with one seed before the next, so that an early end leaves a fair comparison.
    fn run_seeds<T: BatchTask>(
        &mut self,
        comparison: &Comparison<'_>,
        observed: &[T::Target],
        truth: &[T::Target],
        scoring: &Scoring<T::Target>,
    ) -> Result<()> {
        for seed in 0..self.seeds {
            let rows = Rows::new(comparison, observed, truth, seed);
            for algorithm in &comparison.algorithms {
                let name = format!("{} · {algorithm}", comparison.setting.dataset);
                self.progress.start_run(name);
                let settings = ForestSettings {
                    trees: self.trees,
                    seed,
                    ..ForestSettings::default()
                };
                let run = match &rows {
                    Ok(rows) => {
                        measure::run::<T>(algorithm, settings, rows, scoring, &self.progress)
                    }
                    Err(error) => Err(anyhow!("{error:#}")),
                };
                let record = self.record(comparison, algorithm, seed, run)?;
                self.log.append(&record)?;
                self.progress.finish_run(comparison.rows_per_run(), &record);
                self.records.push(record);
            }
        }
        Ok(())
    }

    /// The record of a run, unless Ctrl-C ended it.
    fn record(
        &self,
        comparison: &Comparison<'_>,
        algorithm: &AnyAlgorithm,
        seed: u64,
        run: Result<Run>,
    ) -> Result<Record> {
        let (params, trees, outcome) = match run {
            Ok(run) => {
                let outcome = Outcome::Measured(run.measured);
                (parameters(&run.algorithm), run.trees, outcome)
            }
            Err(error) if error.is::<Interrupted>() => return Err(error),
            Err(error) => {
                let error = format!("{error:#}");
                (parameters(algorithm), self.trees, Outcome::Failed { error })
            }
        };
        Ok(Record {
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

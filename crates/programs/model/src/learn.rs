//! Learns rows into a model file: the options, the limit of memory, and how it ends.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use forest_core::registry::snapshot::Snapshot as _;
use online_forests::OnlineLearner as _;
use tables::Layout;

use crate::console::{CommandError, Console};
use crate::model::{AnyModel, Model};
use crate::row::{BadRowOptions, BadRows, counted, unseen_text};
use crate::saving::Every;
use crate::source::{Address, Source};
use crate::table_task::TableTask;

/// The most rows that may be held at once; more would only take memory.
pub const MOST_ROWS: u64 = 1_000_000;

/// Which table is learned into which model file, and how; not what the model is.
#[derive(Clone, Debug, clap::Args)]
pub struct LearnOptions {
    /// Table to learn: a file, or `-` for standard input
    #[arg(long, value_name = "FILE|-", display_order = 0)]
    pub data: Address,

    /// Model file to write
    #[arg(long, value_name = "FILE", display_order = 0)]
    pub model: PathBuf,

    /// Maximum number of rows learned in one batch. The model does not depend on it
    #[arg(long, value_name = "N", default_value = "1000", value_parser = clap::value_parser!(u64).range(1..=MOST_ROWS))]
    pub batch: u64,

    /// Interval between checkpoints, in rows (5000) or time (30s, 10m); `never` saves only at the end
    #[arg(long, value_name = "ROWS|TIME|never", default_value = "1m")]
    pub checkpoint: Every,

    /// Continue an interrupted run: skip the rows of the same data that MODEL has learned. The options of the table and the
    /// settings are those of the model. Without a model, a new run starts
    #[arg(long)]
    pub resume: bool,

    /// Learn more rows into an existing model, with its columns and settings
    #[arg(long, conflicts_with = "resume")]
    pub update: bool,

    /// Wait for more rows at the end of the file, until Ctrl-C, SIGTERM or SIGHUP, which save the model. For files that are
    /// rotated, use `tail -F FILE | online-forests train --data -`
    #[arg(long)]
    pub follow: bool,

    /// How bad rows are handled.
    #[command(flatten)]
    pub bad_rows: BadRowOptions,

    /// Memory limit (the model, plus the same again while saving). When it would be exceeded, training saves the model and
    /// exits with code 1 [default: 80 % of free memory]
    #[arg(long, value_name = "SIZE", value_parser = forest_core::memory_limit::parse)]
    pub max_memory: Option<u64>,

    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,
}

impl LearnOptions {
    /// Loads the model to continue with, at the end of all links in `file`; `None` if a new one is to be made.
    ///
    /// # Errors
    /// Returns an error if a model exists although neither `--resume` nor `--update` was given, if there is none for `--update`, or if it cannot be loaded.
    pub fn load_existing(&self, file: Option<&Path>) -> Result<Option<AnyModel>, CommandError> {
        let path = self.model.display();
        match file {
            Some(_) if !self.resume && !self.update => Err(CommandError::new(format!(
                "{path} exists; continue an interrupted run with --resume, learn more rows with --update, or remove it first"
            ))),
            Some(_) => Ok(Some(AnyModel::load(&self.model)?)),
            None if self.update => Err(CommandError::new(format!(
                "--update needs a model, but {path} does not exist or is not a regular file"
            ))),
            None => Ok(None),
        }
    }
}

/// What exists before the first row is learned.
#[derive(Debug)]
pub struct Start<'a> {
    /// How rows are learned.
    pub options: &'a LearnOptions,
    /// Where messages are shown.
    pub console: Console,
    /// The table.
    pub source: Source,
}

impl Start<'_> {
    /// Returns where the model's columns are in the data.
    ///
    /// # Errors
    /// Returns an error if a column is missing.
    pub fn layout<T: TableTask>(&self, model: &Model<T>) -> Result<Layout, CommandError> {
        let layout = model.columns().layout(self.source.header());
        layout.map_err(|fault| self.source.wrong(fault))
    }
}

/// The number of rows between two measurements of a model.
const ROWS: u64 = 1000;

/// Parameters that bound what a learner keeps.
const BOUNDS: [&str; 2] = ["max_nodes", "window"];

/// The memory limit of learning, and the latest measurement of the model.
#[derive(Debug)]
pub struct Memory {
    limit: Option<u64>,
    copies: u64,
    measured_at: Option<u64>,
    exceeded: Option<String>,
}

impl Memory {
    /// Takes that many bytes, or a share of what is free now, for so many copies of a model, and one that is saved.
    pub fn new(asked: Option<u64>, copies: u64) -> Self {
        Self {
            limit: forest_core::memory_limit::or_default(asked),
            copies,
            measured_at: None,
            exceeded: None,
        }
    }

    /// Returns the reason why the model must not grow any more; `None` if it may. It is measured now and then, and each time
    /// while it is too large.
    pub fn exceeded_by<T: TableTask>(&mut self, model: &Model<T>) -> Option<String> {
        let (limit, rows) = (self.limit?, model.samples_seen());
        let measured = self.measured_at;
        let is_due = measured.is_none_or(|measured| rows.abs_diff(measured) >= ROWS);
        if is_due || self.exceeded.is_some() {
            self.measured_at = Some(rows);
            let bytes = model.footprint().bytes as u64;
            // The copies, one to be saved, and an eighth of each, by which its arrays grow at a time.
            let needed = bytes
                .saturating_mul(self.copies + 1)
                .saturating_add(self.copies * bytes / 8);
            self.exceeded = (needed > limit).then(|| self.reason(model, bytes, limit));
        }
        self.exceeded.clone()
    }

    fn reason<T: TableTask>(&self, model: &Model<T>, bytes: u64, limit: u64) -> String {
        let [bytes, limit] = [bytes, limit].map(indicatif::BinaryBytes);
        let twice = if self.copies > 1 { ", twice," } else { "" };
        format!(
            "the model holds {bytes} of memory{twice} and takes as much again to be saved: more rows could take more than --max-memory \
             allows ({limit}); {}",
            remedy(&model.pipeline().learner().label())
        )
    }
}

/// Returns how such learners are bounded.
fn remedy(label: &str) -> String {
    let (name, values) = label.split_once(':').unwrap_or((label, ""));
    let has = |bound: &&str| values.contains(&format!("{bound}="));
    let bounds = BOUNDS.into_iter().filter(has);
    let bounds: Vec<String> = bounds
        .map(|bound| format!("--algorithm {name}:{bound}=N"))
        .collect();
    if bounds.is_empty() {
        "mondrian:max_nodes=N and mondrian:window=N are learners that keep a bounded part of a stream".to_owned()
    } else {
        format!(
            "a model that does not grow without end is made with {}",
            bounds.join(" or ")
        )
    }
}

/// The reason why learning ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completion {
    /// The end of the data.
    Complete,
    /// A signal.
    Interrupted,
}

/// The reason why no more rows are learned.
pub enum End {
    /// The table has ended.
    NoMoreRows,
    /// A signal.
    Signal,
    /// More rows could exceed the memory limit; the text explains how.
    Memory(String),
}

impl End {
    /// Says where `what` was saved: `model in houses.model`.
    pub fn text(&self, what: &str, path: &Path) -> String {
        let path = path.display();
        match self {
            Self::NoMoreRows => format!("{what} in {path}"),
            Self::Signal => format!("interrupted; {what} so far in {path}; continue with --resume"),
            Self::Memory(_) => format!("stopped; {what} so far in {path}; continue with --resume"),
        }
    }

    /// Returns the exit code of a command that has learned rows, which are saved.
    pub fn completion<T: TableTask>(
        self,
        model: &Model<T>,
        bad_rows: &BadRows,
        console: &Console,
    ) -> Result<Completion, CommandError> {
        let position = model.position();
        let share = bad_rows.check(position.bad, position.rows(), "learned");
        match (self, share) {
            (Self::Memory(reason), _) => Err(CommandError::new(reason)),
            (Self::NoMoreRows, share) => share.map(|()| Completion::Complete),
            (Self::Signal, Ok(())) => Ok(Completion::Interrupted),
            (Self::Signal, Err(error)) => {
                console.say(&format!("warning: {error}"));
                Ok(Completion::Interrupted)
            }
        }
    }

    /// Returns the error of a command that has learned no row of `data`.
    pub fn without_rows(
        self,
        data: &str,
        bad_rows: &BadRows,
        console: &Console,
    ) -> Result<Completion, CommandError> {
        if matches!(self, Self::Signal) {
            console.say("interrupted before the first row was learned; nothing is saved");
            return Ok(Completion::Interrupted);
        }
        Err(nothing_learned(data, bad_rows.summary()))
    }
}

/// Returns the error of a command that could learn no row of `data`, with the reason if one is known.
pub fn nothing_learned(data: &str, reason: Option<String>) -> CommandError {
    let reason = reason.map_or(String::new(), |reason| format!(": {reason}"));
    CommandError::new(format!(
        "no row of {data} could be learned, so nothing is saved{reason}"
    ))
}

/// Returns the parts of a sentence about the rows that a model has learned since it had learned `before`.
pub fn report<T: TableTask>(
    model: &Model<T>,
    before: u64,
    bad_rows: &BadRows,
    unseen: u64,
) -> Vec<String> {
    let rows = model.samples_seen() - before;
    let dropped = model.position().dropped;
    let mut parts = vec![format!("learned {}", counted(rows, "row"))];
    if before > 0 {
        parts.push(format!("{} before", counted(before, "row")));
    }
    if dropped > 0 {
        parts.push(format!(
            "{} with missing values left out",
            counted(dropped, "row")
        ));
    }
    parts.extend(bad_rows.summary());
    parts.extend(unseen_text(unseen));
    parts
}

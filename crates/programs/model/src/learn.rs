//! Learns rows into a model file, once the data are open and there is a model.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use tables::Layout;

use crate::address::Address;
use crate::any::AnyModel;
use crate::bad_rows::BadRowOptions;
use crate::console::Console;
use crate::error::CommandError;
use crate::every::Every;
use crate::model::Model;
use crate::source::Source;
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

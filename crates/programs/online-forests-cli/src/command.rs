//! The commands.

use std::process::ExitCode;

use clap::Subcommand;
use forest_model::{CommandError, interrupt};

#[cfg(feature = "serve")]
use crate::serve;
use crate::{algorithms, inspect, join, predict, train};

/// The commands, for a program's own command line.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// List the algorithms; with NAME, show its parameters and limitations
    Algorithms(algorithms::Args),
    /// Learn a table into a model file
    ///
    /// Rows are learned as they are read and are never all in memory: the first ones (--fit-rows) determine the columns,
    /// and are learned first. Standard input, a file, and any --batch or --threads give the same model, bit for bit.
    /// Ctrl-C, SIGTERM and SIGHUP save what was learned and exit with 130, 143 and 129. A second signal changes nothing; a third
    /// one ends the program at once, and what was learned since the last checkpoint is lost.
    ///
    /// Endless streams: by default, a forest keeps every row that it learns, and its memory grows without limit. To bound it,
    /// use --algorithm mondrian:max_nodes=100000 (trees stop growing and keep no rows, but their statistics are still
    /// updated) or --algorithm mondrian:window=100000 (the latest rows are kept, the others are forgotten); `algorithms
    /// NAME` lists the parameters of others. Without a bound, training saves the model and exits with code 1 before it needs
    /// more than --max-memory. `--checkpoint` limits what a power failure may lose.
    Train(Box<train::Args>),
    /// Predict the rows of a table with a model
    ///
    /// Writes one prediction per row, in the order of the rows, as CSV with a header or as JSON lines: the prediction first. A
    /// row that cannot be read has an empty prediction.
    Predict(Box<predict::Args>),
    /// Join the parts of a forest into one model file
    ///
    /// The parts are the models of `train --part 1/N` to `--part N/N` on the same rows. The file has the bytes of a training in one
    /// process.
    Join(join::Args),
    /// Show a model: settings, size, importance of features, trees, one prediction explained
    Inspect(inspect::Args),
    /// Predict and learn rows that are sent over HTTP
    ///
    /// `POST /predict`, `/learn`, `/predict-then-learn`: JSON objects or CSV; `GET /` shows how the model performs. SIGTERM and
    /// Ctrl-C save what was learned and end with 0. docs/service.md describes it.
    #[cfg(feature = "serve")]
    Serve(Box<serve::Args>),
}

impl Command {
    /// Runs the command.
    ///
    /// # Errors
    /// Returns an error if something cannot be parsed, opened or written.
    pub fn run(&self) -> Result<ExitCode, CommandError> {
        interrupt::report_large_files();
        match self {
            Self::Algorithms(args) => algorithms::run(args),
            Self::Train(args) => train::run(args),
            Self::Predict(args) => predict::run(args),
            Self::Join(args) => join::run(args),
            Self::Inspect(args) => inspect::run(args),
            #[cfg(feature = "serve")]
            Self::Serve(args) => serve::run(args),
        }
    }
}

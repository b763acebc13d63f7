//! The commands, their command line and their exit codes.

use std::io::{self, ErrorKind};
use std::process::ExitCode;

use clap::{ArgAction, Parser, Subcommand};
use forest_model::interrupt;

#[cfg(feature = "serve")]
use crate::serve;
use crate::{algorithms, inspect, join, predict, train};

/// The commands, for a program's own command line.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// List the algorithms; with NAME, show its parameters and limitations
    Algorithms {
        /// Algorithm whose parameters, with defaults and rules, and limitations are shown
        #[arg(value_name = "NAME")]
        algorithm: Option<String>,
    },
    /// Learn a table into a model file
    #[command(after_help = AFTER_TRAIN)]
    Train(Box<train::Args>),
    /// Predict the rows of a table with a model: one prediction per row, in their order; empty for a row that cannot be
    /// read
    Predict(Box<predict::Args>),
    /// Join the models of `train --part 1/N` to `--part N/N` on the same rows into the model of one process, bit for
    /// bit
    Join(join::Args),
    /// Show a model: settings, size, importance of features, trees, one prediction explained
    Inspect(inspect::Args),
    /// Predict and learn rows that are sent over HTTP; SIGTERM and Ctrl-C save what was learned and end with 0
    #[cfg(feature = "serve")]
    #[command(after_help = AFTER_SERVE)]
    Serve(Box<serve::Args>),
}

const AFTER_TRAIN: &str = "\
Rows are learned as they are read and are never all in memory: the first ones (--fit-rows) determine the columns,
and are learned first. Standard input, a file, and any --batch or --threads give the same model, bit for bit. Ctrl-C,
SIGTERM and SIGHUP save what was learned and exit with 130, 143 and 129. A second signal changes nothing; a third one
ends the program at once, and what was learned since the last checkpoint is lost.

Endless streams: by default, a forest keeps every row that it learns, and its memory grows without limit. To bound it,
use --algorithm mondrian:max_nodes=100000 (trees stop growing and keep no rows, but their statistics are still updated)
or --algorithm mondrian:window=100000 (the latest rows are kept, the others are forgotten); `algorithms NAME` lists the
parameters of others. Without a bound, training saves the model and exits with code 1 before it needs more than
--max-memory. --checkpoint limits what a power failure may lose.";

#[cfg(feature = "serve")]
const AFTER_SERVE: &str = "\
POST /predict, /learn, /predict-then-learn: JSON objects or CSV; GET / shows how the model performs. docs/service.md
describes all routes.";

impl Command {
    /// Runs the command.
    ///
    /// # Errors
    /// Returns an error if something cannot be parsed, opened or written.
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        interrupt::report_large_files();
        let result = match self {
            Self::Algorithms { algorithm } => algorithms::run(algorithm.as_deref()),
            Self::Train(args) => train::run(args),
            Self::Predict(args) => predict::run(args),
            Self::Join(args) => join::run(args),
            Self::Inspect(args) => inspect::run(args),
            #[cfg(feature = "serve")]
            Self::Serve(args) => serve::run(args),
        };
        // A reader that has closed the pipe, as `head` does, has read enough.
        let is_closed = |error: &io::Error| error.kind() == ErrorKind::BrokenPipe;
        match result {
            Err(error) if error.downcast_ref().is_some_and(is_closed) => Ok(ExitCode::SUCCESS),
            result => result,
        }
    }
}

/// Online random forests on the command line
#[derive(Parser)]
#[command(name = "online-forests", version, disable_help_flag = true)]
struct Cli {
    /// Print help
    #[arg(short, long, global = true, action = ArgAction::HelpShort, display_order = 1000)]
    help: Option<bool>,

    #[command(subcommand)]
    command: Command,
}

/// Runs the program `online-forests` with the command line of the process.
///
/// A program that [submits](online_forests::submit) algorithms of its own and calls this is the same program with them.
pub fn run() -> ExitCode {
    let failure = match Cli::try_parse() {
        Ok(cli) => match cli.command.run() {
            Ok(code) => return code,
            Err(error) => error.to_string(),
        },
        // Help, the version, or what is wrong with the command line.
        Err(usage) => match usage.print() {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                format!("cannot write standard output: {error}")
            }
            _ => return ExitCode::from(usage.exit_code() as u8),
        },
    };
    eprintln!("error: {failure}");
    ExitCode::FAILURE
}

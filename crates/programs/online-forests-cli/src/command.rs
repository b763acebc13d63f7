//! The commands.

use std::process::ExitCode;

use clap::Subcommand;
use forest_model::{CommandError, interrupt};

#[cfg(feature = "distributed")]
use crate::processes;
#[cfg(feature = "serve")]
use crate::serve;
use crate::{algorithms, inspect, predict, train};

/// The commands, for a program's own command line.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// List the algorithms: names, tasks, papers; of one its parameters and limits
    Algorithms(algorithms::Args),
    /// Learn a table into a model file
    ///
    /// Rows are learned as they come and are never all in memory: the first ones (--fit-rows) say what the columns
    /// are, and are learned first. Standard input, a file, and any --batch or --threads give the same model, bit for bit.
    /// Ctrl-C, SIGTERM and SIGHUP save what was learned and end with 130, 143 and 129. A second signal within 2 s is the same
    /// request; a third one, or a later one, ends at once, and what was learned since the last checkpoint is lost.
    ///
    /// Endless streams: by default, a forest keeps every row that it learns, and takes more and more memory. A learner that
    /// keeps a bounded part is made with --algorithm mondrian:max_nodes=100000 (trees stop to grow and keep no rows, their
    /// statistics go on) or --algorithm mondrian:window=100000 (the latest rows, the others are forgotten); `algorithms
    /// NAME` lists the parameters of others. Without a bound, training ends before it needs more than
    /// --max-memory, saves what was learned and ends with 1. `--checkpoint` says how much a power cut may lose.
    Train {
        /// What to learn, into which file, and how.
        #[command(flatten)]
        args: Box<train::Args>,
        /// In which processes the trees are.
        #[cfg(feature = "distributed")]
        #[command(flatten)]
        shards: distributed::TrainOptions,
    },
    /// Answer the rows of a table with a model
    ///
    /// One answer a row, in the order of the rows, as CSV with a header or as JSON lines: the prediction first. A row
    /// that cannot be read has an empty answer.
    Predict {
        /// What to answer, with which model.
        #[command(flatten)]
        args: Box<predict::Args>,
        /// In which processes the trees are.
        #[cfg(feature = "distributed")]
        #[command(flatten)]
        place: distributed::PlaceOptions,
    },
    /// Make one model file of the checkpoints of a training in several processes
    ///
    /// The newest checkpoint that is complete counts. Then `train` goes on from the file in any number of processes, and
    /// `predict` answers with it.
    #[cfg(feature = "distributed")]
    Join(distributed::JoinArgs),
    /// Tell what is in a model: settings, size, importance of features, trees, one answer explained
    Inspect(inspect::Args),
    /// Answer and learn rows that come by HTTP
    ///
    /// `POST /predict`, `/learn`, `/predict-then-learn`: JSON objects or CSV; `GET /` shows how the model does. SIGTERM and
    /// Ctrl-C save what was learned and end with 0. docs/service.md describes it.
    #[cfg(feature = "serve")]
    Serve {
        /// Which model to serve, where, and how much at once.
        #[command(flatten)]
        args: Box<forest_service::Args>,
        /// If there is no model, make it first: options of `train`, without --model, such as "--data first.csv --target price".
        /// What is posted later is learned as if it stood below these rows
        #[arg(
            long,
            value_name = "OPTIONS",
            allow_hyphen_values = true,
            conflicts_with = "read_only"
        )]
        new: Option<serve::NewModel>,
    },
}

impl Command {
    /// Does what was asked.
    ///
    /// # Errors
    /// What cannot be understood, opened or written.
    pub fn run(&self) -> Result<ExitCode, CommandError> {
        interrupt::report_large_files();
        match self {
            Self::Algorithms(args) => algorithms::run(args),
            #[cfg(feature = "distributed")]
            Self::Train { args, shards } if shards.are_asked_for() => {
                processes::train(args, shards)
            }
            Self::Train { args, .. } => train::run(args),
            #[cfg(feature = "distributed")]
            Self::Predict { args, place } if place.are_asked_for() => {
                processes::predict(args, place)
            }
            Self::Predict { args, .. } => predict::run(args),
            #[cfg(feature = "distributed")]
            Self::Join(args) => distributed::join(args),
            Self::Inspect(args) => inspect::run(args),
            #[cfg(feature = "serve")]
            Self::Serve { args, new } => serve::run(args, new.as_ref()),
        }
    }
}

//! Commands of the workspace: `cargo xtask algorithms …`, `compare …`, `reproduce …`, `data …`, `plot …`.
//!
//! `cargo xtask` is built without what a first comparison does not use; `cargo xtask-all` has all of the package.

mod algorithms;
mod compare;
mod data;
mod plot;
#[cfg(feature = "reproduce")]
mod reproduce;
mod terminal;

#[cfg(not(feature = "reproduce"))]
use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};
use comparison::host::print_line;

const AFTER_HELP: &str = if cfg!(feature = "reproduce") {
    ""
} else {
    "`cargo xtask-all` also has `reproduce` (tables and figures of the papers), downloads, Parquet and Arrow files, \
     and the offline learners of smartcore"
};

#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", version)]
#[command(about = "Commands of the workspace", after_help = AFTER_HELP)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// List the algorithms; with NAME, show its parameters and limitations
    Algorithms(algorithms::Args),
    /// Compare online forests with each other and with a trivial baseline
    Compare(Box<compare::Args>),
    /// Tables and figures of the papers, and verdicts on what they claim
    #[cfg(feature = "reproduce")]
    Reproduce(reproduce::Request),
    /// Tables and figures of the papers: a command of `cargo xtask-all`
    #[cfg(not(feature = "reproduce"))]
    Reproduce {
        #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
        _arguments: Vec<OsString>,
    },
    /// Named data sets: list, verify, fetch, show
    Data(data::Args),
    /// Pictures of the partition of a tree
    Plot(plot::Args),
}

fn main() -> ExitCode {
    Cli::parse().command.run().unwrap_or_else(|error| {
        let mut text = terminal::in_words(&error);
        if text.contains("built without") {
            text += "; `cargo xtask-all` is built with it";
        }
        print_line(&format!("error: {text}"));
        ExitCode::FAILURE
    })
}

impl Command {
    fn run(self) -> Result<ExitCode> {
        match self {
            Self::Algorithms(args) => algorithms::run(&args),
            Self::Compare(args) => compare::run(*args),
            #[cfg(feature = "reproduce")]
            Self::Reproduce(request) => {
                reproduce::run(&request).map(|failed| u8::from(failed).into())
            }
            #[cfg(not(feature = "reproduce"))]
            Self::Reproduce { .. } => anyhow::bail!("`cargo xtask` was built without `reproduce`"),
            Self::Data(args) => data::run(&args),
            Self::Plot(args) => plot::run(&args),
        }
    }
}

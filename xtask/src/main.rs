//! Commands of the workspace: `cargo xtask algorithms …`, `compare …`, `reproduce …`, `data …`, `plot …`,
//! `train …`, `predict …`, `inspect …`, `serve …`.

#[cfg(feature = "models")]
mod algorithms;
mod compare;
mod data;
mod part;
mod plot;
#[cfg(feature = "reproduce")]
mod reproduce;
mod terminal;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};
use evaluation::notice::print_line;
use part::Part;

#[derive(Parser)]
#[command(
    name = "cargo xtask",
    bin_name = "cargo xtask",
    version,
    about = "Commands of the workspace",
    after_help = part::help()
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Compare online forests with each other and with a trivial baseline
    Compare(Box<compare::Args>),
    /// Tables and figures of the papers, and verdicts on what they claim
    #[cfg(feature = "reproduce")]
    Reproduce(reproduce::Args),
    /// Named data sets: list, verify, fetch, show
    Data(data::Args),
    /// Pictures: the partition of a tree, charts of tables
    Plot(plot::Args),
    #[cfg(feature = "models")]
    #[command(flatten)]
    Model(online_forests_cli::Command),
}

fn main() -> ExitCode {
    #[cfg(feature = "baselines")]
    smartcore_baselines::register();
    run().unwrap_or_else(|error| {
        print_line(&format!("error: {}", terminal::in_words(&error)));
        ExitCode::FAILURE
    })
}

/// Runs the command, here or in a build of this program that has the part for it.
fn run() -> Result<ExitCode> {
    // Paths may not be UTF-8; names of commands and options are.
    let words = std::env::args_os().skip(1);
    let words: Vec<String> = words
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    if let Some(part) = Part::missing_for(&words) {
        return part.build_and_restart();
    }
    let result = match Cli::try_parse() {
        Ok(cli) => cli.command.run(),
        Err(error) => match Part::missing_in(&error) {
            None => error.exit(),
            Some(part) => return part.build_and_restart(),
        },
    };
    result.or_else(|error| match Part::missing_in(error.as_ref()) {
        None => Err(error),
        Some(part) => part.build_and_restart(),
    })
}

impl Command {
    fn run(self) -> Result<ExitCode> {
        match self {
            Self::Compare(args) => compare::run(&args),
            #[cfg(feature = "reproduce")]
            Self::Reproduce(args) => reproduce::run(&args),
            Self::Data(args) => data::run(&args),
            Self::Plot(args) => plot::run(&args),
            #[cfg(feature = "models")]
            Self::Model(online_forests_cli::Command::Algorithms(args)) => algorithms::run(&args),
            #[cfg(feature = "models")]
            Self::Model(command) => Ok(command.run()?),
        }
    }
}

//! Commands of the workspace: `cargo xtask algorithms …`, `compare …`, `reproduce …`, `data …`, `plot …`,
//! `train …`, `predict …`, `inspect …`.

mod algorithms;
mod compare;
mod data;
mod plot;
mod reproduce;
mod terminal;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use evaluation::notice::print_line;

#[derive(Parser)]
#[command(
    name = "cargo xtask",
    bin_name = "cargo xtask",
    version,
    about = "Commands of the workspace"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// What can be compared: names, tasks, papers; of one algorithm its parameters and limits
    Algorithms(algorithms::Args),
    /// Compare online forests with each other and with a trivial baseline
    Compare(compare::Args),
    /// Tables and figures of the papers, and verdicts on what they claim
    Reproduce(reproduce::Args),
    /// Named data sets: list, verify, fetch, show
    Data(data::Args),
    /// Pictures: the partition of a tree, charts of tables
    Plot(plot::Args),
    #[command(flatten)]
    Model(online_forests_cli::Command),
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Algorithms(args) => algorithms::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Reproduce(args) => reproduce::run(&args),
        Command::Data(args) => data::run(&args),
        Command::Plot(args) => plot::run(&args),
        Command::Model(command) => command.run().map_err(Into::into),
    };
    result.unwrap_or_else(|error| {
        print_line(&format!("error: {}", terminal::in_words(&error)));
        ExitCode::FAILURE
    })
}

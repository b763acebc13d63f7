//! Commands of the workspace: `cargo xtask data …`.

mod data;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", about = "Commands of the workspace")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Named data sets: list, verify, fetch, show
    Data(data::Args),
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Data(args) => data::run(&args),
    };
    result.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}

//! `online-forests`: train, predict, inspect and serve from a shell.

use std::process::ExitCode;

use clap::Parser;
use online_forests_cli::Command;

#[derive(Parser)]
#[command(
    name = "online-forests",
    version,
    about = "Forests that learn online, from a shell"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

fn main() -> ExitCode {
    Cli::parse().command.run().unwrap_or_else(|error| {
        eprintln!("error: {error}");
        ExitCode::FAILURE
    })
}

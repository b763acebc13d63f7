//! The program: its command line and its exit codes.

use std::fmt::Display;
use std::io::ErrorKind;
use std::process::ExitCode;

use clap::Parser;

use crate::command::Command;

#[derive(Parser)]
#[command(
    name = "online-forests",
    version,
    about = "Online random forests on the command line"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// Runs the program `online-forests` with the command line of the process.
///
/// A program that [submits](online_forests::submit) algorithms of its own and calls this is the same program with them.
pub fn run() -> ExitCode {
    match Cli::try_parse() {
        Ok(cli) => cli.command.run().unwrap_or_else(report_failure),
        Err(usage) => print(&usage),
    }
}

fn report_failure(error: impl Display) -> ExitCode {
    eprintln!("error: {error}");
    ExitCode::FAILURE
}

/// Prints help, the version, or what is wrong with the command line.
fn print(usage: &clap::Error) -> ExitCode {
    match usage.print() {
        // A reader that has closed the pipe, as `head` does, has read enough.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            report_failure(format_args!("cannot write standard output: {error}"))
        }
        _ => u8::try_from(usage.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from),
    }
}

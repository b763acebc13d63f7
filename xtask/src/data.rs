//! `cargo xtask data`: lists, verifies, fetches and shows data sets.

mod files;
mod list;
mod show;

use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};

#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,

    /// The folder with the named sets, one folder each
    #[arg(long, value_name = "DIR", env = "FOREST_DATA", default_value = datasets::DEFAULT_DATA_DIR, global = true)]
    data_dir: PathBuf,
}

#[derive(Clone, Debug, clap::Subcommand)]
enum Command {
    /// Every named set and generator, and which sets are in the data folder
    List,
    /// Compare the checksum of every file in the data folder with the manifest
    Verify,
    /// Download the files of named sets that are not there yet
    Fetch {
        /// Names from `cargo xtask data list`
        #[arg(required = true, value_name = "NAME")]
        names: Vec<String>,
    },
    /// Shape, target, first rows, source and licence of one data set
    Show {
        /// A named set, a file, or a generator such as `friedman:d=10,n=20000`
        #[arg(value_name = "NAME|PATH")]
        address: String,

        #[command(flatten)]
        options: show::Options,
    },
}

pub fn run(args: &Args) -> Result<ExitCode> {
    match &args.command {
        Command::List => print(&list::render(&args.data_dir)),
        Command::Verify => files::verify(&args.data_dir),
        Command::Fetch { names } => files::fetch_all(names, &args.data_dir),
        Command::Show { address, options } => {
            print(&show::render(address, options, &args.data_dir)?)
        }
    }
}

/// Writes to standard output. That a reader closes it early (`… | head`) is not an error.
fn print(text: &str) -> Result<ExitCode> {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(error).context("cannot write to standard output")
        }
        _ => Ok(ExitCode::SUCCESS),
    }
}

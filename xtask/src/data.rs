//! `cargo xtask data`: lists, verifies, fetches and shows data sets.

mod files;
mod list;
mod show;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use comparison::notice::print_line;
use datasets::{DataError, Dataset, OpenOptions, TableOptions, TargetColumn, TaskKind};

use crate::terminal::print;

#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,

    /// The folder with the named sets, one folder each
    #[arg(long, value_name = "DIR", env = "FOREST_DATA", default_value = datasets::DEFAULT_DATA_DIR, global = true)]
    data_dir: PathBuf,
}

/// Options of reading a data set.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Reading {
    /// The column to predict [default: that of a named set; the last of a table]
    #[arg(long, value_name = "COLUMN|first|last")]
    target: Option<TargetColumn>,

    /// How to learn the target [default: inferred from its values]
    #[arg(long, value_name = "classify|regress")]
    task: Option<TaskKind>,

    #[command(flatten)]
    table: TableOptions,
}

impl Reading {
    /// Opens a data set, and prints warnings of guesses.
    pub(crate) fn open(&self, address: &OsStr, data_dir: &Path) -> Result<Dataset, DataError> {
        let options = OpenOptions {
            data_dir: Some(data_dir.to_owned()),
            target: self.target.clone(),
            task: self.task,
            table: self.table.clone(),
        };
        let (data, warnings) = datasets::open_with_warnings(address, &options)?;
        for warning in warnings {
            print_line(&format!("warning: {}: {warning}", data.name));
        }
        Ok(data)
    }
}

#[derive(Clone, Debug, clap::Subcommand)]
enum Command {
    /// Every named set and generator, and which sets are in the data folder
    List,
    /// Compare the checksum of every file in the data folder with the manifest
    Verify,
    /// Download the missing files of named sets
    Fetch {
        /// Names from `cargo xtask data list`
        #[arg(required = true, value_name = "NAME")]
        names: Vec<String>,
    },
    /// Shape, target, first rows, source and licence of one data set
    Show {
        /// A named set, a data set of OpenML by number (`openml:61`), a file, or a generator such as `friedman:d=10,n=20000`
        #[arg(value_name = "NAME|PATH")]
        address: OsString,

        #[command(flatten)]
        reading: Box<Reading>,
    },
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let folder = &args.data_dir;
    match &args.command {
        Command::List => print(&list::render(folder))?,
        Command::Verify => files::verify(folder)?,
        #[cfg(feature = "fetch")]
        Command::Fetch { names } => files::fetch_all(names, folder)?,
        #[cfg(not(feature = "fetch"))]
        Command::Fetch { .. } => anyhow::bail!("`cargo xtask` was built without downloads"),
        Command::Show { address, reading } => {
            print(&show::render(&reading.open(address, folder)?)?)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

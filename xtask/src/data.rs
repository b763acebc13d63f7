//! `cargo xtask data`: lists, verifies, fetches and shows data sets.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, ensure};
use comfy_table::Table;
use comparison::host::print_line;
use datasets::generators;
use datasets::manifest::{self, FileState};
use datasets::{DataError, Dataset, OpenOptions, TableOptions, Target, TaskKind};
use statrs::statistics::Statistics as _;

use crate::terminal::{align_right, print, table};

/// The first rows and features of a set, which are shown.
const SHOWN_ROWS: usize = 5;
const SHOWN_FEATURES: usize = 8;

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
    target: Option<String>,

    /// How to learn the target [default: inferred from its values]
    #[arg(long, value_name = "classify|regress")]
    task: Option<TaskKind>,

    #[command(flatten)]
    table: TableOptions,
}

impl Reading {
    /// Opens a data set, and prints warnings of guesses.
    pub(crate) fn open(
        &self,
        address: &OsStr,
        data_dir: Option<PathBuf>,
    ) -> Result<Dataset, DataError> {
        let options = OpenOptions {
            data_dir,
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
        /// A named set, a data set of OpenML by number (`openml:61`), a file, or a generator such as
        /// `friedman:d=10,n=20000`
        #[arg(value_name = "NAME|PATH")]
        address: OsString,

        #[command(flatten)]
        reading: Box<Reading>,
    },
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let folder = &args.data_dir;
    match &args.command {
        Command::List => print(&list(folder))?,
        Command::Verify => verify(folder)?,
        Command::Fetch { names } => fetch(names, folder)?,
        Command::Show { address, reading } => {
            print(&show(&reading.open(address, Some(folder.clone()))?))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn list(folder: &Path) -> String {
    let mut sets = table([
        "name", "task", "rows", "train", "features", "classes", "here", "licence",
    ]);
    for set in manifest::all() {
        let or_dash = |size: Option<usize>| size.map_or("–".to_owned(), |size| size.to_string());
        let is_here = if set.is_present(folder) { "yes" } else { "no" };
        sets.add_row([
            &set.name,
            &set.task.to_string(),
            &set.rows.to_string(),
            &or_dash(set.train),
            &set.n_features.to_string(),
            &or_dash(set.n_classes),
            is_here,
            &set.licence,
        ]);
    }
    align_right(&mut sets, 2..6);
    let mut made = table(["generator", "what it makes", "parameters and defaults"]);
    for generator in &generators::ALL {
        let takes = generator.takes();
        let defaults = takes.map(|one| format!("{}={}", one.name, one.default));
        let defaults = defaults.collect::<Vec<_>>().join(", ");
        made.add_row([generator.name, generator.title, &defaults]);
    }
    let folder = folder.display();
    format!(
        "Named sets; `here` means in the data folder `{folder}`:\n{sets}\n\n\
         Generators, addressed as `name:key=value,…`:\n{made}\n"
    )
}

/// Returns an error if a file differs from the manifest; a missing one is only listed.
fn verify(data_dir: &Path) -> Result<()> {
    let folder = data_dir.display();
    ensure!(
        data_dir.is_dir(),
        "no data folder at `{folder}`; set FOREST_DATA or --data-dir, or run `cargo xtask-all data fetch NAME`"
    );
    let mut states = table(["set", "file", "state"]);
    let mut different = 0;
    for set in manifest::all() {
        for (file, state) in manifest::verify(set, data_dir)? {
            different += usize::from(matches!(state, FileState::Different(_)));
            let (found, said) = match &state {
                FileState::Missing => (None, "missing"),
                FileState::Published(path) => (Some(path), "ok: the published file"),
                FileState::Copy(path) => (Some(path), "ok: the known copy"),
                FileState::Different(path) => (Some(path), "DIFFERENT: unknown checksum"),
            };
            let found = found.and_then(|path| path.file_name());
            let found = found.map_or((&file.name).into(), OsStr::to_string_lossy);
            states.add_row([&set.name, &*found, said]);
        }
    }
    print(&format!("{states}\n"))?;
    ensure!(
        different == 0,
        "{different} file(s) in `{folder}` differ from the manifest; move them away and fetch them again"
    );
    Ok(())
}

#[cfg(not(feature = "fetch"))]
fn fetch(_: &[String], _: &Path) -> Result<()> {
    anyhow::bail!("`cargo xtask` was built without downloads")
}

/// Fetches the sets one after another; every name is checked before the first download.
#[cfg(feature = "fetch")]
fn fetch(names: &[String], data_dir: &Path) -> Result<()> {
    use anyhow::Context as _;
    use datasets::fetch::{Fetched, fetch};

    let sets: Result<Vec<_>, _> = names.iter().map(|name| manifest::named(name)).collect();
    for set in sets? {
        let files = fetch(set, data_dir).with_context(|| format!("cannot fetch `{}`", set.name))?;
        for (file, fetched) in files {
            let state = match fetched {
                Fetched::AlreadyThere => "already there and whole",
                Fetched::Downloaded => "fetched and verified",
            };
            print(&format!("{}/{}: {state}\n", set.name, file.name))?;
        }
    }
    Ok(())
}

fn show(data: &Dataset) -> String {
    let mut text = String::new();
    let mut line = |key: &str, value: &str| text += &format!("{key:<9} {value}\n");
    line("name", &data.name);
    if let Some(set) = manifest::find(&data.name) {
        line("what", &set.title);
        line("source", &set.source);
        line("licence", &set.licence);
        line("note", &set.note);
    }
    line("task", &data.task().to_string());
    let rows = data.rows();
    let parts = match data.split {
        Some(train) => format!("{rows}: {train} train, {} test", rows - train),
        None => format!("{rows}, no standard split"),
    };
    line("rows", &parts);
    line("features", &data.n_features().to_string());
    if !data.changes.is_empty() {
        let changes: Vec<String> = data.changes.iter().map(usize::to_string).collect();
        line("changes", &format!("at row {}", changes.join(", ")));
    }
    if let Some(best) = data.best_accuracy {
        line("best", &format!("possible accuracy {best:.4}"));
    }
    line("sha256", &data.sha256.replace('+', "\n          "));
    match &data.target {
        Target::Classes { labels, names } => {
            let mut counts = Vec::new();
            for (class, name) in (0..).zip(names) {
                let rows = labels.iter().filter(|label| **label == class).count();
                counts.push(format!("{name} ({rows} rows)"));
            }
            line("classes", &counts.join(", "));
        }
        Target::Values { values, .. } => {
            let numbers = [values.mean(), values.std_dev(), values.min(), values.max()];
            let [mean, deviation, least, most] = numbers.map(|x| format!("{x:.4}"));
            let target = format!("{least} to {most}, mean {mean}, standard deviation {deviation}");
            line("target", &target);
        }
    }
    format!("{text}\n{}\n", first_rows(data))
}

fn first_rows(data: &Dataset) -> Table {
    let shown = data.n_features().min(SHOWN_FEATURES);
    let hidden = data.n_features() - shown;
    let mut header = data.feature_names[..shown].to_vec();
    if hidden > 0 {
        header.push(format!("{hidden} more"));
    }
    header.push("target".to_owned());
    let mut first = table::<0>([]);
    first.set_header(header);
    for row in 0..data.rows().min(SHOWN_ROWS) {
        let features = data.features.row(row);
        let mut cells: Vec<String> = features.iter().take(shown).map(f32::to_string).collect();
        if hidden > 0 {
            cells.push("…".to_owned());
        }
        cells.push(match &data.target {
            Target::Classes { labels, names } => names[labels[row] as usize].clone(),
            Target::Values { values, .. } => values[row].to_string(),
        });
        first.add_row(cells);
    }
    align_right(&mut first, 0..shown);
    first
}

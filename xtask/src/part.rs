//! Parts of this program that are built when a command needs them.
//!
//! `cargo xtask` is built without them, so that a first comparison need not wait for readers, downloads and learners that
//! it does not use. A command that finds a part missing restarts this program through cargo, with that part as a feature
//! and the same arguments; cargo keeps both builds.

use std::env;
use std::error::Error;
use std::process::{Command, ExitCode};

use anyhow::{Chain, Context, Result};
use datasets::{DataError, NotBuilt};
use evaluation::AnyAlgorithm;
use evaluation::notice::print_line;
use registry::AlgorithmError;
use tables::{FaultKind, TableError};
use thiserror::Error;

/// A part of this program: a feature of its package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Offline learners of smartcore.
    Baselines,
    /// Readers of Parquet and Arrow files.
    Columnar,
    /// Downloads of named sets.
    Fetch,
    /// `algorithms`, `train`, `predict`, `inspect` and `join`.
    Models,
    /// `reproduce`.
    Reproduce,
    /// `serve`.
    Serve,
}

/// A part that is needed, and not built.
#[derive(Clone, Copy, Debug, Error)]
#[error("needs {}, built by the feature `{}` of xtask", .0.what(), .0.feature())]
pub(crate) struct Missing(pub Part);

/// Commands of parts, and their description in `--help`.
const COMMANDS: [(&str, Part, &str); 7] = [
    (
        "algorithms",
        Part::Models,
        "List the algorithms; with NAME, show its parameters and limitations",
    ),
    (
        "reproduce",
        Part::Reproduce,
        "Tables and figures of the papers, and verdicts on what they claim",
    ),
    ("train", Part::Models, "Learn a table into a model file"),
    (
        "predict",
        Part::Models,
        "Predict the rows of a table with a model",
    ),
    (
        "inspect",
        Part::Models,
        "Show a model: settings, size, importance of features, trees",
    ),
    (
        "join",
        Part::Models,
        "Join the parts of a forest into one model file",
    ),
    ("serve", Part::Serve, "Predict and learn rows over HTTP"),
];

/// Returns the commands that are built when they are first used, for the end of `--help`.
pub(crate) fn help() -> String {
    let missing = COMMANDS.iter().filter(|(_, part, _)| !part.is_built());
    let lines: String = missing
        .map(|(name, _, about)| format!("  {name:<11} {about}\n"))
        .collect();
    if lines.is_empty() {
        lines
    } else {
        format!("Commands that are built when they are first used:\n{lines}")
    }
}

impl Part {
    /// Returns the part that a command line needs, if it is not built.
    pub(crate) fn missing_for(words: &[String]) -> Option<Self> {
        Self::for_command(words).filter(|part| !part.is_built())
    }

    fn for_command(words: &[String]) -> Option<Self> {
        let command = words.first()?;
        let (_, part, _) = COMMANDS.iter().find(|(name, ..)| name == command)?;
        Some(*part)
    }

    const ALL: [Self; 6] = [
        Self::Baselines,
        Self::Columnar,
        Self::Fetch,
        Self::Models,
        Self::Reproduce,
        Self::Serve,
    ];

    fn feature(self) -> &'static str {
        match self {
            Self::Baselines => "baselines",
            Self::Columnar => "columnar",
            Self::Fetch => "fetch",
            Self::Models => "models",
            Self::Reproduce => "reproduce",
            Self::Serve => "serve",
        }
    }

    fn what(self) -> &'static str {
        match self {
            Self::Baselines => "the offline learners of smartcore",
            Self::Columnar => "the readers of Parquet and Arrow",
            Self::Fetch => "downloads",
            Self::Models => "the commands algorithms, train, predict, inspect and join",
            Self::Reproduce => "the experiments of the papers",
            Self::Serve => "the command serve",
        }
    }

    fn is_built(self) -> bool {
        match self {
            Self::Baselines => cfg!(feature = "baselines"),
            Self::Columnar => cfg!(feature = "columnar"),
            Self::Fetch => cfg!(feature = "fetch"),
            Self::Models => cfg!(feature = "models"),
            Self::Reproduce => cfg!(feature = "reproduce"),
            Self::Serve => cfg!(feature = "serve"),
        }
    }

    /// An error if this part is not built.
    pub(crate) fn require(self) -> Result<(), Missing> {
        if self.is_built() {
            Ok(())
        } else {
            Err(Missing(self))
        }
    }

    /// The part whose absence is the cause of an error.
    pub(crate) fn missing_in(error: &(dyn Error + 'static)) -> Option<Self> {
        Chain::new(error).find_map(|cause| match cause.downcast_ref() {
            Some(Missing(part)) => Some(*part),
            None => missing_reader(cause),
        })
    }

    /// Restarts this program with this part and the same arguments, and returns its exit code.
    pub(crate) fn build_and_restart(self) -> Result<ExitCode> {
        print_line(&format!(
            "this command needs {}, which cargo builds at its first use (feature `{}` of xtask)",
            self.what(),
            self.feature(),
        ));
        let mut command = self.restart();
        run(&mut command).context("cannot start cargo")
    }

    /// `cargo run` of this program with the parts that it has and this one.
    fn restart(self) -> Command {
        let parts = Self::ALL.into_iter();
        let parts = parts.filter(|part| part.is_built() || *part == self);
        let features: Vec<&str> = parts.map(Self::feature).collect();
        let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command
            .args(["run", "--quiet", "--release", "--no-default-features"])
            .args([
                "--manifest-path",
                concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"),
            ])
            .args(["--features", &features.join(","), "--"])
            .args(env::args_os().skip(1));
        command
    }
}

/// A reader reports that it was built without Parquet and Arrow, or without downloads.
fn missing_reader(cause: &(dyn Error + 'static)) -> Option<Part> {
    if let Some(error) = cause.downcast_ref::<DataError>() {
        return match error.not_built()? {
            NotBuilt::Columnar => Some(Part::Columnar),
            NotBuilt::Fetch => Some(Part::Fetch),
        };
    }
    let TableError { fault, .. } = cause.downcast_ref()?;
    (fault.kind() == FaultKind::NotBuilt).then_some(Part::Columnar)
}

/// Takes the place of this process, so that signals reach the new one alone.
#[cfg(unix)]
pub(crate) fn run(command: &mut Command) -> Result<ExitCode> {
    use std::os::unix::process::CommandExt as _;
    Err(command.exec().into())
}

#[cfg(not(unix))]
pub(crate) fn run(command: &mut Command) -> Result<ExitCode> {
    let code = command
        .status()?
        .code()
        .and_then(|code| code.try_into().ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}

/// An algorithm by its name. A name that is not known may be one of a part that is not built: with it, either the name is
/// known, or the error lists all.
///
/// # Errors
/// [`Missing`], or what is wrong with the text.
pub(crate) fn algorithm(text: &str) -> Result<AnyAlgorithm, Box<dyn Error + Send + Sync>> {
    let algorithm = text.parse();
    if let Err(AlgorithmError::Unknown { .. }) = algorithm {
        Part::Baselines.require()?;
    }
    Ok(algorithm?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_line_names_its_part() {
        let of = |line: &str| {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            Part::for_command(&words)
        };
        assert_eq!(of("train --data a"), Some(Part::Models));
        assert_eq!(of("join a"), Some(Part::Models));
        assert_eq!(of("compare --part 1/2"), None);
    }

    #[test]
    fn a_missing_part_is_found_below_other_errors() {
        let missing = anyhow::Error::new(Missing(Part::Fetch)).context("cannot fetch `letter`");
        assert_eq!(Part::missing_in(missing.as_ref()), Some(Part::Fetch));
        let fault = tables::Fault::not_built("Parquet");
        let table = anyhow::Error::new(TableError::from(fault)).context("a.parquet");
        assert_eq!(Part::missing_in(table.as_ref()), Some(Part::Columnar));
        let other = anyhow::anyhow!("no file").context("a.csv");
        assert_eq!(Part::missing_in(other.as_ref()), None);
    }

    #[test]
    fn a_restart_has_the_parts_of_before_the_new_one_and_the_same_arguments() {
        let command = Part::Models.restart();
        let arguments: Vec<_> = command
            .get_args()
            .map(|text| text.to_string_lossy())
            .collect();
        let place = arguments
            .iter()
            .position(|text| text == "--features")
            .unwrap();
        assert!(
            arguments[place + 1]
                .split(',')
                .any(|feature| feature == "models")
        );
        let behind = arguments.iter().position(|text| text == "--").unwrap() + 1;
        let own = env::args().skip(1);
        assert!(
            arguments[behind..]
                .iter()
                .map(|text| text.to_string())
                .eq(own)
        );
    }
}

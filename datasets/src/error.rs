//! The errors, one type per concern. Each says what is wrong, where, and what to do about it.

use std::path::PathBuf;

use thiserror::Error;

use crate::TaskKind;
use crate::generators::GeneratorError;
use crate::readers::ReadError;

/// Everything that can happen between an address and a data set.
#[derive(Debug, Error)]
pub enum DataError {
    /// The address, or a word that goes with it, means nothing.
    #[error(transparent)]
    Address(#[from] AddressError),
    /// A generator's parameters are wrong.
    #[error(transparent)]
    Generator(#[from] GeneratorError),
    /// A named data set is not where it should be.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A file could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The files could be read, but what they hold is no data set for the task.
    #[error("{address}: {cause}")]
    Content {
        /// The address that was opened.
        address: String,
        /// What is wrong with it.
        cause: ContentError,
    },
}

/// An address, or a word that goes with it, that means nothing.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AddressError {
    /// Neither a named set, nor a generator, nor a file.
    #[error(
        "`{address}` is no data set, generator or file{nearest}\n  data sets:  {sets}\n  generators: {generators}\n  or the path of a file (CSV, ARFF, Parquet, Arrow, LIBSVM, IDX; also .gz, .bz2, .xz and .zst), or - for standard input"
    )]
    Unknown {
        /// What was asked for.
        address: String,
        /// `" (did you mean …?)"` or nothing.
        nearest: String,
        /// Names of the manifest.
        sets: String,
        /// Names of the generators.
        generators: String,
    },
    /// Not in the manifest, where only a named set will do.
    #[error("`{name}` is no named data set{nearest}; there are {sets}")]
    NotNamed {
        /// What was asked for.
        name: String,
        /// `" (did you mean …?)"` or nothing.
        nearest: String,
        /// Names of the manifest.
        sets: String,
    },
    /// Something that looks like a path, where no file is.
    #[error("no file at `{}`; give the path of an existing file, or a name from `cargo xtask data list`", .0.display())]
    NoFile(PathBuf),
    /// A folder where a file is needed.
    #[error("`{}` is a folder; give the path of one file in it", .0.display())]
    IsFolder(PathBuf),
    /// An alteration without a row.
    #[error("`{0}` is no alteration; write `+flip=ROW` or `+from=ROW`, with the number of a row")]
    Alteration(String),
}

/// A named data set whose files are not there.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FolderError {
    /// The data folder itself is missing.
    #[error(
        "no data folder at `{}`; set FOREST_DATA or --data-dir to the folder that holds `{name}/`, or run `cargo xtask data fetch {name}`", folder.display()
    )]
    NoDataFolder {
        /// The data set that was asked for.
        name: String,
        /// Where the data folder was expected.
        folder: PathBuf,
    },
    /// The folder is there, a file of the set is not.
    #[error(
        "`{name}` needs `{file}` in `{}`, and it is not there; run `cargo xtask data fetch {name}`, or point FOREST_DATA or --data-dir at the folder that holds `{name}/`", folder.display()
    )]
    MissingFile {
        /// The data set that was asked for.
        name: String,
        /// The missing file.
        file: String,
        /// The set's folder.
        folder: PathBuf,
    },
}

/// Readable content that is no data set for the task.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ContentError {
    /// LIBSVM and IDX files state where their labels are.
    #[error("{format} files fix where the target is; leave out the target column `{wanted}`")]
    FixedTarget {
        /// Name of the format.
        format: &'static str,
        /// What was asked for.
        wanted: String,
    },
    /// Columns cannot be chosen by name where they have none.
    #[error("{format} columns cannot be chosen; leave out --columns and --drop")]
    FixedColumns {
        /// Name of the format.
        format: &'static str,
    },
    /// A class for nearly every row: an identifier rather than a label.
    #[error(
        "the target has more than {limit} classes; it looks like an identifier or a measurement: choose another target column, or regress"
    )]
    TooManyClasses {
        /// The most classes accepted.
        limit: usize,
    },
    /// Generated data have one task.
    #[error("this data poses the task `{task}`; it cannot be used to `{asked}`")]
    OtherTask {
        /// The task it poses.
        task: TaskKind,
        /// The task that was asked for.
        asked: TaskKind,
    },
    /// Nothing to learn.
    #[error(
        "the target is the same in every row (`{value}`): there is nothing to learn; choose another target column"
    )]
    ConstantTarget {
        /// The one value.
        value: String,
    },
    /// A stream of one sample has no test part.
    #[error("{rows} row(s); at least 2 are needed")]
    TooFewRows {
        /// How many there are.
        rows: usize,
    },
    /// An alteration at a row where it would do nothing, or that is not there.
    #[error("`+{key}={row}`: there are {rows} rows; choose one from 1 to {}", rows - 1)]
    NoRow {
        /// `flip` or `from`.
        key: &'static str,
        /// What was asked for.
        row: usize,
        /// Rows there are.
        rows: usize,
    },
    /// Only a target.
    #[error("no features: the target is the only column")]
    NoFeatures,
    /// The logarithm of the target was asked for.
    #[error("row {row}: the target {value} has no logarithm")]
    NoLogarithm {
        /// Row counted from 1, in file order.
        row: usize,
        /// The target as text.
        value: String,
    },
    /// A named set that is not what the manifest describes.
    #[error(
        "{found} rows where the manifest says {expected}; run `cargo xtask data verify` to see which file differs"
    )]
    UnexpectedRows {
        /// Rows according to the manifest.
        expected: usize,
        /// Rows in the files.
        found: usize,
    },
}

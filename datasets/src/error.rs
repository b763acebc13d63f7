//! The errors, one type per concern. Each message states what is wrong, where, and what to do about it.

use std::path::PathBuf;

use thiserror::Error;

use crate::generators::GeneratorError;
use crate::readers::ReadError;
use crate::{OpenmlError, TaskKind};

/// Everything that can happen between an address and a data set.
#[derive(Debug, Error)]
pub enum DataError {
    /// The address, or an option that goes with it, is not valid.
    #[error(transparent)]
    Address(#[from] AddressError),
    /// A generator's parameters are wrong.
    #[error(transparent)]
    Generator(#[from] GeneratorError),
    /// A named data set is not where it should be.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A data set of OpenML cannot be found or downloaded.
    #[error(transparent)]
    Openml(#[from] OpenmlError),
    /// A file could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The files could be read, but their content is not a data set for the task.
    #[error("{address}: {cause}")]
    Content {
        /// The address that was opened.
        address: String,
        /// What is wrong with it.
        cause: ContentError,
    },
}

/// An address, or an option that goes with it, that is not valid.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AddressError {
    /// Neither a named set, nor a generator, nor a file.
    #[error(
        "unknown data set `{address}`{nearest}; available:\n  data sets:  {sets}\n  generators: {generators}\n  or openml:ID with a number of OpenML, the path of an existing file (CSV, ARFF, Parquet, Arrow, LIBSVM, IDX; also .gz, .bz2, .xz and .zst), or - for standard input"
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
    /// Not in the manifest, where a named set is required.
    #[error("unknown data set `{name}`{nearest}; available: {sets}")]
    NotNamed {
        /// What was asked for.
        name: String,
        /// `" (did you mean …?)"` or nothing.
        nearest: String,
        /// Names of the manifest.
        sets: String,
    },
    /// Something that looks like a path of a file that does not exist.
    #[error("`{}` does not exist; give the path of an existing file, or a name from `cargo xtask data list`", .0.display())]
    NoFile(PathBuf),
    /// A folder where a file is needed.
    #[error("`{}` is a folder; give the path of one file in it", .0.display())]
    IsFolder(PathBuf),
    /// A stream that changes, without its parts.
    #[error(
        "`{0}` is not a stream that changes; write `drift(A; B; at=ROW; width=ROWS)` or `recur(A; B; every=ROWS)`, with the addresses of \
         two data sets, and perhaps `; where=FEATURE<VALUE`"
    )]
    Drift(String),
    /// An alteration without a row.
    #[error(
        "`{0}` is not an alteration; write `+flip=ROW` or `+from=ROW`, with the number of a row"
    )]
    Alteration(String),
}

/// A named data set whose files are missing.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FolderError {
    /// The data folder itself is missing.
    #[error(
        "the data folder `{}` does not exist; set FOREST_DATA or --data-dir to the folder that holds `{name}/`, or run `cargo xtask-all data fetch {name}`", folder.display()
    )]
    NoDataFolder {
        /// The data set that was asked for.
        name: String,
        /// Where the data folder was expected.
        folder: PathBuf,
    },
    /// The folder exists, but a file of the set does not.
    #[error(
        "`{name}` needs `{file}` in `{}`, which does not exist; run `cargo xtask-all data fetch {name}`, or point FOREST_DATA or --data-dir at the folder that holds `{name}/`", folder.display()
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

/// Readable content that is not a data set for the task.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ContentError {
    /// LIBSVM and IDX files have a fixed place for labels.
    #[error(
        "the target of {format} files cannot be chosen; leave out the target column `{wanted}`"
    )]
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
        "the target has more than {limit} classes; it looks like an identifier or a measurement; choose another target column, or regression"
    )]
    TooManyClasses {
        /// The most classes accepted.
        limit: usize,
    },
    /// Generated data have one task.
    #[error(
        "this data set is for the task `{task}` and cannot be used to `{asked}`; leave the task out"
    )]
    OtherTask {
        /// The task of the data.
        task: TaskKind,
        /// The task that was asked for.
        asked: TaskKind,
    },
    /// A constant target.
    #[error(
        "the target is the same in every row (`{value}`), so there is nothing to learn; choose another target column"
    )]
    ConstantTarget {
        /// The one value.
        value: String,
    },
    /// A stream that changes from one data set to another with other columns or classes.
    #[error(
        "the first data set has {one}, but the second has {other}; choose two with the same columns and classes"
    )]
    Shapes {
        /// Columns and classes of the first.
        one: String,
        /// Those of the second.
        other: String,
    },
    /// The number of targets differs from the number of rows.
    #[error("{targets} targets for {rows} rows: each row needs exactly one")]
    Targets {
        /// Rows there are.
        rows: usize,
        /// Targets there are.
        targets: usize,
    },
    /// A stream of one sample has no test part.
    #[error("{rows} row(s), but at least 2 are needed")]
    TooFewRows {
        /// How many there are.
        rows: usize,
    },
    /// An alteration at a row where it would have no effect, or that does not exist.
    #[error("`+{key}={row}` is out of range: there are {rows} rows; choose one from 1 to {}", rows - 1)]
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
    /// The feature that decides where a stream changes does not exist.
    #[error("the stream cannot change in unknown feature `{name}`; choose one of {names}")]
    NoSuchFeature {
        /// What was asked for.
        name: String,
        /// Features there are.
        names: String,
    },
    /// The logarithm of the target was asked for.
    #[error("row {row}: the target {value} has no logarithm")]
    NoLogarithm {
        /// Row counted from 1, in file order.
        row: usize,
        /// The target as text.
        value: String,
    },
    /// A named set that does not match the manifest.
    #[error(
        "{found} rows, but the manifest states {expected}; run `cargo xtask data verify` to see which file differs"
    )]
    UnexpectedRows {
        /// Rows according to the manifest.
        expected: usize,
        /// Rows in the files.
        found: usize,
    },
}

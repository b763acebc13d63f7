//! Files to numbers: bytes → format → matrix and target.
//!
//! Each reader takes the files of one data set (training part first, test part second) and returns their rows one after
//! another. CSV, ARFF, LIBSVM, Parquet and Arrow are read by the crate `tables`, which also serves streams. IDX holds
//! nothing but numbers and goes straight to a matrix: the crates for it read MNIST alone, or are under the GPL.

mod content;
mod format;
mod idx;
mod libsvm;
mod table;

use ndarray::Array2;

pub(crate) use content::{Content, PACKED, STANDARD_INPUT, find_digest};
pub use format::Format;

use tables::{TableFormat, TableOptions, TargetColumn, Warning};

use crate::{DataError, TaskKind};

/// More cells than this (2 GiB of `f32`) are refused rather than left to the memory allocator.
pub(crate) const MAX_CELLS: usize = 1 << 29;

/// Rows of numbers and their targets.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) features: Array2<f32>,
    pub(crate) names: Vec<String>,
    pub(crate) target: RawTarget,
    pub(crate) target_name: String,
    /// The name of a feature that is a date and ascends from the first row to the last.
    pub(crate) ascending_dates: Option<String>,
    /// Rows of each file, in order.
    pub(crate) parts: Vec<usize>,
}

/// A target per row.
#[derive(Debug)]
pub(crate) enum RawTarget {
    Numbers(Vec<f64>),
    /// Names of classes.
    Classes(Vec<String>),
}

/// Options of a reader besides the bytes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Layout {
    /// `None`: the last column of a table, or the format's own place.
    pub(crate) target: Option<TargetColumn>,
    /// `None`: the one that the target suggests.
    pub(crate) task: Option<TaskKind>,
    pub(crate) table: TableOptions,
    /// A column of text whose order is the order of the stream.
    pub(crate) order_by: Option<String>,
}

/// Reads the files of one data set, all of one format, and returns what was guessed.
pub(crate) fn read(
    address: &str,
    format: Format,
    files: &[Content],
    layout: &Layout,
) -> Result<(Block, Vec<Warning>), DataError> {
    let fixed = |name| check_fixed(address, name, layout.target.as_ref(), &layout.table);
    Ok(match format {
        Format::Csv => table::read(files, TableFormat::Csv, layout)?,
        Format::Arff => table::read(files, TableFormat::Arff, layout)?,
        Format::Columnar => table::read(files, TableFormat::Columnar, layout)?,
        Format::Libsvm => {
            fixed("LIBSVM")?;
            table::read(
                files,
                TableFormat::Csv,
                &libsvm::with_indices(files, layout)?,
            )?
        }
        Format::Idx => {
            fixed("IDX")?;
            idx::read(files, layout.task)?
        }
    })
}

/// Loads a file, with the second one that its format may need.
pub(crate) fn with_companion(format: Format, file: Content) -> Result<Vec<Content>, DataError> {
    match format {
        Format::Idx => {
            let labels = idx::load_labels(&file)?;
            Ok(vec![file, labels])
        }
        _ => Ok(vec![file]),
    }
}

/// Refuses a choice of columns for formats without names of columns, instead of ignoring it.
pub(crate) fn check_fixed(
    address: &str,
    format: &'static str,
    target: Option<&TargetColumn>,
    table: &TableOptions,
) -> Result<(), DataError> {
    match target {
        Some(wanted) => Err(DataError::new(format!(
            "{address}: the target of {format} files cannot be chosen; leave out the target column `{}`",
            tables::short(&wanted.to_string())
        ))),
        None if table.choose_columns() => Err(DataError::new(format!(
            "{address}: {format} columns cannot be chosen; leave out --columns and --drop"
        ))),
        None => Ok(()),
    }
}

impl RawTarget {
    /// Number of rows.
    pub(crate) fn len(&self) -> usize {
        match self {
            RawTarget::Numbers(numbers) => numbers.len(),
            RawTarget::Classes(words) => words.len(),
        }
    }
}

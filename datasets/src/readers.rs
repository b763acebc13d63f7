//! Files to numbers: bytes → format → matrix and target.
//!
//! Each reader takes the files of one data set (training part first, test part second) and returns their rows one after
//! another. CSV, ARFF, Parquet and Arrow are read by the crate `tables`, which also serves streams. LIBSVM and IDX hold
//! nothing but numbers and go straight to a matrix.
//!
//! Why our own readers for two small formats: LIBSVM readers come only inside bindings to the C library; the IDX crates
//! read MNIST alone, or are under the GPL.

mod content;
mod error;
mod format;
mod idx;
mod libsvm;
mod table;

use ndarray::Array2;

pub(crate) use content::{Content, PACKED, STANDARD_INPUT, find_digest};
pub use error::{Fault, ReadError};
pub use format::Format;

use tables::{TableOptions, TargetColumn, Warning};

use crate::{ContentError, DataError};

/// More cells than this (2 GiB of `f32`) are refused rather than left to the memory allocator.
pub(crate) const MAX_CELLS: usize = 1 << 29;

/// Rows of numbers and the target as it was written, before a task is chosen.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) features: Array2<f32>,
    pub(crate) names: Vec<String>,
    pub(crate) target: RawTarget,
    pub(crate) target_name: String,
    /// Rows of each file, in order.
    pub(crate) parts: Vec<usize>,
}

/// The target as it was written.
#[derive(Debug)]
pub(crate) enum RawTarget {
    Numbers(Vec<f64>),
    Text(Vec<String>),
}

/// What a reader has to know besides the bytes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Layout {
    /// `None`: the last column of a table, and where the format says otherwise.
    pub(crate) target: Option<TargetColumn>,
    pub(crate) table: TableOptions,
    /// A column of text whose order is the order of the stream.
    pub(crate) order_by: Option<String>,
}

/// Reads the files of one data set, all of one format, and says what was guessed.
pub(crate) fn read(
    address: &str,
    format: Format,
    files: &[Content],
    layout: &Layout,
) -> Result<(Block, Vec<Warning>), DataError> {
    let block = match format {
        Format::Table(format) => return Ok(table::read(files, format, layout)?),
        Format::Libsvm => {
            check_fixed(address, "LIBSVM", layout.target.as_ref(), &layout.table)?;
            return Ok(libsvm::read(files, layout.table.indices)?);
        }
        Format::Idx => {
            check_fixed(address, "IDX", layout.target.as_ref(), &layout.table)?;
            idx::read(files)?
        }
    };
    Ok((block, Vec::new()))
}

/// A file, with the second one that its format may need.
pub(crate) fn with_companion(format: Format, file: Content) -> Result<Vec<Content>, ReadError> {
    match format {
        Format::Idx => {
            let labels = idx::load_labels(&file)?;
            Ok(vec![file, labels])
        }
        Format::Table(_) | Format::Libsvm => Ok(vec![file]),
    }
}

/// Formats without columns to choose from refuse a choice instead of ignoring it.
pub(crate) fn check_fixed(
    address: &str,
    format: &'static str,
    target: Option<&TargetColumn>,
    table: &TableOptions,
) -> Result<(), DataError> {
    let cause = match target {
        Some(wanted) => ContentError::FixedTarget {
            format,
            wanted: tables::short(&wanted.to_string()),
        },
        None if table.choose_columns() => ContentError::FixedColumns { format },
        None => return Ok(()),
    };
    Err(DataError::Content {
        address: address.to_owned(),
        cause,
    })
}

impl RawTarget {
    /// Number of rows.
    pub(crate) fn len(&self) -> usize {
        match self {
            RawTarget::Numbers(numbers) => numbers.len(),
            RawTarget::Text(words) => words.len(),
        }
    }
}

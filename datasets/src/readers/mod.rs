//! Files to numbers: bytes → format → matrix and target.
//!
//! Each format has a module; each takes the files of one data set (training part first, test part second) and
//! returns their rows one after another. CSV and ARFF meet in a table of text cells, which one encoder turns into
//! numbers: text columns become one column of zeros and ones per value, called `column=value`. LIBSVM and IDX hold
//! nothing but numbers and go straight there.
//!
//! Why our own readers for three small formats: the `arff` crate (0.3.0) has not been released
//! since 2019 and cannot tell a nominal value from a string; LIBSVM readers come only inside bindings to the C
//! library; the IDX crates read MNIST alone, or are under the GPL. CSV is read by the `csv` crate.

mod arff;
mod column;
mod content;
mod csv_text;
mod encode;
mod error;
mod format;
mod idx;
mod libsvm;
mod table;

use ndarray::Array2;

pub(crate) use content::{Content, find_digest};
pub(crate) use encode::Columns;
pub use error::{Fault, ReadError};
pub use format::Format;

use crate::{ContentError, DataError, TargetColumn};

/// More cells than this (2 GiB of `f32`) are refused rather than left to the memory allocator.
pub(crate) const MAX_CELLS: usize = 1 << 29;

/// Rows of numbers and the target as it was written, before a task is chosen.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) features: Array2<f32>,
    pub(crate) names: Vec<String>,
    pub(crate) target: RawTarget,
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
    pub(crate) columns: Columns,
    /// A column of text whose order is the order of the stream.
    pub(crate) order_by: Option<String>,
}

/// Reads the files of one data set, all of one format.
pub(crate) fn read(
    address: &str,
    format: Format,
    files: &[Content],
    layout: &Layout,
) -> Result<Block, DataError> {
    let table = match format {
        Format::Csv => table::join(files, csv_text::read)?,
        Format::Arff => table::join(files, arff::read)?,
        Format::Libsvm => return fixed(address, "LIBSVM", layout).and(Ok(libsvm::read(files)?)),
        Format::Idx => return fixed(address, "IDX", layout).and(Ok(idx::read(files)?)),
    };
    encode::encode(address, table, layout)
}

/// A file, with the second one that its format may need.
pub(crate) fn with_companion(format: Format, file: Content) -> Result<Vec<Content>, ReadError> {
    match format {
        Format::Idx => {
            let labels = idx::load_labels(&file)?;
            Ok(vec![file, labels])
        }
        Format::Csv | Format::Arff | Format::Libsvm => Ok(vec![file]),
    }
}

/// Formats without columns to choose from refuse a choice instead of ignoring it.
fn fixed(address: &str, format: &'static str, layout: &Layout) -> Result<(), DataError> {
    match &layout.target {
        None => Ok(()),
        Some(wanted) => Err(DataError::Content {
            address: address.to_owned(),
            cause: ContentError::FixedTarget {
                format,
                wanted: wanted.to_string(),
            },
        }),
    }
}

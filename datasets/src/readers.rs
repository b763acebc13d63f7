//! Files to numbers: bytes → format → matrix and target.
//!
//! The files of one data set (training part first, test part second) are read one after another. CSV, ARFF, LIBSVM, Parquet and Arrow
//! are read by the crate `tables`, which also serves streams. IDX holds nothing but numbers and goes straight to a matrix: the crates
//! for it read MNIST alone, or are under the GPL.

mod content;
mod idx;

use ndarray::Array2;
use serde::Deserialize;
use tables::{
    Cell, Columns, Header, Indices, LibsvmRow, Lines, Record, Records, Row, TableError,
    TableFormat, TableOptions, TargetColumn, Warning,
};

use crate::{DataError, Target, TaskKind};
pub(crate) use content::{Content, PACKED, STANDARD_INPUT, find_digest, plain_name};

/// More cells than this (2 GiB of `f32`) are refused rather than left to the memory allocator.
pub(crate) const MAX_CELLS: usize = 1 << 29;

/// The formats that can be read, each also packed with gzip, bzip2, xz or (with the feature `columnar`) Zstandard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// CSV and its relatives.
    Csv,
    /// Weka's format.
    Arff,
    /// Parquet and Arrow.
    Columnar,
    /// `label index:value …`, zeros left out (the format of the LIBSVM and SVMlight tools).
    Libsvm,
    /// MNIST's format: big-endian dimensions, then unsigned bytes; images in one file, labels in another.
    Idx,
}

impl Format {
    /// Returns the format by the extension of the file if it is known, else by its first bytes.
    pub(crate) fn of(content: &Content) -> Self {
        let name = plain_name(&content.path);
        let extension = name
            .rsplit_once('.')
            .map(|(_, extension)| extension.to_lowercase());
        match extension.as_deref() {
            Some("arff") => Format::Arff,
            Some("libsvm" | "svm") => Format::Libsvm,
            Some("csv" | "tsv") => Format::Csv,
            Some("parquet" | "arrow" | "feather" | "ipc") => Format::Columnar,
            Some("idx") => Format::Idx,
            _ => sniff(&content.bytes),
        }
    }
}

fn sniff(bytes: &[u8]) -> Format {
    // Two zero bytes, the type of unsigned bytes, and at most a handful of dimensions.
    if let [0, 0, 0x08, 1..=4, ..] = bytes {
        return Format::Idx;
    }
    if tables::is_columnar(bytes) {
        return Format::Columnar;
    }
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    // The first line that is neither blank nor a comment of ARFF.
    let mut lines = text
        .split(|byte| *byte == b'\n')
        .map(|line| line.trim_ascii());
    let line = lines
        .find(|line| !line.is_empty() && !line.starts_with(b"%"))
        .unwrap_or_default();
    if line.starts_with(b"@") {
        Format::Arff
    } else if tables::looks_like_libsvm(&String::from_utf8_lossy(line)) {
        Format::Libsvm
    } else {
        Format::Csv
    }
}

/// Rows of numbers and their targets.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) features: Array2<f32>,
    pub(crate) names: Vec<String>,
    pub(crate) target: Target,
    pub(crate) target_name: String,
    /// The name of a feature that is a date and ascends from the first row to the last.
    pub(crate) ascending_dates: Option<String>,
    /// Rows of each file, in order.
    pub(crate) parts: Vec<usize>,
}

/// Options of a reader besides the bytes.
#[derive(Debug, Clone, Default)]
pub(crate) struct ReadOptions {
    /// `None`: the last column of a table, or the format's own place.
    pub(crate) target: Option<TargetColumn>,
    /// `None`: the one that the target suggests.
    pub(crate) task: Option<TaskKind>,
    pub(crate) table: TableOptions,
    /// A column of text whose order is the order of the stream.
    pub(crate) order_by: Option<String>,
}

impl ReadOptions {
    /// Refuses a choice of columns for what has no names of columns, instead of ignoring it.
    pub(crate) fn check_fixed(&self, address: &str, format: &str) -> Result<(), DataError> {
        if let Some(wanted) = &self.target {
            return Err(DataError::new(format!(
                "{address}: the target of {format} files cannot be chosen; leave out the target column `{}`",
                tables::short(&wanted.to_string())
            )));
        }
        if self.table.choose_columns() {
            return Err(DataError::new(format!(
                "{address}: {format} columns cannot be chosen; leave out --columns and --drop"
            )));
        }
        Ok(())
    }
}

/// Reads the files of one data set, all of one format, and returns what was guessed.
pub(crate) fn read(
    address: &str,
    format: Format,
    files: &[Content],
    options: &ReadOptions,
) -> Result<(Block, Vec<Warning>), DataError> {
    match format {
        Format::Csv => read_table(files, TableFormat::Csv, options),
        Format::Arff => read_table(files, TableFormat::Arff, options),
        Format::Columnar => read_table(files, TableFormat::Columnar, options),
        Format::Libsvm => {
            options.check_fixed(address, "LIBSVM")?;
            let mut options = options.clone();
            options.target = Some(TargetColumn::First);
            if options.table.indices.is_none() {
                options.table.indices = Some(find_indices(files)?);
            }
            read_table(files, TableFormat::Csv, &options)
        }
        Format::Idx => {
            options.check_fixed(address, "IDX")?;
            idx::read(files, options.task)
        }
    }
}

/// Loads a file, with the second one that its format may need.
pub(crate) fn with_companion(format: Format, file: Content) -> Result<Vec<Content>, DataError> {
    match format {
        Format::Idx => {
            let labels = Content::load(&idx::labels_beside(&file.path)?)?;
            Ok(vec![file, labels])
        }
        _ => Ok(vec![file]),
    }
}

/// Returns the indices that the rows of LIBSVM files have, together: from 0 if one is 0, as scikit-learn writes them, else from 1.
/// Rows that cannot be read are reported when they are read.
fn find_indices(files: &[Content]) -> Result<Indices, DataError> {
    let (mut first, mut last, mut rows) = (1, None, 0usize);
    for file in files {
        let of_file = |error| DataError::of(&file.path, error);
        let mut lines = Lines::new(file.bytes.as_slice(), None).map_err(of_file)?;
        while let Some(text) = lines.read().map_err(of_file)? {
            if let Ok(Some(row)) = LibsvmRow::parse(text) {
                rows += 1;
                first = row
                    .cells
                    .iter()
                    .fold(first, |first, cell| first.min(cell.0));
                last = last.max(row.cells.last().map(|cell| cell.0));
            }
        }
    }
    if last.is_none() && rows > 0 {
        return Err(DataError::of(&files[0].path, TableError::no_features()));
    }
    // A file without rows is reported when it is read.
    let last = last.unwrap_or(first);
    let columns = (last - first) as usize + 1;
    match format!("{first}-{last}").parse() {
        Ok(indices) if rows.saturating_mul(columns) <= MAX_CELLS => Ok(indices),
        _ => Err(DataError::too_large(files[0].path.display(), rows, columns)),
    }
}

/// Reads rows of text to a matrix and a target. Columns are those of the first file; a later one may lack a header but not a
/// column.
fn read_table(
    files: &[Content],
    format: TableFormat,
    options: &ReadOptions,
) -> Result<(Block, Vec<Warning>), DataError> {
    let of_first = |error| DataError::of(&files[0].path, error);
    let target = options.target.clone().unwrap_or_default();
    let mut header = Header::default();
    let (mut rows, mut by, mut warnings) = (Vec::new(), None, Vec::new());
    for (part, file) in files.iter().enumerate() {
        let of_file = |error| DataError::of(&file.path, error);
        let mut records =
            Records::in_format(file.bytes.as_slice(), format, &options.table).map_err(of_file)?;
        if part == 0 {
            header = records.header().clone();
        }
        // The features, the target and what rows are ordered by.
        let mut used = options
            .table
            .used_columns(&header, &target)
            .map_err(of_first)?;
        if let Some(name) = &options.order_by {
            let named = TargetColumn::Named(name.clone());
            by = Some(named.find(&header.names()).map_err(of_first)?);
            used.extend(by);
        }
        records.keep(&used);
        let (expected, found) = (header.columns().len(), records.header().columns().len());
        if expected != found {
            return Err(of_file(TableError::ragged(expected, found)));
        }
        for warning in records.warnings() {
            if !warnings.contains(warning) {
                warnings.push(warning.clone());
            }
        }
        let before = rows.len();
        for record in records {
            rows.push((part, record.map_err(of_file)?));
            // Sparse rows are short in the file and long in memory.
            if rows.len().saturating_mul(expected) > MAX_CELLS {
                return Err(DataError::too_large(
                    file.path.display(),
                    rows.len(),
                    expected,
                ));
            }
        }
        if rows.len() == before {
            return Err(of_file(TableError::empty()));
        }
    }
    if let Some(by) = by {
        // Stable: rows of the same day keep the order of the file.
        rows.sort_by(|a: &(usize, Record), b| a.1.cells[by].cmp(&b.1.cells[by]));
    }
    let (of_rows, rows): (Vec<usize>, Vec<Record>) = rows.into_iter().unzip();
    let fitted = Columns::fit(&header, &rows, &target, options.task, &options.table);
    let (columns, of_columns) = fitted.map_err(of_first)?;
    warnings.extend(of_columns);
    let width = columns.width();
    if rows.len().saturating_mul(width) > MAX_CELLS {
        return Err(DataError::too_large(
            files[0].path.display(),
            rows.len(),
            width,
        ));
    }
    let layout = columns.own_layout();
    let mut features = Vec::with_capacity(rows.len() * width);
    let (mut numbers, mut words, mut parts) = (Vec::new(), Vec::new(), vec![0; files.len()]);
    for (part, row) in of_rows.into_iter().zip(&rows) {
        let of_file = |error| DataError::of(&files[part].path, error);
        let Some(target) = columns.target(&layout, row).map_err(of_file)? else {
            continue;
        };
        if columns
            .features(&layout, row, &mut features)
            .map_err(of_file)?
            == Row::Dropped
        {
            continue;
        }
        match target {
            Cell::Number(number) => numbers.push(number),
            Cell::Class(name) => words.push(name.into_owned()),
        }
        parts[part] += 1;
    }
    let features = Array2::from_shape_vec((parts.iter().sum(), width), features)
        .expect("each row appended its width");
    let names = columns.feature_names();
    let ascends = |date: &usize| {
        let column = features.column(*date);
        column.first() < column.last() && column.iter().is_sorted()
    };
    let ascending = columns.dates().into_iter().find(ascends);
    let block = Block {
        ascending_dates: ascending.map(|date| names[date].clone()),
        features,
        names,
        target: if columns.target_is_number() {
            Target::numbers(numbers)
        } else {
            Target::classes(words)
                .map_err(|error| error.of_address(&files[0].path.to_string_lossy()))?
        },
        target_name: columns.target_name().to_owned(),
        parts,
    };
    Ok((block, warnings))
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;

    #[test]
    fn first_bytes_tell_the_format() {
        let cases: [(&[u8], Format); 8] = [
            (b"\0\0\x08\x03\0\0\0\x01", Format::Idx),
            (b"% about\n\n@RELATION x\n", Format::Arff),
            (b"+1 3:0.5 7:1\n", Format::Libsvm),
            (b"1,2,3\n", Format::Csv),
            (b"92 115 120 3\n", Format::Csv),
            (b"\xef\xbb\xbf+1 3:0.5\n", Format::Libsvm),
            (b"PAR1", Format::Columnar),
            (b"", Format::Csv),
        ];
        for (bytes, format) in cases {
            assert_eq!(sniff(bytes), format, "{}", String::from_utf8_lossy(bytes));
        }
    }

    #[test]
    fn files_of_libsvm_share_a_width_and_indices_may_count_from_zero() {
        let read = |texts: [&str; 2]| {
            let files = texts.map(|text| Content::of("x.svm", text.as_bytes()));
            read("x", Format::Libsvm, &files, &ReadOptions::default())
                .unwrap()
                .0
        };
        let block = read(["+1 1:0.5 # note\n\n-1 2:2\n", "1 4:1e-3\n"]);
        let expected = array![[0.5, 0., 0., 0.], [0., 2., 0., 0.], [0., 0., 0., 0.001]];
        assert_eq!((block.features, block.parts), (expected, vec![2, 1]));
        let block = read(["1 0:5 2:1\n", "2 1:7\n"]);
        assert_eq!(block.features, array![[5., 0., 1.], [0., 7., 0.]]);
        assert_eq!(block.names, ["f0", "f1", "f2"]);
    }
}

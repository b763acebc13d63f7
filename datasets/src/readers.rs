//! Files to numbers.
//!
//! The files of one data set (training part first, test part second) are read one after another. CSV, ARFF, LIBSVM,
//! Parquet and Arrow are read by the crate `tables`, which also serves streams. IDX holds only numbers and is read to a
//! matrix here: the crates for it read MNIST alone, or are under the GPL.

mod content;
mod idx;

use std::path::PathBuf;

use ndarray::Array2;
use tables::{
    Cell, Columns, Header, Indices, Record, Records, TableError, TableOptions, TaskKind, Warning,
};

pub(crate) use content::{Content, PACKED, STANDARD_INPUT, find_digest};

use crate::dataset::check_size;
use crate::error::{Result, refuse};
use crate::{DataError, Dataset, Target};
use content::plain_name;

/// Options besides the address. The default leaves them open: named sets know their own target and task.
#[derive(Debug, Clone, Default)]
pub struct OpenOptions {
    /// The folder that holds one folder per named set; `None` is [`DEFAULT_DATA_DIR`](crate::DEFAULT_DATA_DIR).
    pub data_dir: Option<PathBuf>,
    /// The target column of a table ([`tables::Header::target`]); `None` is that of the manifest, else the last column.
    pub target: Option<String>,
    /// The task; `None` is that of the manifest, else what the target suggests: text and whole numbers of at
    /// most 100 different values are classified, other numbers are regressed on.
    pub task: Option<TaskKind>,
    /// How tables are read: missing values, categories, dates, separators.
    pub table: TableOptions,
}

impl OpenOptions {
    fn target_column(&self) -> &str {
        self.target.as_deref().unwrap_or("last")
    }

    /// Refuses a choice of columns for data without names of columns.
    pub(crate) fn check_fixed(&self, address: &str, format: &str) -> Result {
        if self.target.is_some() {
            refuse!("{address}: the target of {format} files cannot be chosen; leave out --target");
        }
        if !self.table.columns.is_empty() || !self.table.drop.is_empty() {
            refuse!("{address}: {format} columns cannot be chosen; leave out --columns and --drop");
        }
        Ok(())
    }
}

impl Content {
    fn has_extension(&self, extensions: &[&str]) -> bool {
        let name = plain_name(&self.path).to_lowercase();
        let extension = name.rsplit_once('.').map_or("", |parts| parts.1);
        extensions.contains(&extension)
    }

    /// Returns whether it has images or labels: two zero bytes, the type of unsigned bytes, and at most a handful of
    /// dimensions.
    fn is_idx(&self) -> bool {
        matches!(self.bytes[..], [0, 0, 0x08, 1..=4, ..]) || self.has_extension(&["idx"])
    }

    /// Returns whether the first line that is neither blank nor a comment of ARFF is a row of LIBSVM's format.
    fn is_libsvm(&self) -> bool {
        let text = self.bytes.strip_prefix(b"\xef\xbb\xbf");
        let text = text.unwrap_or(&self.bytes).split(|byte| *byte == b'\n');
        let mut lines = text.map(|line| line.trim_ascii());
        let line = lines.find(|line| !line.is_empty() && !line.starts_with(b"%"));
        tables::looks_like_libsvm(&String::from_utf8_lossy(line.unwrap_or_default()))
            || self.has_extension(&["svm", "libsvm"])
    }
}

/// Reads the files of one data set, all of one format, and returns what was guessed. Rows are in the order of the
/// column `order_by`, if there is one.
pub(crate) fn read(
    address: &str,
    files: &[Content],
    options: &OpenOptions,
    order_by: Option<&str>,
) -> Result<(Dataset, Vec<Warning>)> {
    if files[0].is_idx() {
        options.check_fixed(address, "IDX")?;
        return idx::read(files, options.task);
    }
    if !files[0].is_libsvm() {
        return read_table(files, options, order_by);
    }
    options.check_fixed(address, "LIBSVM")?;
    let mut options = options.clone();
    options.target = Some("first".to_owned());
    if options.table.indices.is_none() {
        let indices = Indices::of_rows(files.iter().map(|file| file.bytes.as_slice()));
        let indices = indices.map_err(|error| DataError::of(&files[0].path, error))?;
        options.table.indices = Some(indices);
    }
    read_table(files, &options, order_by)
}

/// Loads the second file that images need.
pub(crate) fn with_companion(file: Content) -> Result<Vec<Content>> {
    if !file.is_idx() {
        return Ok(vec![file]);
    }
    let labels = Content::load(&idx::labels_beside(&file.path)?)?;
    Ok(vec![file, labels])
}

/// Returns the columns of the first file, and the rows of all files, each with the number of its file; adds what was
/// guessed to `warnings`. A later file may lack a header but not a column.
fn read_rows(
    files: &[Content],
    options: &OpenOptions,
    order_by: Option<&str>,
    warnings: &mut Vec<Warning>,
) -> Result<(Header, Vec<(usize, Record)>)> {
    let of_first = |error| DataError::of(&files[0].path, error);
    let table = &options.table;
    let mut header = Header::default();
    let mut rows = Vec::new();
    let mut by = None;
    for (part, file) in files.iter().enumerate() {
        let of_file = |error| DataError::of(&file.path, error);
        let mut records = Records::new(file.bytes.as_slice(), table).map_err(of_file)?;
        if part == 0 {
            header = records.header().clone();
        }
        // The features, the target and what rows are ordered by.
        let used = table.used_columns(&header, options.target_column());
        let mut used = used.map_err(of_first)?;
        if let Some(name) = order_by {
            by = Some(tables::find_column(name, &header.names()).map_err(of_first)?);
            used.extend(by);
        }
        records.keep(&used);
        let expected = header.names().len();
        let found = records.header().names().len();
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
            check_size(file.path.display(), rows.len(), expected)?;
        }
        if rows.len() == before {
            return Err(of_file(TableError::empty()));
        }
    }
    if let Some(by) = by {
        // Stable: rows of the same day keep the order of the file.
        rows.sort_by(|a: &(usize, Record), b| a.1.cells[by].cmp(&b.1.cells[by]));
    }
    Ok((header, rows))
}

/// Reads rows of text to a matrix and a target.
fn read_table(
    files: &[Content],
    options: &OpenOptions,
    order_by: Option<&str>,
) -> Result<(Dataset, Vec<Warning>)> {
    let mut warnings = Vec::new();
    let (header, rows) = read_rows(files, options, order_by, &mut warnings)?;
    let (file_of_row, rows): (Vec<usize>, Vec<Record>) = rows.into_iter().unzip();
    let target = options.target_column();
    let fitted = Columns::fit(&header, &rows, target, options.task, &options.table);
    let (columns, guesses) = fitted.map_err(|error| DataError::of(&files[0].path, error))?;
    warnings.extend(guesses);
    let layout = columns.own_layout();
    let width = columns.width();
    check_size(files[0].path.display(), rows.len(), width)?;
    let mut features = Vec::with_capacity(rows.len() * width);
    let mut numbers = Vec::new();
    let mut words = Vec::new();
    let mut parts = vec![0; files.len()];
    for (part, row) in file_of_row.into_iter().zip(&rows) {
        let of_file = |error| DataError::of(&files[part].path, error);
        let Some(target) = columns.target(&layout, row).map_err(of_file)? else {
            continue;
        };
        let unseen = columns.features(&layout, row, &mut features);
        match target {
            _ if unseen.map_err(of_file)?.is_none() => continue,
            Cell::Number(number) => numbers.push(number),
            Cell::Class(name) => words.push(name.into_owned()),
        }
        parts[part] += 1;
    }
    let shape = (parts.iter().sum(), width);
    let features = Array2::from_shape_vec(shape, features).expect("each row appended its width");
    let ascends = |date: &usize| {
        let column = features.column(*date);
        column.first() < column.last() && column.iter().is_sorted()
    };
    let ascending = columns.dates().into_iter().find(ascends);
    let of_address = |error: DataError| error.of_address(&files[0].path.to_string_lossy());
    let target = if columns.target_is_number() {
        Target::numbers(numbers)
    } else {
        Target::classes(words).map_err(of_address)?
    };
    let data = Dataset::new("", features, columns.feature_names(), target);
    let mut data = content::of_files(data, files, &parts, columns.target_name());
    data.ascending_dates = ascending.map(|date| data.feature_names[date].clone());
    Ok((data, warnings))
}

//! Text cells in rows and named columns: what CSV and ARFF files are before their words become numbers.

use std::path::PathBuf;

use csv::StringRecord;

use super::{Content, Fault, ReadError};

/// Rows of text, all as wide as `columns`.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) columns: Vec<Column>,
    pub(crate) rows: Vec<Row>,
    /// The files the rows came from.
    pub(crate) files: Vec<PathBuf>,
    /// Rows of each file, in order.
    pub(crate) parts: Vec<usize>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) kind: Kind,
}

/// What the cells of a column are.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Kind {
    /// To be told from the cells (CSV says nothing).
    Unstated,
    /// Declared a number.
    Numeric,
    /// Declared to be one of these words.
    Nominal(Vec<String>),
}

#[derive(Debug)]
pub(crate) struct Row {
    /// Index into [`Table::files`].
    pub(crate) file: usize,
    /// Line in that file, from 1.
    pub(crate) line: u64,
    pub(crate) cells: StringRecord,
}

/// Reads every file with `read` and puts their rows one after another.
///
/// Columns are taken from the first file; a later one may lack a header but not a column.
pub(crate) fn join(
    files: &[Content],
    read: fn(&Content) -> Result<Table, ReadError>,
) -> Result<Table, ReadError> {
    let mut tables = files.iter().map(read);
    let mut whole = tables.next().expect("a data set has at least one file")?;
    for table in tables {
        append(&mut whole, table?)?;
    }
    Ok(whole)
}

fn append(whole: &mut Table, part: Table) -> Result<(), ReadError> {
    let (expected, found) = (whole.columns.len(), part.columns.len());
    if expected != found {
        return Err(Fault::Ragged { expected, found }.of(&part.files[0]));
    }
    let file = whole.files.len();
    whole
        .rows
        .extend(part.rows.into_iter().map(|row| Row { file, ..row }));
    whole.files.extend(part.files);
    whole.parts.extend(part.parts);
    Ok(())
}

/// A table of one file; every row must be as wide as `columns`.
pub(crate) fn checked(
    file: &Content,
    columns: Vec<Column>,
    rows: Vec<Row>,
) -> Result<Table, ReadError> {
    let expected = columns.len();
    if let Some(row) = rows.iter().find(|row| row.cells.len() != expected) {
        return Err(Fault::Ragged {
            expected,
            found: row.cells.len(),
        }
        .at(&file.path, row.line));
    }
    match rows.len() {
        0 => Err(Fault::Empty.of(&file.path)),
        n => Ok(Table {
            columns,
            rows,
            files: vec![file.path.clone()],
            parts: vec![n],
        }),
    }
}

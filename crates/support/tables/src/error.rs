//! Errors and warnings: sentences, made where the fact is known. Cells and names in them are cut.

use std::io;

use forest_core::{FeatureValues, InputError, Rows};
use ndarray::ArrayView2;
use thiserror::Error;

/// A row of more bytes (16 MiB) is refused and passed over.
pub const MAX_ROW: usize = 1 << 24;

/// A cell of more bytes (1 MiB) is refused.
pub const MAX_CELL: usize = 1 << 20;

/// A row of more cells is refused.
pub const MAX_COLUMNS: usize = 1 << 20;

/// Unpacked content beyond this (2 GiB) is refused where it has to be held whole: a small file can hold an endless one.
pub const MAX_CONTENT: u64 = 1 << 31;

pub(crate) type Result<V = (), E = TableError> = std::result::Result<V, E>;

/// Returns from the function with this error.
macro_rules! refuse {
    ($($sentence:tt)*) => { return Err($crate::TableError::new(format!($($sentence)*))) };
}
pub(crate) use refuse;

/// An error of a table, of one row, or of fitting to rows: a sentence, in which cells and names are cut to 40
/// characters, and the line, if there is one.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}{text}", .line.map(|line| format!("line {line}: ")).unwrap_or_default())]
pub struct TableError {
    line: Option<u64>,
    text: String,
    ends_the_table: bool,
}

impl TableError {
    /// Returns an error of the format, a row, a column, a cell or an option.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            line: None,
            text: text.into(),
            ends_the_table: false,
        }
    }

    /// Returns an error after which nothing can be read.
    pub(crate) fn of_input(text: String) -> Self {
        let mut error = Self::new(text);
        error.ends_the_table = true;
        error
    }

    /// Returns the line on which the row begins, counted from 1 after decompression, in Parquet and Arrow files the
    /// number of the row; `None` when the error is not on one line.
    pub fn line(&self) -> Option<u64> {
        self.line
    }

    /// Returns the sentence without the line.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns whether later rows cannot be read, since the input itself failed.
    pub fn ends_the_table(&self) -> bool {
        self.ends_the_table
    }

    /// Returns the error at a line, unless it has one.
    pub(crate) fn at(mut self, line: u64) -> Self {
        self.line.get_or_insert(line);
        self
    }

    /// Returns the error of a table without rows.
    pub fn empty() -> Self {
        Self::new("holds no rows of data")
    }

    /// Returns the error of a table whose only column is the target.
    pub fn no_features() -> Self {
        Self::new("no features: the target is the only column")
    }

    /// Returns the error of a row of another number of cells than the rest.
    pub fn ragged(expected: usize, found: usize) -> Self {
        let cells = if found == 1 { "cell" } else { "cells" };
        let hint = match expected.min(found) {
            1 => "; if cells are separated by something else, set it with --delimiter",
            _ => "",
        };
        Self::new(format!("{found} {cells} instead of {expected}{hint}"))
    }

    pub(crate) fn no_column(wanted: &str, names: &[String]) -> Self {
        let known = || names.iter().map(String::as_str);
        let nearest = match wanted.len() {
            ..=200 => forest_core::parameters::did_you_mean(wanted, known()),
            _ => String::new(),
        };
        let wanted = short(wanted);
        let columns = listed(known());
        Self::new(format!("no column `{wanted}`{nearest}; columns: {columns}"))
    }

    pub(crate) fn too_many_columns() -> Self {
        Self::new(format!("more than {MAX_COLUMNS} columns"))
    }
}

impl From<io::Error> for TableError {
    /// Returns the error of the operating system, or the damage that a decoder reported.
    fn from(error: io::Error) -> Self {
        let hint = match error.raw_os_error() {
            None => "; it is damaged or cut short, fetch or copy it again",
            Some(_) => "",
        };
        Self::of_input(format!("cannot be read: {error}{hint}"))
    }
}

impl From<InputError> for TableError {
    fn from(error: InputError) -> Self {
        Self::new(error.to_string())
    }
}

/// Refuses rows that steps cannot be fitted to.
pub(crate) fn check_rows(rows: ArrayView2<'_, f32>, taken: FeatureValues) -> Result {
    let (count, features) = rows.dim();
    if count == 0 || features == 0 {
        refuse!("fitting needs a row and a feature, got {count} rows of {features} features");
    }
    Rows::check_values(rows, features, taken)?;
    Ok(())
}

/// A guess about a table, or a property that may be unintended: a sentence that names the option that decides.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{text}")]
pub struct Warning {
    text: String,
    /// Whether the warning is that the task was guessed.
    pub is_about_task: bool,
}

impl Warning {
    /// Returns a warning with this text, which is not about the task.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            is_about_task: false,
        }
    }
}

/// Returns the text, cut after 40 characters and then with its length: a cell may hold megabytes.
pub fn short(text: &str) -> String {
    match text.char_indices().nth(40) {
        None => text.to_owned(),
        Some((at, _)) => format!("{}… ({} bytes)", &text[..at], text.len()),
    }
}

/// Returns `a, b, c`, cut after a dozen names.
pub fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let mut names = names.into_iter();
    let shown = names.by_ref().take(12).map(short).collect::<Vec<_>>();
    match names.count() {
        0 => shown.join(", "),
        more => format!("{}, and {more} more", shown.join(", ")),
    }
}

//! TableErrors and warnings: sentences, made where the fact is known. Cells and names in them are cut.

use std::{fmt, io};

use thiserror::Error;

/// A row of more bytes (16 MiB) is refused and passed over.
pub const MAX_ROW: usize = 1 << 24;

/// A cell of more bytes (1 MiB) is refused.
pub const MAX_CELL: usize = 1 << 20;

/// A row of more cells is refused.
pub const MAX_COLUMNS: usize = 1 << 20;

/// Unpacked content beyond this (2 GiB) is refused where it has to be held whole: a small file can hold an endless one.
pub const MAX_CONTENT: u64 = 1 << 31;

/// An error of a table or of one row: a sentence, in which cells and names are cut to 40 characters, perhaps with its line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}{text}", .line.map(|line| format!("line {line}: ")).unwrap_or_default())]
pub struct TableError {
    line: Option<u64>,
    text: String,
    /// The kind: whether the input cannot be read, or is damaged or cut short.
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

    /// Returns an error behind which nothing can be read.
    pub(crate) fn of_input(text: String) -> Self {
        Self {
            ends_the_table: true,
            ..Self::new(text)
        }
    }

    /// Returns the line on which the row begins, counted from 1 after decompression, in Parquet and Arrow files the number of the row;
    /// `None` when the error is not on one line.
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

    /// Returns a table without rows.
    pub fn empty() -> Self {
        Self::new("holds no rows of data")
    }

    /// Returns a table whose only column is the target.
    pub fn no_features() -> Self {
        Self::new("no features: the target is the only column")
    }

    /// Returns a row of another number of cells than the rest.
    pub fn ragged(expected: usize, found: usize) -> Self {
        let cells = if found == 1 { "cell" } else { "cells" };
        let hint = match expected.min(found) {
            1 => "; if cells are separated by something else, set it with --delimiter",
            _ => "",
        };
        Self::new(format!("{found} {cells} instead of {expected}{hint}"))
    }

    pub(crate) fn not_built(format: &str) -> Self {
        Self::new(format!(
            "is a {format} file; this program was built without the feature `columnar`, which reads it"
        ))
    }

    pub(crate) fn no_column(wanted: &str, names: &[String]) -> Self {
        let mut nearest = String::new();
        if wanted.len() <= 200 {
            nearest =
                forest_core::parameters::did_you_mean(wanted, names.iter().map(String::as_str));
        }
        let columns = listed(names.iter().map(String::as_str));
        Self::new(format!(
            "no column `{}`{nearest}; columns: {columns}",
            short(wanted)
        ))
    }

    pub(crate) fn too_many_columns() -> Self {
        Self::new(format!("more than {MAX_COLUMNS} columns"))
    }
}

impl From<io::Error> for TableError {
    /// Separates damage that a decoder reported from errors of the operating system.
    fn from(error: io::Error) -> Self {
        Self::of_input(match error.downcast::<Damage>() {
            Ok(Damage(what)) => format!("{what}; fetch or copy the file again"),
            Err(error) => format!("cannot be read: {error}"),
        })
    }
}

/// An error of a decoder, on its way through `io::Error`.
#[derive(Debug, Error)]
#[error("{0}")]
pub(crate) struct Damage(pub(crate) String);

/// A guess about a table, or a property that may be unintended: a sentence that names the option that decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    text: String,
    is_about_task: bool,
}

impl Warning {
    /// Returns a warning that says this.
    pub fn new(text: impl Into<String>) -> Self {
        let (text, is_about_task) = (text.into(), false);
        Self {
            text,
            is_about_task,
        }
    }

    pub(crate) fn about_task(text: String) -> Self {
        let is_about_task = true;
        Self {
            text,
            is_about_task,
        }
    }

    /// Returns whether it says that the task was guessed.
    pub fn is_about_task(&self) -> bool {
        self.is_about_task
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Returns the text, cut after 40 characters and then with its length: a cell may hold megabytes.
///
/// ```
/// assert_eq!(tables::short("blue"), "blue");
/// assert_eq!(tables::short(&"é".repeat(40)), "é".repeat(40));
/// assert_eq!(tables::short(&"é".repeat(50)), format!("{}… (100 bytes)", "é".repeat(40)));
/// ```
pub fn short(text: &str) -> String {
    match text.char_indices().nth(40) {
        None => text.to_owned(),
        Some((at, _)) => format!("{}… ({} bytes)", &text[..at], text.len()),
    }
}

/// Returns `a, b, c`, cut after a dozen names.
///
/// ```
/// assert_eq!(tables::listed(["x"; 14]), "x, x, x, x, x, x, x, x, x, x, x, x, and 2 more");
/// ```
pub fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let mut names = names.into_iter();
    let shown: Vec<String> = names.by_ref().take(12).map(short).collect();
    let shown = shown.join(", ");
    match names.count() {
        0 => shown,
        more => format!("{shown}, and {more} more"),
    }
}

//! Rows of text, their columns, and the places of columns in another table.

use csv::StringRecord;
use serde::{Deserialize, Serialize};

use crate::MissingWords;
use crate::error::{Result, refuse, short};

/// A row of text cells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The line on which it begins, counted from 1 after decompression; in Parquet and Arrow files the number of the
    /// row.
    pub line: u64,
    /// The cells, without blanks around them.
    pub cells: StringRecord,
}

/// A source of rows.
pub(crate) trait Source: Send {
    /// Reads the next row; returns `false` at the end. After an error the next row can be read.
    fn read(&mut self, record: &mut Record) -> Result<bool>;

    /// Sets the number of cells of a row from now on, where that helps to find the end of a row.
    fn expect(&mut self, _cells: usize) {}

    /// Selects the columns that are used; from the first row on, cells of others may be empty.
    fn keep(&mut self, _columns: &[usize]) {}
}

/// The columns of a table, in their order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Header {
    pub(crate) columns: Vec<Column>,
    pub(crate) is_named: bool,
}

/// Name and kind of one column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Column {
    /// The name; `column_<i>`, counted from 1, where the file has none.
    pub(crate) name: String,
    /// The kind of its cells, as far as the file states it.
    pub(crate) kind: Kind,
}

/// The kind of the cells of a column, as far as the file states it. Variants are numbered in saved models, so new ones
/// are added at the end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Kind {
    /// To be inferred from the cells, as in CSV.
    Unstated,
    /// Declared a number.
    Numeric,
    /// Declared to be one of these words.
    Nominal(Vec<String>),
    /// Declared a date.
    Date,
    /// The number or the name of the row: a first column without a name. It is not a feature by default.
    Index,
    /// Values of a type that is neither numbers nor text, such as `List(Int64)`. Their cells are empty, and to use the
    /// column is an error.
    Unreadable(String),
}

impl Header {
    /// Returns the columns of a header line; an empty name becomes `column_<i>`. The first column is an index if it
    /// alone has no name.
    pub fn named<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        let names: Vec<&str> = names.into_iter().collect();
        let mut columns = Self::numbered(names.len()).columns;
        for (column, name) in columns.iter_mut().zip(&names) {
            if !name.is_empty() {
                column.name = (*name).to_owned();
            }
        }
        if let ["", others @ ..] = &names[..]
            && !others.is_empty()
            && !others.contains(&"")
        {
            columns[0].kind = Kind::Index;
        }
        Self::declared(columns)
    }

    /// Returns columns without names, called `column_1`, `column_2`, ….
    pub(crate) fn numbered(width: usize) -> Self {
        let column = |i| Column::new(format!("column_{i}"), Kind::Unstated);
        Self {
            columns: (1..=width).map(column).collect(),
            is_named: false,
        }
    }

    pub(crate) fn declared(columns: Vec<Column>) -> Self {
        Self {
            columns,
            is_named: true,
        }
    }

    /// Returns the names, in their order.
    pub fn names(&self) -> Vec<String> {
        let columns = self.columns.iter();
        columns.map(|column| column.name.clone()).collect()
    }

    /// Refuses to use columns of values that are neither numbers nor text.
    pub(crate) fn check(&self, used: impl IntoIterator<Item = usize>) -> Result {
        for column in used.into_iter().map(|index| &self.columns[index]) {
            if let Kind::Unreadable(values) = &column.kind {
                let name = short(&column.name);
                refuse!(
                    "column `{name}` holds values of type {}, which are neither numbers nor text; leave it out with \
                     --drop {name}, or flatten it into columns of numbers or text",
                    short(values)
                );
            }
        }
        Ok(())
    }
}

impl Column {
    pub(crate) fn new(name: impl Into<String>, kind: Kind) -> Self {
        let name = name.into();
        Self { name, kind }
    }

    /// Returns whether a cell of this column has no value. A declared value may be called `NA`.
    pub(crate) fn is_missing(&self, cell: &str, words: &MissingWords) -> bool {
        words.is_missing(cell)
            && !matches!(&self.kind, Kind::Nominal(values) if values.iter().any(|value| value == cell))
    }

    /// Returns whether it numbers or names the rows: it is an index, or one that pandas has written.
    pub(crate) fn is_index(&self) -> bool {
        self.kind == Kind::Index || self.name.starts_with("__index_level_")
    }
}

/// The places of the features and the target in a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    pub(crate) features: Vec<usize>,
    pub(crate) target: Option<usize>,
}

impl Layout {
    /// Returns the column of each feature.
    pub fn features(&self) -> &[usize] {
        &self.features
    }

    /// Returns whether the table has the target column.
    pub fn has_target(&self) -> bool {
        self.target.is_some()
    }
}

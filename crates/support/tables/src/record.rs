//! A row of text, and the known properties of its columns.

use csv::StringRecord;
use serde::{Deserialize, Serialize};

use crate::{Fault, MissingWords, short};

/// A row of text cells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The line on which it begins, counted from 1 after decompression; in Parquet and Arrow files the number of the
    /// row.
    pub line: u64,
    /// The cells, without blanks around them.
    pub cells: StringRecord,
}

/// The columns of a table, in their order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Header {
    pub(crate) columns: Vec<Column>,
    pub(crate) is_named: bool,
}

/// Name and kind of one column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Column {
    /// The name; `column_<i>`, counted from 1, where the file has none.
    pub name: String,
    /// What the file says that its cells are.
    pub kind: Kind,
}

/// What a file says that the cells of a column are. Variants are numbered in saved models: a new one comes last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// To be inferred from the cells (CSV says nothing).
    Unstated,
    /// Declared a number.
    Numeric,
    /// Declared to be one of these words.
    Nominal(Vec<String>),
    /// Declared a date: in [`DateFormat::ISO`](crate::DateFormat::ISO), or in this pattern of Java's `SimpleDateFormat`.
    Date(String),
    /// The number or the name of the row: the first column, above which no name stands. It is not a feature by default.
    Index,
    /// Values that are neither numbers nor text, such as `lists`. Their cells are empty, and to use the column is an error.
    Unreadable(String),
}

impl Header {
    /// Columns as a header line names them; an empty name becomes `column_<i>`. The first column is an index if it alone
    /// has no name.
    pub fn named<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        let column = |(i, name): (usize, &str)| match name {
            "" => Column::numbered(i),
            name => Column::unstated(name),
        };
        let names: Vec<&str> = names.into_iter().collect();
        let mut columns: Vec<Column> = names.iter().copied().enumerate().map(column).collect();
        if let [index, others @ ..] = &mut columns[..]
            && names[0].is_empty()
            && !others.is_empty()
            && names[1..].iter().all(|name| !name.is_empty())
        {
            index.kind = Kind::Index;
        }
        Self {
            columns,
            is_named: true,
        }
    }

    /// A number of columns without names, called `column_1`, `column_2`, ….
    pub fn numbered(width: usize) -> Self {
        Self {
            columns: (0..width).map(Column::numbered).collect(),
            is_named: false,
        }
    }

    /// Returns the columns, in their order.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Returns whether the file names its columns.
    pub fn is_named(&self) -> bool {
        self.is_named
    }

    /// Refuses to use columns of values that are neither numbers nor text.
    pub(crate) fn check(&self, used: impl IntoIterator<Item = usize>) -> Result<(), Fault> {
        let columns = used.into_iter().map(|index| &self.columns[index]);
        columns.into_iter().try_for_each(Column::check)
    }

    /// Returns the names, in their order.
    pub fn names(&self) -> Vec<String> {
        self.columns
            .iter()
            .map(|column| column.name.clone())
            .collect()
    }
}

impl Column {
    pub(crate) fn unstated(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            kind: Kind::Unstated,
        }
    }

    /// Returns whether a cell of this column has no value. A declared value may be called `NA`.
    pub(crate) fn is_missing(&self, cell: &str, missing_words: &MissingWords) -> bool {
        let is_declared = || match &self.kind {
            Kind::Nominal(values) => values.iter().any(|value| value == cell),
            Kind::Unstated | Kind::Numeric | Kind::Date(_) | Kind::Index | Kind::Unreadable(_) => {
                false
            }
        };
        missing_words.is_missing(cell) && !is_declared()
    }

    /// Returns whether it numbers or names the rows: it is declared to, or pandas has written an index of its own.
    pub(crate) fn is_index(&self) -> bool {
        self.kind == Kind::Index || self.name.starts_with("__index_level_")
    }

    fn check(&self) -> Result<(), Fault> {
        match &self.kind {
            Kind::Unreadable(values) => {
                let column = short(&self.name);
                Err(Fault::new(format!(
                    "column `{column}` holds {}, which are neither numbers nor text; leave it out with --drop {column}, or \
                     flatten it into columns of numbers or text",
                    short(values)
                )))
            }
            Kind::Unstated | Kind::Numeric | Kind::Nominal(_) | Kind::Date(_) | Kind::Index => {
                Ok(())
            }
        }
    }

    fn numbered(index: usize) -> Self {
        Self::unstated(&format!("column_{}", index + 1))
    }
}

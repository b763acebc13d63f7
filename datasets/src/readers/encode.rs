//! A table of text to numbers: choose the target, one-hot encode the text columns, refuse what is no number.
//!
//! A column whose cells are all numbers is numeric; one without a single number is text, and becomes one column
//! `name=value` of zeros and ones per value (declared order for nominal ARFF attributes, else alphabetical). A
//! column that mixes the two is an error at its first word: guessing would hide a typing mistake.

use std::collections::BTreeSet;

use ndarray::{Array2, ArrayViewMut1, s};

use super::column::{Cells, ColumnOf};
use super::table::{Row, Table};
use super::{Block, Fault, Layout, MAX_CELLS, RawTarget, ReadError};
use crate::{ContentError, DataError};

/// A text feature may have this many values; beyond it looks like an identifier.
const MAX_CATEGORIES: usize = 1024;

/// Which columns, besides the target, are features.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) enum Columns {
    /// All of them.
    #[default]
    All,
    /// These, in this order.
    Only(Vec<String>),
}

/// Encodes a table.
pub(crate) fn encode(address: &str, mut table: Table, layout: &Layout) -> Result<Block, DataError> {
    let content = |cause| DataError::Content {
        address: address.to_owned(),
        cause,
    };
    let names: Vec<String> = table
        .columns
        .iter()
        .map(|column| column.name.clone())
        .collect();
    let target = layout.target.clone().unwrap_or_default();
    let target = target.find(&names).map_err(content)?;
    let chosen = choose(&names, target, &layout.columns).map_err(content)?;
    if let Some(by) = &layout.order_by {
        let by = find(&names, by).map_err(content)?;
        // Stable: rows of the same day keep the order of the file.
        table.rows.sort_by(|a, b| a.cells[by].cmp(&b.cells[by]));
    }
    Ok(block(&table, target, &chosen)?)
}

fn block(table: &Table, target: usize, features: &[usize]) -> Result<Block, ReadError> {
    let column = |index| ColumnOf { table, index };
    let encodings = features.iter().map(|index| Encoding::of(column(*index)));
    let encodings = encodings.collect::<Result<Vec<_>, _>>()?;
    Ok(Block {
        target: read_target(column(target))?,
        features: fill(table, &encodings)?,
        names: encodings.iter().flat_map(Encoding::names).collect(),
        parts: table.parts.clone(),
    })
}

fn choose(names: &[String], target: usize, columns: &Columns) -> Result<Vec<usize>, ContentError> {
    match columns {
        Columns::All => Ok((0..names.len()).filter(|i| *i != target).collect()),
        Columns::Only(wanted) => {
            let chosen = wanted.iter().map(|name| find(names, name));
            chosen.filter(|found| *found != Ok(target)).collect()
        }
    }
}

fn find(names: &[String], wanted: &str) -> Result<usize, ContentError> {
    names
        .iter()
        .position(|name| name == wanted)
        .ok_or_else(|| ContentError::no_column(wanted, names))
}

fn read_target(column: ColumnOf<'_>) -> Result<RawTarget, ReadError> {
    let rows = &column.table.rows;
    match column.cells()? {
        Cells::Numbers => {
            let numbers = rows.iter().map(|row| column.number(row));
            Ok(RawTarget::Numbers(numbers.collect::<Result<_, _>>()?))
        }
        Cells::Words => {
            let words = rows.iter().map(|row| column.cell(row).to_owned());
            Ok(RawTarget::Text(words.collect()))
        }
        Cells::Nominal(values) => {
            let word = |row| Ok(values[column.position(row, values)?].clone());
            let words = rows.iter().map(word);
            Ok(RawTarget::Text(words.collect::<Result<_, ReadError>>()?))
        }
    }
}

/// How one column of the table becomes columns of numbers.
struct Encoding<'a> {
    column: ColumnOf<'a>,
    /// The values of a text column; `None` for numbers.
    values: Option<Vec<String>>,
}

impl<'a> Encoding<'a> {
    fn of(column: ColumnOf<'a>) -> Result<Self, ReadError> {
        let values = match column.cells()? {
            Cells::Numbers => None,
            Cells::Nominal(values) => Some(values.to_vec()),
            Cells::Words => Some(distinct(column)),
        };
        if values
            .as_ref()
            .is_some_and(|values| values.len() > MAX_CATEGORIES)
        {
            let (name, limit) = (column.name().to_owned(), MAX_CATEGORIES);
            let fault = Fault::TooManyCategories {
                column: name,
                limit,
            };
            return Err(fault.of(&column.table.files[0]));
        }
        Ok(Self { column, values })
    }

    fn width(&self) -> usize {
        self.values.as_ref().map_or(1, Vec::len)
    }

    fn names(&self) -> Vec<String> {
        let name = self.column.name();
        let named = |value| format!("{name}={value}");
        match &self.values {
            None => vec![name.to_owned()],
            Some(values) => values.iter().map(named).collect(),
        }
    }

    fn write(&self, row: &Row, mut out: ArrayViewMut1<'_, f32>) -> Result<(), ReadError> {
        match &self.values {
            None => out[0] = self.column.narrow(row)?,
            Some(values) => out[self.column.position(row, values)?] = 1.0,
        }
        Ok(())
    }
}

/// The different words of a column, alphabetically.
fn distinct(column: ColumnOf<'_>) -> Vec<String> {
    let words: BTreeSet<&str> = column
        .table
        .rows
        .iter()
        .map(|row| column.cell(row))
        .collect();
    words.into_iter().map(str::to_owned).collect()
}

fn fill(table: &Table, encodings: &[Encoding<'_>]) -> Result<Array2<f32>, ReadError> {
    let (rows, columns) = (
        table.rows.len(),
        encodings.iter().map(Encoding::width).sum(),
    );
    if rows.saturating_mul(columns) > MAX_CELLS {
        return Err(Fault::TooLarge { rows, columns }.of(&table.files[0]));
    }
    let mut features = Array2::zeros((rows, columns));
    for (row, mut out) in table.rows.iter().zip(features.rows_mut()) {
        let mut at = 0;
        for encoding in encodings {
            let end = at + encoding.width();
            encoding.write(row, out.slice_mut(s![at..end]))?;
            at = end;
        }
    }
    Ok(features)
}

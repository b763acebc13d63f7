//! A table of text to numbers: choose the target, one-hot encode the text columns, refuse what is no number.
//!
//! A column whose cells are all numbers is numeric; one without a single number is text, and becomes one column
//! `name=value` of zeros and ones per value (declared order for nominal ARFF attributes, else alphabetical). A
//! column that mixes the two is an error at its first word: guessing would hide a typing mistake.

use std::collections::BTreeSet;

use ndarray::{Array2, ArrayViewMut1};

use super::table::{Kind, Row, Table};
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
    let target = layout
        .target
        .clone()
        .unwrap_or_default()
        .find(&names)
        .map_err(content)?;
    let chosen = choose(&names, target, &layout.columns).map_err(content)?;
    if let Some(by) = &layout.order_by {
        let by = find(&names, by).map_err(content)?;
        // Stable: rows of the same day keep the order of the file.
        table.rows.sort_by(|a, b| a.cells[by].cmp(&b.cells[by]));
    }
    let target = read_target(&table, target)?;
    let encodings = chosen
        .iter()
        .map(|i| encoding(&table, *i))
        .collect::<Result<Vec<_>, _>>()?;
    let features = fill(&table, &encodings)?;
    let names = encodings
        .iter()
        .flat_map(|encoding| encoding.names(&table))
        .collect();
    Ok(Block {
        features,
        names,
        target,
        parts: table.parts,
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

fn read_target(table: &Table, column: usize) -> Result<RawTarget, ReadError> {
    match kind(table, column)? {
        Kind::Numeric => {
            let number = |row| number(table, row, column);
            Ok(RawTarget::Numbers(
                table.rows.iter().map(number).collect::<Result<_, _>>()?,
            ))
        }
        _ => Ok(RawTarget::Text(
            words(table, column)?.map(str::to_owned).collect(),
        )),
    }
}

/// How one column of the table becomes columns of numbers.
struct Encoding {
    column: usize,
    /// The values of a text column; `None` for numbers.
    values: Option<Vec<String>>,
}

impl Encoding {
    fn width(&self) -> usize {
        self.values.as_ref().map_or(1, Vec::len)
    }

    fn names(&self, table: &Table) -> Vec<String> {
        let name = &table.columns[self.column].name;
        match &self.values {
            None => vec![name.clone()],
            Some(values) => values
                .iter()
                .map(|value| format!("{name}={value}"))
                .collect(),
        }
    }

    fn write(
        &self,
        table: &Table,
        row: &Row,
        mut out: ArrayViewMut1<'_, f32>,
    ) -> Result<(), ReadError> {
        match &self.values {
            None => out[0] = narrow(table, row, self.column)?,
            Some(values) => {
                let is_cell = |value: &String| *value == row.cells[self.column];
                let found = values
                    .iter()
                    .position(is_cell)
                    .ok_or_else(|| undeclared(table, row, self.column, values))?;
                out[found] = 1.0;
            }
        }
        Ok(())
    }
}

fn encoding(table: &Table, column: usize) -> Result<Encoding, ReadError> {
    let values = match kind(table, column)? {
        Kind::Numeric => None,
        Kind::Nominal(values) => Some(values),
        Kind::Unstated => Some(
            words(table, column)?
                .map(str::to_owned)
                .collect::<BTreeSet<_>>()
                .into_iter()
                .collect(),
        ),
    };
    if values
        .as_ref()
        .is_some_and(|values| values.len() > MAX_CATEGORIES)
    {
        let fault = Fault::TooManyCategories {
            column: table.columns[column].name.clone(),
            limit: MAX_CATEGORIES,
        };
        return Err(fault.of(&table.files[0]));
    }
    Ok(Encoding { column, values })
}

/// The declared kind, or what the cells say: `Numeric`, or `Unstated` for text. No cell may be missing.
fn kind(table: &Table, column: usize) -> Result<Kind, ReadError> {
    let is_missing = |row: &&Row| matches!(&row.cells[column], "" | "?");
    if let Some(row) = table.rows.iter().find(is_missing) {
        return Err(table.fault(
            row,
            Fault::Missing {
                column: table.columns[column].name.clone(),
            },
        ));
    }
    let is_number = |row: &Row| row.cells[column].parse::<f64>().is_ok();
    match &table.columns[column].kind {
        Kind::Unstated if table.rows.iter().any(is_number) => Ok(Kind::Numeric),
        stated => Ok(stated.clone()),
    }
}

/// The cells of a text column; a nominal one must keep to its declaration.
fn words(table: &Table, column: usize) -> Result<impl Iterator<Item = &str>, ReadError> {
    if let Kind::Nominal(values) = &table.columns[column].kind {
        let is_foreign = |row: &&Row| !values.iter().any(|value| *value == row.cells[column]);
        if let Some(row) = table.rows.iter().find(is_foreign) {
            return Err(undeclared(table, row, column, values));
        }
    }
    Ok(table.rows.iter().map(move |row| &row.cells[column]))
}

fn fill(table: &Table, encodings: &[Encoding]) -> Result<Array2<f32>, ReadError> {
    let (rows, columns) = (
        table.rows.len(),
        encodings.iter().map(Encoding::width).sum::<usize>(),
    );
    if rows.saturating_mul(columns) > MAX_CELLS {
        return Err(Fault::TooLarge { rows, columns }.of(&table.files[0]));
    }
    let mut features = Array2::zeros((rows, columns));
    for (row, mut out) in table.rows.iter().zip(features.rows_mut()) {
        let mut at = 0;
        for encoding in encodings {
            let end = at + encoding.width();
            encoding.write(table, row, out.slice_mut(ndarray::s![at..end]))?;
            at = end;
        }
    }
    Ok(features)
}

fn number(table: &Table, row: &Row, column: usize) -> Result<f64, ReadError> {
    let (name, text) = (
        table.columns[column].name.clone(),
        row.cells[column].to_owned(),
    );
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        Ok(_) => Err(table.fault(row, Fault::NotFinite { column: name, text })),
        Err(_) => Err(table.fault(row, Fault::NotANumber { column: name, text })),
    }
}

/// Features are `f32`: a number beyond its range is as infinite as a written infinity.
fn narrow(table: &Table, row: &Row, column: usize) -> Result<f32, ReadError> {
    let value = number(table, row, column)? as f32;
    let (name, text) = (&table.columns[column].name, &row.cells[column]);
    match value.is_finite() {
        true => Ok(value),
        false => Err(table.fault(
            row,
            Fault::NotFinite {
                column: name.clone(),
                text: text.to_owned(),
            },
        )),
    }
}

fn undeclared(table: &Table, row: &Row, column: usize, values: &[String]) -> ReadError {
    let declared = crate::names::listed(values.iter().map(String::as_str));
    let (column, text) = (
        table.columns[column].name.clone(),
        row.cells[column].to_owned(),
    );
    table.fault(
        row,
        Fault::Undeclared {
            column,
            text,
            declared,
        },
    )
}

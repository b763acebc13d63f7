//! One column of a table: what its cells are, and each cell as a number or a word.

use super::table::{Kind, Row, Table};
use super::{Fault, ReadError};
use crate::names::listed;

/// A column of a table, cell by cell.
#[derive(Debug, Clone, Copy)]
pub(super) struct ColumnOf<'a> {
    pub(super) table: &'a Table,
    pub(super) index: usize,
}

/// What all cells of a column are.
#[derive(Debug, Clone, Copy)]
pub(super) enum Cells<'a> {
    Numbers,
    /// Any words.
    Words,
    /// Declared words.
    Nominal(&'a [String]),
}

impl<'a> ColumnOf<'a> {
    pub(super) fn name(&self) -> &'a str {
        &self.table.columns[self.index].name
    }

    pub(super) fn cell(&self, row: &'a Row) -> &'a str {
        &row.cells[self.index]
    }

    /// What was declared, else what the cells say: one number makes it a column of numbers.
    ///
    /// # Errors
    /// A missing value.
    pub(super) fn cells(&self) -> Result<Cells<'a>, ReadError> {
        let is_missing = |row: &&Row| matches!(&row.cells[self.index], "" | "?");
        if let Some(row) = self.table.rows.iter().find(is_missing) {
            return Err(self.fault(row, |column, _| Fault::Missing { column }));
        }
        let is_number = |row: &Row| row.cells[self.index].parse::<f64>().is_ok();
        Ok(match &self.table.columns[self.index].kind {
            Kind::Numeric => Cells::Numbers,
            Kind::Nominal(values) => Cells::Nominal(values),
            Kind::Unstated if self.table.rows.iter().any(is_number) => Cells::Numbers,
            Kind::Unstated => Cells::Words,
        })
    }

    /// A finite `f64`.
    pub(super) fn number(&self, row: &Row) -> Result<f64, ReadError> {
        match row.cells[self.index].parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(value),
            Ok(_) => Err(self.not_finite(row)),
            Err(_) => Err(self.fault(row, |column, text| Fault::NotANumber { column, text })),
        }
    }

    /// A finite `f32`: a number beyond its range is as infinite as a written infinity.
    pub(super) fn narrow(&self, row: &Row) -> Result<f32, ReadError> {
        let value = self.number(row)? as f32;
        if value.is_finite() {
            Ok(value)
        } else {
            Err(self.not_finite(row))
        }
    }

    /// Where the cell's word stands among the declared ones.
    pub(super) fn position(&self, row: &Row, values: &[String]) -> Result<usize, ReadError> {
        let found = values
            .iter()
            .position(|value| *value == row.cells[self.index]);
        found.ok_or_else(|| {
            let declared = listed(values.iter().map(String::as_str));
            self.fault(row, |column, text| Fault::Undeclared {
                column,
                text,
                declared,
            })
        })
    }

    fn not_finite(&self, row: &Row) -> ReadError {
        self.fault(row, |column, text| Fault::NotFinite { column, text })
    }

    /// A fault made of the column's name and the cell.
    fn fault(&self, row: &Row, fault: impl FnOnce(String, String) -> Fault) -> ReadError {
        let fault = fault(self.name().to_owned(), row.cells[self.index].to_owned());
        fault.at(&self.table.files[row.file], row.line)
    }
}

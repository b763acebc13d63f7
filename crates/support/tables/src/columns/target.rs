//! The column to be predicted, and its cells.

mod class_name;

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

pub use class_name::class_name;

use super::Columns;
use crate::feature::{Values, missing, number};
use crate::{Fault, Layout, Missing, MissingWords, Record, RowError};

/// The column to be predicted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Target {
    pub(crate) column: usize,
    pub(crate) kind: TargetKind,
}

/// What its cells are. Variants are numbered in saved models: a new one comes last.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum TargetKind {
    /// Written as in all other columns.
    Numbers,
    Words,
    /// One of these declared words.
    Declared(Values),
    /// Whole numbers that are names of classes.
    Labels,
}

/// The target of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell<'a> {
    /// A finite number.
    Number(f64),
    /// The name of a class.
    Class(Cow<'a, str>),
}

impl<'a> Cell<'a> {
    /// Returns the name of the class; `None` for a number with a fraction.
    ///
    /// ```
    /// use tables::Cell;
    /// assert_eq!(Cell::Class("blue".into()).class_name().as_deref(), Some("blue"));
    /// assert_eq!(Cell::Number(-0.0).class_name().as_deref(), Some("0"));
    /// assert_eq!(Cell::Number(0.5).class_name(), None);
    /// ```
    pub fn class_name(self) -> Option<Cow<'a, str>> {
        match self {
            Cell::Class(name) => Some(name),
            // Adding 0.0 turns -0 into 0.
            Cell::Number(number) if number.fract() == 0.0 => {
                Some(Cow::Owned((number + 0.0).to_string()))
            }
            Cell::Number(_) => None,
        }
    }
}

impl Columns {
    /// Returns the target of a row; `None` if it is missing and such rows are left out ([`Missing::Drop`]).
    ///
    /// # Errors
    /// Returns an error for a cell that is not a finite number in a column of numbers, a label with a fraction, an undeclared word, a
    /// missing cell that is not accepted, or a table without the target column ([`Layout::has_target`]).
    pub fn target<'r>(
        &self,
        layout: &Layout,
        record: &'r Record,
    ) -> Result<Option<Cell<'r>>, RowError> {
        self.read_target(layout, record)
            .map_err(|fault| fault.at(record.line))
    }

    fn read_target<'r>(
        &self,
        layout: &Layout,
        record: &'r Record,
    ) -> Result<Option<Cell<'r>>, Fault> {
        let name = self.target_name();
        let column = layout.target.ok_or_else(|| Fault::no_column(name, &[]))?;
        let cell = record.cells.get(column).unwrap_or_default();
        let target = &self.fitted.target.kind;
        let rule = &self.fitted.rule;
        if target.is_missing(cell, &rule.words) {
            return match rule.missing {
                Missing::Drop => Ok(None),
                _ => Err(missing(name)),
            };
        }
        Ok(Some(match target {
            TargetKind::Numbers => Cell::Number(number(&self.fitted.numbers, cell, name)?),
            TargetKind::Labels => Cell::Class(class_name(cell, &self.fitted.numbers, name)?),
            TargetKind::Words => Cell::Class(Cow::Borrowed(cell)),
            TargetKind::Declared(values) => {
                values.find(cell, name)?;
                Cell::Class(Cow::Borrowed(cell))
            }
        }))
    }
}

impl TargetKind {
    fn is_missing(&self, cell: &str, words: &MissingWords) -> bool {
        let is_declared = || match self {
            TargetKind::Declared(values) => values.words.index(cell).is_ok(),
            TargetKind::Numbers | TargetKind::Words | TargetKind::Labels => false,
        };
        words.is_missing(cell) && !is_declared()
    }
}

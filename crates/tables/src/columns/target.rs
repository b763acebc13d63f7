//! The column to be predicted, and its cells.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::Columns;
use crate::feature::{Values, number, written};
use crate::{Fault, Layout, Missing, Notation, Record, RowError, is_missing};

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
    /// One of these words.
    Declared(Values),
    /// Numbers with a notation of their own.
    Written(Notation),
}

/// A target as it was written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell<'a> {
    /// A finite number.
    Number(f64),
    /// A word.
    Word(&'a str),
}

impl<'a> Cell<'a> {
    /// The name of the class that it stands for: `+1`, `1.0` and `1` are one class, `1`. `None` for a number with a
    /// fraction.
    ///
    /// ```
    /// use tables::Cell;
    /// assert_eq!(Cell::Number(-0.0).class_name().as_deref(), Some("0"));
    /// assert_eq!(Cell::Word("blue").class_name().as_deref(), Some("blue"));
    /// assert_eq!(Cell::Number(0.5).class_name(), None);
    /// ```
    pub fn class_name(self) -> Option<Cow<'a, str>> {
        match self {
            Cell::Word(word) => Some(Cow::Borrowed(word)),
            // Adding 0.0 turns -0 into 0.
            Cell::Number(number) if number.fract() == 0.0 => {
                Some(Cow::Owned((number + 0.0).to_string()))
            }
            Cell::Number(_) => None,
        }
    }
}

impl Columns {
    /// The target of a row; `None` if it is missing and such rows are left out ([`Missing::Drop`]).
    ///
    /// # Errors
    /// A cell that is no finite number in a column of numbers, a word that was not declared, a missing cell that is
    /// refused, or a table without the target column ([`Layout::has_target`]).
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
        if target.is_gap(cell) {
            return match self.fitted.missing {
                Missing::Drop => Ok(None),
                _ => Err(Fault::Missing {
                    column: crate::short(name),
                }),
            };
        }
        Ok(Some(match target {
            TargetKind::Numbers => Cell::Number(number(&self.fitted.numbers, cell, name)?),
            TargetKind::Written(notation) => Cell::Number(written(notation, cell, name)?),
            TargetKind::Words => Cell::Word(cell),
            TargetKind::Declared(values) => {
                values.find(cell, name)?;
                Cell::Word(cell)
            }
        }))
    }
}

impl TargetKind {
    fn is_gap(&self, cell: &str) -> bool {
        let is_declared = || match self {
            TargetKind::Declared(values) => values.words.index(cell).is_some(),
            TargetKind::Numbers | TargetKind::Written(_) | TargetKind::Words => false,
        };
        is_missing(cell) && !is_declared()
    }
}

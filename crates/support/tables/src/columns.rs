//! Conversion of every column of a table to numbers.

mod cut_text;
mod fitted;
mod target;

use serde::{Deserialize, Serialize};

pub(crate) use fitted::Fitted;
pub use target::{Cell, class_name};
pub(crate) use target::{Target, TargetKind};

use crate::feature::{Feature, Known, Meaning};
use crate::{Fault, Header, Layout, Missing, MissingWords, Numbers, Record, RowError};

/// The conversion of every column of a table to numbers: fitted once ([`Columns::fit`]), then the same for every row.
///
/// It is a part of a model and is saved with it. Loading it checks its consistency.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Fitted", into = "Fitted")]
pub struct Columns {
    pub(crate) fitted: Fitted,
}

/// The outcome of converting a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Row {
    /// The features were appended.
    Encoded {
        /// Cells with a category unseen when fitted: all zeros, or −1 for ordinal numbers.
        unseen: usize,
    },
    /// The row was left out, since a cell is missing ([`Missing::Drop`]).
    Dropped,
}

impl Columns {
    /// Returns one name per feature: the column's, `NAME=VALUE` for a category, `NAME#I` for a hash, and `NAME is missing`. Where a number
    /// is subtracted from a column so that `f32` keeps its differences, the name says so: `NAME - 10000000000`, `NAME + 122.4`, of
    /// dates `NAME - 2026-11-25`.
    pub fn feature_names(&self) -> Vec<String> {
        self.fitted
            .features
            .iter()
            .flat_map(Feature::names)
            .collect()
    }

    /// Returns the features that are dates.
    pub fn dates(&self) -> Vec<usize> {
        let mut next = 0;
        let mut place = |feature: &Feature| {
            let place = next;
            next += feature.width();
            matches!(feature.meaning, Meaning::Date(_)).then_some(place)
        };
        self.fitted.features.iter().filter_map(&mut place).collect()
    }

    /// Returns the number of features.
    pub fn width(&self) -> usize {
        self.fitted.width()
    }

    /// Returns the name of the target column.
    pub fn target_name(&self) -> &str {
        &self.fitted.header.columns[self.fitted.target.column].name
    }

    /// Returns whether targets are numbers; else they are names of classes.
    pub fn target_is_number(&self) -> bool {
        self.fitted.target.kind == TargetKind::Numbers
    }

    /// Returns the columns of the table that was fitted on.
    pub fn header(&self) -> &Header {
        &self.fitted.header
    }

    /// Returns the format of numbers.
    pub fn numbers(&self) -> Numbers {
        self.fitted.numbers
    }

    /// Returns the treatment of missing cells.
    pub fn missing(&self) -> Missing {
        self.fitted.rule.missing
    }

    /// Returns the words for missing values.
    pub fn missing_words(&self) -> &MissingWords {
        &self.fitted.rule.words
    }

    /// Returns the layout of the table that was fitted on.
    pub fn own_layout(&self) -> Layout {
        Layout {
            features: self
                .fitted
                .features
                .iter()
                .map(|feature| feature.column)
                .collect(),
            target: Some(self.fitted.target.column),
        }
    }

    /// Finds the columns in another table. Its columns may be in another order, there may be more of them, and
    /// the target may be absent. Where one of the tables has no header line, columns are found by their position.
    ///
    /// # Errors
    /// Returns an error if a feature is missing.
    pub fn layout(&self, header: &Header) -> Result<Layout, Fault> {
        let features = self.fitted.features.iter().map(|feature| feature.column);
        Layout::find(
            &self.fitted.header,
            header,
            features,
            self.fitted.target.column,
        )
    }

    /// Appends the features of a row to `out`, which is unchanged if the row is dropped or rejected.
    ///
    /// # Errors
    /// Returns an error for a cell that is not a finite number or date although its column is, an undeclared value, or
    /// a missing cell that is not accepted.
    pub fn features(
        &self,
        layout: &Layout,
        record: &Record,
        out: &mut Vec<f32>,
    ) -> Result<Row, RowError> {
        let start = out.len();
        let row = self.append(layout, record, out);
        if !matches!(row, Ok(Row::Encoded { .. })) {
            out.truncate(start);
        }
        row.map_err(|fault| fault.at(record.line))
    }

    fn append(&self, layout: &Layout, record: &Record, out: &mut Vec<f32>) -> Result<Row, Fault> {
        let (mut unseen, rule) = (0, &self.fitted.rule);
        for (feature, column) in self.fitted.features.iter().zip(&layout.features) {
            let cell = record.cells.get(*column).unwrap_or_default();
            if rule.missing == Missing::Drop && feature.is_missing(cell, &rule.words) {
                return Ok(Row::Dropped);
            }
            let known = feature.write(cell, &self.fitted.numbers, &rule.words, out)?;
            unseen += usize::from(known == Known::No);
        }
        Ok(Row::Encoded { unseen })
    }
}

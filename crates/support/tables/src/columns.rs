//! How every column of a table becomes numbers.

mod cut_text;
mod fitted;
mod target;

use serde::{Deserialize, Serialize};

pub(crate) use fitted::Fitted;
pub use target::{Cell, class_name};
pub(crate) use target::{Target, TargetKind};

use crate::feature::{Feature, Known, Meaning};
use crate::{Fault, GapWords, Header, Layout, Missing, Numbers, Record, RowError};

/// How every column of a table becomes numbers: found once ([`Columns::fit`]), then the same for every row.
///
/// It is a part of a model and is saved with it. Reading it back checks that it belongs together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Fitted", into = "Fitted")]
pub struct Columns {
    pub(crate) fitted: Fitted,
}

/// What became of the features of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Row {
    /// They were appended.
    Encoded {
        /// Cells with a category that was not there when fitted: all zeros, or −1 for ordinal numbers.
        unseen: usize,
    },
    /// Nothing was appended: a cell is missing, and such rows are left out ([`Missing::Drop`]).
    Dropped,
}

impl Columns {
    /// One name per feature: the column's, `NAME=VALUE` for a category, `NAME#I` for a hash, and `NAME is missing`. Where a number
    /// is subtracted from a column so that `f32` keeps its differences, the name says so: `NAME - 10000000000`, `NAME + 122.4`, of
    /// dates `NAME - 2026-11-25`.
    pub fn feature_names(&self) -> Vec<String> {
        self.fitted
            .features
            .iter()
            .flat_map(Feature::names)
            .collect()
    }

    /// Returns which features are dates.
    pub fn dates(&self) -> Vec<usize> {
        let mut next = 0;
        let mut place = |feature: &Feature| {
            let place = next;
            next += feature.width();
            matches!(feature.meaning, Meaning::Date(_)).then_some(place)
        };
        self.fitted.features.iter().filter_map(&mut place).collect()
    }

    /// Number of features.
    pub fn width(&self) -> usize {
        self.fitted.width()
    }

    /// Name of the target column.
    pub fn target_name(&self) -> &str {
        &self.fitted.header.columns[self.fitted.target.column].name
    }

    /// Whether targets are numbers; else they are names of classes.
    pub fn target_is_number(&self) -> bool {
        self.fitted.target.kind == TargetKind::Numbers
    }

    /// The columns of the table that was fitted on.
    pub fn header(&self) -> &Header {
        &self.fitted.header
    }

    /// How numbers are written.
    pub fn numbers(&self) -> Numbers {
        self.fitted.numbers
    }

    /// What is done about missing cells.
    pub fn missing(&self) -> Missing {
        self.fitted.gaps.missing
    }

    /// What stands in cells without a value.
    pub fn gap_words(&self) -> &GapWords {
        &self.fitted.gaps.words
    }

    /// Where the columns are in the table that they were fitted on.
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

    /// Where the columns are in another table. Its columns may stand in another order, there may be more of them, and
    /// the target may be absent. Where one of the tables has no header line, columns are found by their position.
    ///
    /// # Errors
    /// A feature that is not there.
    pub fn layout(&self, header: &Header) -> Result<Layout, Fault> {
        let features = self.fitted.features.iter().map(|feature| feature.column);
        Layout::find(
            &self.fitted.header,
            header,
            features,
            self.fitted.target.column,
        )
    }

    /// Appends the features of a row to `out`, which is left as it was if the row is dropped or refused.
    ///
    /// # Errors
    /// A cell that is no finite number or no date although its column is one of them, a value that was not declared, or
    /// a missing cell that is refused.
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
        let (mut unseen, gaps) = (0, &self.fitted.gaps);
        for (feature, column) in self.fitted.features.iter().zip(&layout.features) {
            let cell = record.cells.get(*column).unwrap_or_default();
            if gaps.missing == Missing::Drop && feature.is_gap(cell, &gaps.words) {
                return Ok(Row::Dropped);
            }
            let known = feature.write(cell, &self.fitted.numbers, &gaps.words, out)?;
            unseen += usize::from(known == Known::No);
        }
        Ok(Row::Encoded { unseen })
    }
}

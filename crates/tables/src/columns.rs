//! How every column of a table becomes numbers.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::feature::{Feature, Known, Values, number};
use crate::limits::MAX_COLUMNS;
use crate::{Fault, Header, Layout, Missing, Numbers, Record, RowError, is_missing};

/// How every column of a table becomes numbers: found once ([`Columns::fit`]), then the same for every row.
///
/// It is a part of a model and is saved with it. Reading it back checks that it belongs together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Fitted", into = "Fitted")]
pub struct Columns {
    pub(crate) fitted: Fitted,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Fitted {
    /// Columns of the table that was fitted on.
    pub(crate) header: Header,
    pub(crate) target: Target,
    pub(crate) features: Vec<Feature>,
    pub(crate) numbers: Numbers,
    pub(crate) missing: Missing,
}

/// The column to be predicted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Target {
    pub(crate) column: usize,
    pub(crate) kind: TargetKind,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum TargetKind {
    Numbers,
    Words,
    /// One of these words.
    Declared(Values),
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
    /// One name per feature: the column's, `NAME=VALUE` for a category, `NAME#I` for a hash, and `NAME is missing`.
    pub fn feature_names(&self) -> Vec<String> {
        self.fitted
            .features
            .iter()
            .flat_map(Feature::names)
            .collect()
    }

    /// Number of features.
    pub fn width(&self) -> usize {
        self.fitted.width()
    }

    /// Name of the target column.
    pub fn target_name(&self) -> &str {
        &self.fitted.header.columns[self.fitted.target.column].name
    }

    /// Whether targets are numbers; else they are words.
    pub fn target_is_number(&self) -> bool {
        matches!(self.fitted.target.kind, TargetKind::Numbers)
    }

    /// How numbers are written.
    pub fn numbers(&self) -> Numbers {
        self.fitted.numbers
    }

    /// What is done about missing cells.
    pub fn missing(&self) -> Missing {
        self.fitted.missing
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
        let mut unseen = 0;
        for (feature, column) in self.fitted.features.iter().zip(&layout.features) {
            let cell = record.cells.get(*column).unwrap_or_default();
            if self.fitted.missing == Missing::Drop && feature.is_gap(cell) {
                return Ok(Row::Dropped);
            }
            let known = feature.write(cell, &self.fitted.numbers, out)?;
            unseen += usize::from(known == Known::No);
        }
        Ok(Row::Encoded { unseen })
    }

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
            TargetKind::Numbers | TargetKind::Words => false,
        };
        is_missing(cell) && !is_declared()
    }
}

impl Fitted {
    pub(crate) fn width(&self) -> usize {
        self.features.iter().map(Feature::width).sum()
    }

    /// The first thing that does not belong together.
    fn fault(&self) -> Option<&'static str> {
        let columns = self.header.columns.len();
        let is_there = |column: usize| column < columns;
        let is_whole = |feature: &Feature| is_there(feature.column) && feature.is_whole();
        if !is_there(self.target.column) {
            Some("the target column does not exist")
        } else if self.features.is_empty() || !self.features.iter().all(is_whole) {
            Some("a feature has no column, no values, or a filling of another kind")
        } else if columns > MAX_COLUMNS || self.width() > MAX_COLUMNS {
            Some("there are too many columns")
        } else {
            None
        }
    }
}

impl TryFrom<Fitted> for Columns {
    type Error = String;

    fn try_from(fitted: Fitted) -> Result<Self, String> {
        match fitted.fault() {
            Some(fault) => Err(format!(
                "the columns of a table do not belong together: {fault}"
            )),
            None => Ok(Self { fitted }),
        }
    }
}

impl From<Columns> for Fitted {
    fn from(columns: Columns) -> Self {
        columns.fitted
    }
}

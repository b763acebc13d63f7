//! One row as it arrived: a record, or the reason why it is not one.

use tables::{Cell, Columns, Layout, Record, TableError};

/// Stands for the cells of a row that could not be read.
const UNREADABLE: &str = "\0unreadable";

/// A row as it arrived.
#[derive(Debug)]
pub struct Row(Arrived);

#[derive(Debug)]
enum Arrived {
    Record(Record),
    /// What a table held.
    Fault(TableError),
    /// What a client sent.
    Refused {
        line: u64,
        reason: String,
    },
}

/// The outcome of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Its values can be used.
    Taken,
    /// It is left out because a value is missing, as requested.
    Dropped,
    /// It cannot be learned, for this reason.
    Bad(String),
}

impl Row {
    /// Returns a row of a table.
    pub fn new(row: Result<Record, TableError>) -> Self {
        Self(row.map_or_else(Arrived::Fault, Arrived::Record))
    }

    /// Returns the record of something that a client sent and that is not a row, for this reason.
    pub fn refused(line: u64, reason: String) -> Self {
        Self(Arrived::Refused { line, reason })
    }

    /// Returns the line on which it begins.
    pub fn line(&self) -> u64 {
        match &self.0 {
            Arrived::Record(record) => record.line,
            Arrived::Fault(error) => error.line().unwrap_or_default(),
            Arrived::Refused { line, .. } => *line,
        }
    }

    /// Returns the record, if it is one.
    pub fn record(&self) -> Option<&Record> {
        match &self.0 {
            Arrived::Record(record) => Some(record),
            _ => None,
        }
    }

    /// Returns the reason why it is not a record.
    pub fn error(&self) -> Option<&TableError> {
        match &self.0 {
            Arrived::Fault(error) => Some(error),
            _ => None,
        }
    }

    /// Returns the record, or the reason why it is not one.
    fn readable(&self) -> Result<&Record, Outcome> {
        match &self.0 {
            Arrived::Record(record) => Ok(record),
            Arrived::Fault(error) => Err(Outcome::Bad(error.text().to_owned())),
            Arrived::Refused { reason, .. } => Err(Outcome::Bad(reason.clone())),
        }
    }

    /// Returns the bytes of its text, and what a row takes besides.
    pub fn bytes(&self) -> usize {
        let text = self
            .record()
            .map_or(0, |record| record.cells.as_slice().len());
        size_of::<Self>() + text
    }

    /// Returns the cells, or a text that no cell holds if the row could not be read.
    pub fn cells(&self) -> Box<dyn Iterator<Item = &str> + '_> {
        match &self.0 {
            Arrived::Record(record) => Box::new(record.cells.iter()),
            _ => Box::new(std::iter::once(UNREADABLE)),
        }
    }

    /// Returns the error if the input itself failed, so that no row follows.
    pub fn into_failure(self) -> Result<Self, TableError> {
        match self.0 {
            Arrived::Fault(error) if error.ends_the_table() => Err(error),
            row => Ok(Self(row)),
        }
    }

    /// Returns whether the input itself failed here.
    pub fn is_failure(&self) -> bool {
        self.error().is_some_and(TableError::ends_the_table)
    }

    /// Appends the features to `out`, and counts cells whose category did not occur when columns were fitted.
    pub fn features(
        &self,
        columns: &Columns,
        layout: &Layout,
        out: &mut Vec<f32>,
        unseen: &mut u64,
    ) -> Outcome {
        let record = match self.readable() {
            Ok(record) => record,
            Err(outcome) => return outcome,
        };
        match columns.features(layout, record, out) {
            Ok(tables::Row::Encoded { unseen: cells }) => {
                *unseen += cells as u64;
                Outcome::Taken
            }
            Ok(tables::Row::Dropped) => Outcome::Dropped,
            Err(error) => Outcome::Bad(error.text().to_owned()),
        }
    }

    /// Returns the cell of the target.
    pub fn target(&self, columns: &Columns, layout: &Layout) -> Result<Cell<'_>, Outcome> {
        let record = self.readable()?;
        match columns.target(layout, record) {
            Ok(Some(cell)) => Ok(cell),
            Ok(None) => Err(Outcome::Dropped),
            Err(error) => Err(Outcome::Bad(error.text().to_owned())),
        }
    }
}

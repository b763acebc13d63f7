//! One row as it arrived: a record, or the reason why it is none.

use tables::{Cell, Columns, Layout, Record, RowError};

/// What stands for the cells of a row that could not be read.
const UNREADABLE: &str = "\0unreadable";

/// A row as it arrived.
#[derive(Debug)]
pub struct Row(Arrived);

#[derive(Debug)]
enum Arrived {
    Record(Record),
    /// What a table held in its place.
    Fault(RowError),
    /// What a client sent in its place.
    Refused {
        line: u64,
        reason: String,
    },
}

/// What became of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Its values can be used.
    Taken,
    /// Left out because a value is missing, as was asked for.
    Dropped,
    /// It cannot be learned, for this reason.
    Bad(String),
}

impl Row {
    /// Returns what a table held.
    pub fn new(row: Result<Record, RowError>) -> Self {
        Self(row.map_or_else(Arrived::Fault, Arrived::Record))
    }

    /// What a client has sent, which is no row, for this reason.
    pub fn refused(line: u64, reason: String) -> Self {
        Self(Arrived::Refused { line, reason })
    }

    /// The line on which it begins.
    pub fn line(&self) -> u64 {
        match &self.0 {
            Arrived::Record(record) => record.line,
            Arrived::Fault(error) => error.line,
            Arrived::Refused { line, .. } => *line,
        }
    }

    /// The record, if it is one.
    pub fn record(&self) -> Option<&Record> {
        match &self.0 {
            Arrived::Record(record) => Some(record),
            _ => None,
        }
    }

    /// Why it is no record.
    pub fn error(&self) -> Option<&RowError> {
        match &self.0 {
            Arrived::Fault(error) => Some(error),
            _ => None,
        }
    }

    /// The record, or that it is none.
    fn readable(&self) -> Result<&Record, Outcome> {
        match &self.0 {
            Arrived::Record(record) => Ok(record),
            Arrived::Fault(error) => Err(Outcome::Bad(error.fault.to_string())),
            Arrived::Refused { reason, .. } => Err(Outcome::Bad(reason.clone())),
        }
    }

    /// Bytes of text, and what a row takes besides.
    pub fn bytes(&self) -> usize {
        let text = self
            .record()
            .map_or(0, |record| record.cells.as_slice().len());
        size_of::<Self>() + text
    }

    /// The cells; something that no cell holds if the row could not be read.
    pub fn cells(&self) -> Box<dyn Iterator<Item = &str> + '_> {
        match &self.0 {
            Arrived::Record(record) => Box::new(record.cells.iter()),
            _ => Box::new(std::iter::once(UNREADABLE)),
        }
    }

    /// The error, if the input itself failed, so that no row comes after it.
    pub fn into_failure(self) -> Result<Self, RowError> {
        match self.0 {
            Arrived::Fault(error) if error.ends_the_table() => Err(error),
            row => Ok(Self(row)),
        }
    }

    /// Whether the input itself failed here.
    pub fn is_failure(&self) -> bool {
        self.error().is_some_and(RowError::ends_the_table)
    }

    /// Appends the features to `out`, and counts cells with a category that was not there when columns were fitted.
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
            Err(error) => Outcome::Bad(error.fault.to_string()),
        }
    }

    /// The cell of the target.
    pub fn target(&self, columns: &Columns, layout: &Layout) -> Result<Cell<'_>, Outcome> {
        let record = self.readable()?;
        match columns.target(layout, record) {
            Ok(Some(cell)) => Ok(cell),
            Ok(None) => Err(Outcome::Dropped),
            Err(error) => Err(Outcome::Bad(error.fault.to_string())),
        }
    }
}

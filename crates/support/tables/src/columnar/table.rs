//! The rows of a columnar file or stream.

use arrow_array::RecordBatch;

use super::damage::decoded;
use super::opened::{Batches, Opened};
use super::rows::{Rows, rows};
use crate::record::Column;
use crate::records::Source;
use crate::{Fault, Header, Kind, Record, RowError};

/// Rows that are text at the same time.
const ROWS: usize = 1024;

/// Rows of one batch at a time.
pub(super) struct Table<'a> {
    state: State<'a>,
    /// The columns that are read.
    used: Vec<bool>,
    /// What is left of the latest batch.
    batch: Option<RecordBatch>,
    rows: Rows,
    /// Rows before those in `rows`.
    number: u64,
}

enum State<'a> {
    Opened(Box<Opened<'a>>),
    Reading(Batches<'a>),
    Ended,
}

fn is_readable(column: &Column) -> bool {
    !matches!(column.kind, Kind::Unreadable(_))
}

impl<'a> Table<'a> {
    pub(super) fn new(header: &Header, opened: Opened<'a>) -> Self {
        Self {
            used: header.columns.iter().map(is_readable).collect(),
            state: State::Opened(Box::new(opened)),
            batch: None,
            rows: Rows::new(),
            number: 0,
        }
    }

    /// Fills `rows`; `false` at the end.
    fn fill(&mut self) -> Result<bool, Fault> {
        let Some(batch) = self.batch.take() else {
            self.batch = self.next_batch()?;
            return Ok(self.batch.is_some());
        };
        let most = batch.num_rows().min(ROWS);
        let first = batch.slice(0, most);
        self.rows = decoded(|| rows(&first, &self.places()))?;
        let rest = batch.num_rows() - most;
        self.batch = (rest > 0).then(|| batch.slice(most, rest));
        Ok(true)
    }

    fn next_batch(&mut self) -> Result<Option<RecordBatch>, Fault> {
        if matches!(self.state, State::Opened(_)) {
            self.start()?;
        }
        let State::Reading(batches) = &mut self.state else {
            return Ok(None);
        };
        decoded(|| batches.next().transpose())
    }

    fn start(&mut self) -> Result<(), Fault> {
        if let State::Opened(opened) = std::mem::replace(&mut self.state, State::Ended) {
            let columns = self.used.iter().enumerate();
            let used = columns.filter_map(|(column, used)| used.then_some(column));
            self.state = State::Reading(decoded(|| opened.batches(used.collect()))?);
        }
        Ok(())
    }

    /// Where in a batch each column is.
    fn places(&self) -> Vec<Option<usize>> {
        let mut places = 0..;
        let place = |used: &bool| used.then(|| places.next()).flatten();
        self.used.iter().map(place).collect()
    }
}

impl Source for Table<'_> {
    fn keep(&mut self, columns: &[usize]) {
        let mut kept = vec![false; self.used.len()];
        for column in columns {
            if let (Some(kept), Some(used)) = (kept.get_mut(*column), self.used.get(*column)) {
                *kept = *used;
            }
        }
        self.used = kept;
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, RowError> {
        loop {
            if let Some(cells) = self.rows.pop_front() {
                self.number += 1;
                record.line = self.number;
                record.cells = cells.map_err(|fault| fault.at(self.number))?;
                return Ok(true);
            }
            match self.fill() {
                Ok(true) => {}
                Ok(false) => return Ok(false),
                Err(fault) => {
                    // Rows after damage cannot be read.
                    self.state = State::Ended;
                    return Err(fault.at(self.number + 1));
                }
            }
        }
    }
}

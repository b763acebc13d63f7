//! Cells between separators, quoted as in RFC 4180.
//!
//! The state machine of `csv-core` reads from one buffer into another, so that a row that is too long is passed
//! over in constant memory and the next one can be read; the readers of `csv` let a row grow without end.

use csv_core::{ReadRecordResult, ReaderBuilder};

use crate::input::Text;
use crate::limits::{MAX_CELL, MAX_COLUMNS, MAX_ROW};
use crate::records::Source;
use crate::{Fault, Record, RowError};

pub(crate) struct Separated<'a> {
    text: Text<'a>,
    machine: csv_core::Reader,
    comment: Option<u8>,
    /// Line ends between rows, which the machine has not seen.
    skipped: u64,
    cells: Vec<u8>,
    ends: Vec<usize>,
}

impl<'a> Separated<'a> {
    pub(crate) fn new(text: Text<'a>, separator: u8, comment: Option<u8>) -> Self {
        Self {
            text,
            machine: ReaderBuilder::new().delimiter(separator).build(),
            comment,
            skipped: 0,
            cells: vec![0; 1 << 12],
            ends: vec![0; 1 << 8],
        }
    }

    fn line(&self) -> u64 {
        self.machine.line() + self.skipped
    }

    /// Passes over empty lines and comments; `false` at the end.
    fn find_row(&mut self) -> Result<bool, Fault> {
        loop {
            match self.text.fill_buf()?.first() {
                None => return Ok(false),
                Some(b'\n') => {
                    self.skipped += 1;
                    self.text.consume(1);
                }
                Some(b'\r') => self.text.consume(1),
                Some(byte) if Some(*byte) == self.comment => {
                    self.skipped += 1;
                    self.text.skip_until(b'\n')?;
                }
                Some(_) => return Ok(true),
            }
        }
    }

    /// Reads one row into `cells` and `ends`; the number of cells.
    fn read_row(&mut self) -> Result<usize, Fault> {
        let (mut filled, mut columns, mut fault) = (0, 0, None);
        loop {
            let input = self.text.fill_buf()?;
            let (cells, ends) = (&mut self.cells[filled..], &mut self.ends[columns..]);
            let (result, read, written, ended) = self.machine.read_record(input, cells, ends);
            self.text.consume(read);
            filled += written;
            columns += ended;
            match result {
                ReadRecordResult::InputEmpty => {}
                // In a row that is refused, the buffers are written over again and again.
                ReadRecordResult::OutputFull if !grow(&mut self.cells, MAX_ROW) => {
                    filled = 0;
                    fault = Some(Fault::RowTooLong);
                }
                ReadRecordResult::OutputEndsFull if !grow(&mut self.ends, MAX_COLUMNS) => {
                    columns = 0;
                    fault.get_or_insert(Fault::TooManyColumns);
                }
                ReadRecordResult::OutputFull | ReadRecordResult::OutputEndsFull => {}
                ReadRecordResult::Record | ReadRecordResult::End => break,
            }
        }
        fault.map_or(Ok(columns), Err)
    }

    fn copy(&self, columns: usize, record: &mut Record) -> Result<(), Fault> {
        record.cells.clear();
        let mut start = 0;
        for end in &self.ends[..columns] {
            let cell = &self.cells[start..*end];
            if cell.len() > MAX_CELL {
                return Err(Fault::CellTooLong);
            }
            let cell = str::from_utf8(cell).map_err(|_| Fault::NotText)?;
            record.cells.push_field(cell.trim());
            start = *end;
        }
        Ok(())
    }
}

/// Doubles a buffer up to a limit; `false` if it is there.
fn grow<T: Clone + Default>(buffer: &mut Vec<T>, limit: usize) -> bool {
    let wanted = (buffer.len() * 2).min(limit);
    let grows = wanted > buffer.len();
    buffer.resize(wanted, T::default());
    grows
}

impl Source for Separated<'_> {
    fn read(&mut self, record: &mut Record) -> Result<bool, RowError> {
        let found = self.find_row();
        let line = self.line();
        if !found.map_err(|fault| fault.at(line))? {
            return Ok(false);
        }
        record.line = line;
        let copied = self
            .read_row()
            .and_then(|columns| self.copy(columns, record));
        copied.map_err(|fault| fault.at(line))?;
        Ok(true)
    }
}

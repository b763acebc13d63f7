//! Cells between separators, quoted as in RFC 4180.
//!
//! The state machine of `csv-core` reads from one buffer into another, so that a row that is too long is passed
//! over in constant memory and the next one can be read; the readers of `csv` do not bound a row.
//!
//! A quote that opens a cell and has no end would take in the rows behind it, up to the next quote or the end of the
//! table. Where a quoted cell that holds line ends does not end where a cell should, or its row has another number of
//! cells than the rows before, its first line is a bad row and the lines behind it are read again.

mod input;
mod quotes;
mod row;

use csv_core::ReaderBuilder;

use self::input::Input;
use crate::input::Text;
use crate::records::Source;
use crate::{Fault, Record, RowError};

pub(crate) struct Separated<'a> {
    input: Input<'a>,
    machine: csv_core::Reader,
    separator: u8,
    comment: Option<u8>,
    /// Line ends between rows, which the machine has not seen.
    skipped: u64,
    cells: Vec<u8>,
    ends: Vec<usize>,
    /// The bytes of a row that continues after a line or a read.
    raw: Vec<u8>,
    /// Cells that a row should have.
    expected: Option<usize>,
}

impl<'a> Separated<'a> {
    pub(crate) fn new(text: Text<'a>, separator: u8, comment: Option<u8>) -> Self {
        Self {
            input: Input::new(text),
            machine: ReaderBuilder::new().delimiter(separator).build(),
            separator,
            comment,
            skipped: 0,
            cells: vec![0; 1 << 12],
            ends: vec![0; 1 << 8],
            raw: Vec::new(),
            expected: None,
        }
    }

    fn line(&self) -> u64 {
        self.machine.line() + self.skipped
    }

    /// Passes over empty lines and comments; `false` at the end.
    fn find_row(&mut self) -> Result<bool, Fault> {
        loop {
            match self.input.peek()?.first() {
                None => return Ok(false),
                Some(b'\n') => {
                    self.skipped += 1;
                    self.input.consume(1);
                }
                Some(b'\r') => self.input.consume(1),
                Some(byte) if Some(*byte) == self.comment => {
                    self.skipped += 1;
                    self.input.skip_line()?;
                }
                Some(_) => return Ok(true),
            }
        }
    }
}

impl Source for Separated<'_> {
    fn expect(&mut self, cells: usize) {
        self.expected = Some(cells);
    }

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

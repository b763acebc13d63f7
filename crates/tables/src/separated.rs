//! Cells between separators, quoted as in RFC 4180.
//!
//! The state machine of `csv-core` reads from one buffer into another, so that a row that is too long is passed
//! over in constant memory and the next one can be read; the readers of `csv` let a row grow without end.
//!
//! A quote that opens a cell and has no end would take in the rows behind it, up to the next quote or the end of the
//! table. Where a quoted cell that holds line ends does not end where a cell should, or its row has another number of
//! cells than the rows before, its first line is a bad row and the lines behind it are read again.

mod input;
mod quotes;

use csv_core::{ReadRecordResult, ReaderBuilder};

use self::input::Input;
use crate::input::Text;
use crate::limits::{MAX_CELL, MAX_COLUMNS, MAX_ROW};
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
    /// The bytes of a row that goes on behind a line or a read.
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

    /// Reads one row into `cells` and `ends`; the number of cells.
    fn read_row(&mut self) -> Result<usize, Fault> {
        let start = self.machine.line();
        let (mut filled, mut columns, mut fault) = (0, 0, None);
        self.raw.clear();
        self.input.keep_to_line();
        let is_over = loop {
            let input = self.input.peek()?;
            let (cells, ends) = (&mut self.cells[filled..], &mut self.ends[columns..]);
            let (result, read, written, ended) = self.machine.read_record(input, cells, ends);
            filled += written;
            columns += ended;
            let is_row = matches!(result, ReadRecordResult::Record | ReadRecordResult::End);
            let piece = &input[..read];
            let is_whole = is_row && self.raw.is_empty();
            if !is_whole || spans_lines(piece, self.machine.line() - start) {
                self.raw.extend_from_slice(piece);
            }
            self.input.consume(read);
            match result {
                ReadRecordResult::Record | ReadRecordResult::End => break false,
                _ if self.raw.len() >= MAX_ROW => break true,
                ReadRecordResult::OutputFull => grow(&mut self.cells, MAX_ROW + 1),
                ReadRecordResult::OutputEndsFull if self.ends.len() < MAX_COLUMNS => {
                    grow(&mut self.ends, MAX_COLUMNS);
                }
                // In a row that is refused, the ends are written over again and again.
                ReadRecordResult::OutputEndsFull => {
                    columns = 0;
                    fault = Some(Fault::TooManyColumns);
                }
                ReadRecordResult::InputEmpty => {}
            }
        };
        self.input.end_of_row();
        if let Some(fault) = self.read_again(start, columns, is_over) {
            return Err(fault);
        }
        if is_over {
            self.input.skip_line()?;
            self.restart(start + line_ends(&self.raw) + 1);
            return Err(Fault::RowTooLong);
        }
        fault.map_or(Ok(columns), Err)
    }

    /// If a quote has no end of its own: its fault, and the lines behind it are read again.
    fn read_again(&mut self, start: u64, columns: usize, is_over: bool) -> Option<Fault> {
        let is_ragged = self.expected.is_some_and(|expected| expected != columns);
        let cells = || quotes::spanning(&self.raw, self.separator);
        let first = cells().next()?;
        let suspect = cells().find(|cell| !cell.is_closed);
        let suspect = suspect.or_else(|| (is_over || is_ragged).then_some(first))?;
        let line_end = self.raw.iter().position(|it| *it == b'\n');
        let end = match line_end {
            Some(end) => end + 1,
            // Nothing but a line that is too long.
            None if is_over => return None,
            None => self.raw.len(),
        };
        let opened = line_ends(&self.raw[..suspect.start]);
        let (before, behind) = self.raw.split_at(end);
        let passed = line_ends(before);
        let lines = line_ends(behind) + u64::from(!behind.is_empty() && !behind.ends_with(b"\n"));
        self.input.put_back(behind);
        self.restart(start + passed);
        Some(Fault::OpenQuote {
            opened: (opened > 0).then_some(start + opened + self.skipped),
            lines,
        })
    }

    /// The machine at the beginning of a row.
    fn restart(&mut self, line: u64) {
        self.machine.reset();
        self.machine.set_line(line);
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

/// Whether so many line ends are more than the one behind a row.
fn spans_lines(row: &[u8], line_ends: u64) -> bool {
    line_ends > u64::from(row.ends_with(b"\n"))
}

fn line_ends(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|byte| **byte == b'\n').count() as u64
}

/// Doubles a buffer up to a limit.
fn grow<T: Clone + Default>(buffer: &mut Vec<T>, limit: usize) {
    buffer.resize((buffer.len() * 2).min(limit), T::default());
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

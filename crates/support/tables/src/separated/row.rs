//! One row after another, by the state machine.

use csv_core::ReadRecordResult;

use super::{Separated, quotes};
use crate::limits::{MAX_CELL, MAX_COLUMNS, MAX_ROW};
use crate::{Fault, Record};

impl Separated<'_> {
    /// Reads one row into `cells` and `ends`; the number of cells.
    pub(super) fn read_row(&mut self) -> Result<usize, Fault> {
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
                    fault = Some(Fault::too_many_columns());
                }
                ReadRecordResult::InputEmpty => {}
            }
        };
        self.input.end_of_row();
        match self.read_again(start, columns, is_over) {
            Some(fault) => Err(fault),
            None if is_over => Err(self.pass_over(start)),
            None => fault.map_or(Ok(columns), Err),
        }
    }

    /// Passes over the rest of a line that is too long.
    fn pass_over(&mut self, start: u64) -> Fault {
        self.restart(start + line_ends(&self.raw) + 1);
        match self.input.skip_line() {
            Ok(()) => Fault::row_too_long(),
            Err(error) => error.into(),
        }
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
        let opening = match opened {
            0 => "this line".to_owned(),
            _ => format!("line {}", start + opened + self.skipped),
        };
        let taken_in = match lines {
            0 => String::new(),
            _ => format!(", and takes in {lines} more lines, which are read as rows instead"),
        };
        Some(Fault::new(format!(
            "the quoted cell that begins on {opening} does not end where a cell should{taken_in}; close its quote, or write a \
             quote within a quoted cell twice"
        )))
    }

    /// The machine at the beginning of a row.
    fn restart(&mut self, line: u64) {
        self.machine.reset();
        self.machine.set_line(line);
    }

    pub(super) fn copy(&self, columns: usize, record: &mut Record) -> Result<(), Fault> {
        record.cells.clear();
        let mut start = 0;
        for end in &self.ends[..columns] {
            let cell = &self.cells[start..*end];
            if cell.len() > MAX_CELL {
                return Err(Fault::new("a cell of more than 1 MiB"));
            }
            let cell = str::from_utf8(cell).map_err(|_| Fault::not_text())?;
            record.cells.push_field(cell.trim());
            start = *end;
        }
        Ok(())
    }
}

/// Returns whether there are more line ends than the one behind a row.
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

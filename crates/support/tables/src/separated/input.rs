//! Text that can be put back.

use std::io;

use crate::input::Text;

/// The bytes that were put back, then those of the text.
///
/// Of the lines that were put back, all but the last are read one by one: a row does not continue after them. So a line is not
/// put back over and over again, and the time stays linear.
pub(super) struct Input<'a> {
    text: Text<'a>,
    again: Vec<u8>,
    at: usize,
    /// Where the line ends that is read by itself.
    line_end: Option<usize>,
}

impl<'a> Input<'a> {
    pub(super) fn new(text: Text<'a>) -> Self {
        Self {
            text,
            again: Vec::new(),
            at: 0,
            line_end: None,
        }
    }

    /// Returns the next bytes; empty at the end, or at the end of a line that is read by itself.
    pub(super) fn peek(&mut self) -> io::Result<&[u8]> {
        match self.line_end {
            Some(end) => Ok(&self.again[self.at..end]),
            None if self.at < self.again.len() => Ok(&self.again[self.at..]),
            None => self.text.fill_buf(),
        }
    }

    pub(super) fn consume(&mut self, bytes: usize) {
        if self.at < self.again.len() {
            self.at += bytes;
        } else {
            self.text.consume(bytes);
        }
    }

    /// Ends the next row at the end of its line, if that is not the last line that was put back.
    pub(super) fn keep_to_line(&mut self) {
        let rest = &self.again[self.at..];
        let end = rest.iter().position(|byte| *byte == b'\n');
        let end = end.map(|end| self.at + end + 1);
        self.line_end = end.filter(|end| *end < self.again.len());
    }

    /// The row has been read.
    pub(super) fn end_of_row(&mut self) {
        self.line_end = None;
    }

    /// Passes over the rest of the line.
    pub(super) fn skip_line(&mut self) -> io::Result<()> {
        loop {
            let bytes = self.peek()?;
            let end = bytes.iter().position(|byte| *byte == b'\n');
            let passed = end.map_or(bytes.len(), |end| end + 1);
            let is_end = end.is_some() || bytes.is_empty();
            self.consume(passed);
            if is_end {
                return Ok(());
            }
        }
    }

    /// Puts back the latest bytes, which are read again before all others.
    pub(super) fn put_back(&mut self, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.again.drain(..self.at);
            self.again.splice(0..0, bytes.iter().copied());
            self.at = 0;
        }
    }
}

//! Cells between runs of blanks; blanks at either end of a line mean nothing.

use crate::input::{Lines, Text};
use crate::records::Source;
use crate::{Record, RowError};

pub(crate) struct Blanks<'a> {
    lines: Lines<'a>,
    comment: Option<char>,
}

impl<'a> Blanks<'a> {
    pub(crate) fn new(text: Text<'a>, comment: Option<char>) -> Self {
        let lines = Lines::of(text);
        Self { lines, comment }
    }
}

impl Source for Blanks<'_> {
    fn read(&mut self, record: &mut Record) -> Result<bool, RowError> {
        loop {
            let Some(line) = self.lines.read()? else {
                return Ok(false);
            };
            if line.is_empty()
                || self
                    .comment
                    .is_some_and(|comment| line.starts_with(comment))
            {
                continue;
            }
            record.cells.clear();
            for cell in line.split_ascii_whitespace() {
                record.cells.push_field(cell.trim_matches('"'));
            }
            record.line = self.lines.number();
            return Ok(true);
        }
    }
}

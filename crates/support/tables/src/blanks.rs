//! Cells between runs of blanks; blanks at either end of a line are ignored. A cell in quotes may hold blanks.

use std::iter;

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
            cells(line).for_each(|cell| record.cells.push_field(cell));
            record.line = self.lines.number();
            return Ok(true);
        }
    }
}

/// Returns the cells of a line.
pub(crate) fn cells(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    iter::from_fn(move || {
        rest = rest.trim_ascii_start();
        if rest.is_empty() {
            return None;
        }
        let end = quoted_end(rest).or_else(|| rest.find(|c: char| c.is_ascii_whitespace()));
        let (cell, behind) = rest.split_at(end.unwrap_or(rest.len()));
        rest = behind;
        Some(cell.trim_matches('"'))
    })
}

/// Where a cell ends that begins with a quote: behind a quote before a blank or the end of the line.
fn quoted_end(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('"')?;
    let closes = |at: &usize| {
        let behind = inner[at + 1..].bytes().next();
        behind.is_none_or(|byte| byte.is_ascii_whitespace())
    };
    let mut quotes = inner.match_indices('"').map(|(at, _)| at);
    // One for the opening quote, one for this one.
    quotes.find(closes).map(|at| at + 2)
}

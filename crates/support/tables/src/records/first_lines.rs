//! Recognises the format of a table by its first lines.

use std::io::{BufRead as _, Read as _};

use super::separator::Guess;
use crate::input::Text;
use crate::libsvm::looks_like_libsvm;
use crate::limits::MAX_ROW;
use crate::{Delimiter, Fault, TableOptions, Warning};

const NO_INDICES: &str = "looks like LIBSVM, which does not state the number of features; state it with --indices 1-LAST, where LAST is \
     the largest index of all rows to come (0-LAST if indices count from 0)";

/// Lines that are looked at where the first one fits several separators.
const MOST_LINES: usize = 20;

/// Everything up to the first line that says how the table is written, and more where that is not enough.
pub(super) struct FirstLines {
    pub(super) bytes: Vec<u8>,
    /// Lines that are neither blank nor a comment.
    lines: Vec<String>,
    /// The first line that does not begin with `%`, either.
    declaration: String,
    /// What a line such as `sep=;` says.
    stated: Option<u8>,
}

impl FirstLines {
    pub(super) fn read(text: &mut Text<'_>, options: &TableOptions) -> std::io::Result<Self> {
        let mut first = Self {
            bytes: Vec::new(),
            lines: Vec::new(),
            declaration: String::new(),
            stated: None,
        };
        while first.declaration.is_empty() && first.read_line(text, options)? {}
        Ok(first)
    }

    /// Reads one more line; `false` if there is none, or enough was read.
    fn read_line(&mut self, text: &mut Text<'_>, options: &TableOptions) -> std::io::Result<bool> {
        let start = self.bytes.len();
        let mut bounded = text.take((MAX_ROW - start) as u64);
        let read = bounded.read_until(b'\n', &mut self.bytes)?;
        self.look_at(start, options);
        Ok(read > 0 && self.bytes.len() < MAX_ROW)
    }

    fn look_at(&mut self, start: usize, options: &TableOptions) {
        let line = String::from_utf8_lossy(&self.bytes[start..]).into_owned();
        let trimmed = line.trim();
        let comment = options.comment_char();
        if trimmed.is_empty() || comment.is_some_and(|comment| trimmed.starts_with(comment)) {
            return;
        }
        let is_first = self.lines.is_empty();
        match stated_separator(&line) {
            Some(separator) if is_first && self.stated.is_none() => {
                self.stated = Some(separator);
                return self.leave_out(start);
            }
            _ => {}
        }
        if self.declaration.is_empty() && !trimmed.starts_with('%') {
            self.declaration = trimmed.to_owned();
        }
        self.lines.push(trimmed.to_owned());
    }

    /// Makes a line empty, so that the lines behind it keep their numbers.
    fn leave_out(&mut self, start: usize) {
        let line = self.bytes[start..].iter_mut();
        line.take_while(|byte| **byte != b'\n')
            .for_each(|byte| *byte = b'\r');
    }

    /// Rejects formats that are not tables although they would be read as one.
    pub(super) fn check(&self) -> Result<(), Fault> {
        let line = self.lines.first().map_or("", String::as_str);
        if looks_like_libsvm(line) {
            return Err(Fault::new(NO_INDICES));
        }
        Ok(())
    }

    /// Rejects line ends of the first Macintosh.
    pub(super) fn check_line_ends(&self) -> Result<(), Fault> {
        let line = self.lines.first().map_or("", String::as_str);
        if line.contains('\r') && !line.contains('"') {
            return Err(Fault::new(
                "ends its lines with a carriage return alone; convert it with tr '\\r' '\\n'",
            ));
        }
        Ok(())
    }

    pub(super) fn declare_arff(&self) -> bool {
        let word = self
            .declaration
            .split_whitespace()
            .next()
            .unwrap_or_default();
        ["@relation", "@attribute"]
            .iter()
            .any(|keyword| word.eq_ignore_ascii_case(keyword))
    }

    /// What stands between cells: as stated, or as it fits the first lines, and whether another separator does, too.
    pub(super) fn delimiter(
        &mut self,
        text: &mut Text<'_>,
        options: &TableOptions,
    ) -> std::io::Result<(Delimiter, Option<Warning>)> {
        if let Some(stated) = options.delimiter.or(self.stated.map(Delimiter::Byte)) {
            return Ok((stated, None));
        }
        let mut guess = Guess::from_first(self.lines.first().map_or("", String::as_str), options);
        let mut looked_at = 1;
        while guess.is_open() && looked_at < MOST_LINES {
            if looked_at >= self.lines.len() && !self.read_line(text, options)? {
                break;
            }
            let new = self.lines.iter().skip(looked_at);
            new.for_each(|line| guess.add(line));
            looked_at = looked_at.max(self.lines.len());
        }
        let (taken, other) = guess.best();
        let doubt = other.map(|other| {
            Warning::new(format!(
                "cells are separated by `{taken}`, but `{other}` fits the first lines, too; choose with --delimiter"
            ))
        });
        Ok((taken, doubt))
    }
}

/// Returns the separator of a line such as `sep=;`, which Excel reads.
fn stated_separator(line: &str) -> Option<u8> {
    let line = line.trim_end_matches(['\r', '\n']).trim_matches('"');
    let (key, separator) = line.split_at_checked("sep=".len())?;
    match separator.as_bytes() {
        [byte] if key.eq_ignore_ascii_case("sep=") && byte.is_ascii() => Some(*byte),
        _ => None,
    }
}

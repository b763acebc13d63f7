//! How a table is written, by its first lines.

use std::io::{BufRead as _, Read as _};

use crate::input::Text;
use crate::libsvm::looks_like_libsvm;
use crate::limits::MAX_ROW;
use crate::{Delimiter, Fault, TableOptions};

/// Everything up to the first line that says how the table is written.
pub(super) struct FirstLines {
    pub(super) bytes: Vec<u8>,
    /// The first line that is neither blank nor a comment.
    line: String,
    /// The first line that does not begin with `%`, either.
    declaration: String,
}

impl FirstLines {
    pub(super) fn read(text: &mut Text<'_>, options: &TableOptions) -> std::io::Result<Self> {
        let mut first = Self {
            bytes: Vec::new(),
            line: String::new(),
            declaration: String::new(),
        };
        while first.declaration.is_empty() && first.bytes.len() < MAX_ROW {
            let start = first.bytes.len();
            let mut bounded = text.take((MAX_ROW - start) as u64);
            if bounded.read_until(b'\n', &mut first.bytes)? == 0 {
                break;
            }
            first.look_at(start, options);
        }
        Ok(first)
    }

    fn look_at(&mut self, start: usize, options: &TableOptions) {
        let line = String::from_utf8_lossy(&self.bytes[start..]);
        let line = line.trim();
        if line.is_empty()
            || options
                .comment_char()
                .is_some_and(|comment| line.starts_with(comment))
        {
            return;
        }
        if self.line.is_empty() {
            self.line = line.to_owned();
        }
        if !line.starts_with('%') {
            self.declaration = line.to_owned();
        }
    }

    /// Refuses what is no table although it would be read as one.
    pub(super) fn check(&self) -> Result<(), Fault> {
        match looks_like_libsvm(&self.line) {
            true => Err(Fault::NoIndices),
            false => Ok(()),
        }
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

    /// The separator that occurs most on the first line, outside quotes; the first of equals. If none does, blanks.
    pub(super) fn delimiter(&self, options: &TableOptions) -> Delimiter {
        let outside_quotes: String = self.line.split('"').step_by(2).collect();
        let count = |separator: u8| {
            outside_quotes
                .bytes()
                .filter(|byte| *byte == separator)
                .count()
        };
        let candidates = options
            .likely_separators()
            .map(|separator| (count(separator), separator));
        // `max_by_key` takes the last of equals.
        let most = candidates.rev().max_by_key(|(count, _)| *count);
        match most {
            Some((1.., separator)) => Delimiter::Byte(separator),
            _ => Delimiter::Blanks,
        }
    }
}

//! LIBSVM text: one row per line, `label index:value …`.
//!
//! Indices increase within a row; omitted values are zero; `#` starts a comment (SVMlight). A group (`qid:1`), which
//! learners of rankings use, is refused. Format: the README of LIBSVM (Chang and Lin, ACM TIST 2011). Where rows come
//! one after another, the user states the number of features, since a later row may have a larger index than all
//! before.

use crate::error::{Result, refuse, short};
use crate::input::Lines;
use crate::record::{Column, Kind, Source};
use crate::{Header, Indices, Record, TableError};

/// A label, and indices, which increase, with their values, all as they were written.
type Parsed<'a> = (&'a str, Vec<(u32, &'a str)>);

/// Parses the row of a line; returns `None` if it is blank or a comment.
fn parse(line: &str) -> Result<Option<Parsed<'_>>> {
    let content = line.split('#').next().unwrap_or_default();
    let mut words = content.split_ascii_whitespace();
    let Some(label) = words.next() else {
        return Ok(None);
    };
    // Text in another format would be read as a label without features.
    if label.parse::<f64>().is_err() {
        let label = short(label);
        refuse!("`{label}` (label) is not a number; LIBSVM rows are `label index:value …`");
    }
    let mut cells: Vec<(u32, &str)> = Vec::new();
    for word in words {
        match pair(word) {
            None => {
                let word = short(word);
                refuse!("`{word}` is not `index:value`; groups (`qid:1`) are not read");
            }
            Some((index, _)) if cells.last().is_some_and(|last| last.0 >= index) => {
                refuse!("index {index} does not increase; indices of a row must")
            }
            Some(cell) => cells.push(cell),
        }
    }
    Ok(Some((label, cells)))
}

fn pair(word: &str) -> Option<(u32, &str)> {
    let (index, value) = word.split_once(':')?;
    Some((index.parse().ok()?, value))
}

/// Returns whether a line is a row of LIBSVM's format: a number, then `index:value` or a group.
pub fn looks_like_libsvm(line: &str) -> bool {
    let mut words = line.split_ascii_whitespace();
    let label = words.next().map(str::parse::<f64>);
    let is_pair = |word: &str| word.starts_with("qid:") || pair(word).is_some();
    matches!(label, Some(Ok(_))) && words.next().is_some_and(is_pair)
}

impl Indices {
    /// Returns the indices that the rows of LIBSVM texts have together: from 0 if one is 0, as scikit-learn writes
    /// them, else from 1. Rows that cannot be read are passed over: they are reported when they are read.
    ///
    /// # Errors
    /// Returns an error for rows without features, or of too many, or for text that cannot be read.
    pub fn of_rows<'a>(texts: impl Iterator<Item = &'a [u8]>) -> Result<Self> {
        let mut first = 1;
        let mut last = None;
        for text in texts {
            let mut lines = Lines::new(text, None)?;
            while lines.advance()? {
                if let Ok(Some((_, cells))) = parse(lines.latest()?) {
                    // Indices of a row increase.
                    first = cells.first().map_or(first, |cell| first.min(cell.0));
                    last = last.max(cells.last().map(|cell| cell.0));
                }
            }
        }
        let last = last.ok_or_else(TableError::no_features)?;
        Self::new(first, last).ok_or_else(TableError::too_many_columns)
    }
}

/// The rows of a file whose indices are known; the columns are `label` and `f` with the index.
pub(crate) struct Libsvm<'a> {
    lines: Lines<'a>,
    indices: Indices,
}

impl<'a> Libsvm<'a> {
    pub(crate) fn open(lines: Lines<'a>, indices: Indices) -> (Header, Box<dyn Source + 'a>) {
        let mut columns = vec![Column::new("label", Kind::Unstated)];
        for index in indices.range() {
            columns.push(Column::new(format!("f{index}"), Kind::Numeric));
        }
        (Header::declared(columns), Box::new(Self { lines, indices }))
    }

    /// Writes the label, then a cell for every index; `false` if the line is not a row.
    fn write(&mut self, record: &mut Record) -> Result<bool> {
        let Some((label, cells)) = parse(self.lines.latest()?)? else {
            return Ok(false);
        };
        let range = self.indices.range();
        if let Some((index, _)) = cells.iter().find(|cell| !range.contains(&cell.0)) {
            let all = self.indices;
            refuse!("index {index} is not one of {all}, those of --indices");
        }
        record.cells.clear();
        record.cells.push_field(label);
        let mut cells = cells.iter().peekable();
        for index in range {
            let cell = cells.next_if(|cell| cell.0 == index);
            record.cells.push_field(cell.map_or("0", |cell| cell.1));
        }
        Ok(true)
    }
}

impl Source for Libsvm<'_> {
    fn read(&mut self, record: &mut Record) -> Result<bool> {
        while self.lines.advance()? {
            record.line = self.lines.number;
            if self.write(record).map_err(|fault| fault.at(record.line))? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

//! Determines whether the first row is a header, by the rows after it.

use std::collections::VecDeque;

use super::Source;
use crate::header::{Certainty, FirstRow, Verdict, Weighing};
use crate::limits::MAX_ROW;
use crate::{Header, HeaderLine, Record, RowError, TableOptions};

/// Rows that are looked at to find a column without a name.
const ROWS_WITH_NAMES: usize = 2;

/// Rows that were read ahead.
pub(super) type Ahead = VecDeque<Result<Record, RowError>>;

/// Reads rows until they determine whether the first one is a header.
pub(super) fn first_row(
    first: &Record,
    source: &mut dyn Source,
    ahead: &mut Ahead,
    options: &TableOptions,
    known: Option<&Header>,
) -> Verdict {
    match options.header {
        HeaderLine::Yes => (FirstRow::Names, Certainty::Sure),
        HeaderLine::No => (FirstRow::Row, Certainty::Sure),
        HeaderLine::Auto => weigh(first, source, ahead, options, known),
    }
}

fn weigh(
    first: &Record,
    source: &mut dyn Source,
    ahead: &mut Ahead,
    options: &TableOptions,
    known: Option<&Header>,
) -> Verdict {
    let (numbers, missing_words) = (options.numbers(), options.missing_words());
    let mut weighing = match Weighing::start(first, &numbers, &missing_words, known) {
        Ok(weighing) => weighing,
        Err(verdict) => return verdict,
    };
    let mut bytes = 0;
    while !weighing.is_decided() && bytes < MAX_ROW && read_ahead(source, ahead) {
        if let Some(Ok(row)) = ahead.back() {
            weighing.add(row, &numbers, &missing_words);
            bytes += row.cells.as_slice().len();
        }
    }
    weighing.verdict()
}

/// Reads one more row; `false` if none can be read.
fn read_ahead(source: &mut dyn Source, ahead: &mut Ahead) -> bool {
    let mut row = Record::default();
    match source.read(&mut row) {
        Ok(false) => false,
        Ok(true) => {
            ahead.push_back(Ok(row));
            true
        }
        Err(error) => {
            let has_more = !error.ends_the_table();
            ahead.push_back(Err(error));
            has_more
        }
    }
}

/// Returns whether rows have one cell more than there are names.
pub(super) fn rows_are_longer(names: &Record, source: &mut dyn Source, ahead: &mut Ahead) -> bool {
    let wanted = names.cells.len() + 1;
    let is_longer = |row: &Record| row.cells.len() == wanted;
    let all_longer = |ahead: &Ahead| ahead.iter().flatten().all(is_longer);
    while ahead.len() < ROWS_WITH_NAMES && all_longer(ahead) && read_ahead(source, ahead) {}
    ahead.iter().flatten().next().is_some() && all_longer(ahead)
}

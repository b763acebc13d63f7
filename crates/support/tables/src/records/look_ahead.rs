//! Determines whether the first row is a header, by the rows after it.

use std::collections::VecDeque;

use super::Source;
use crate::header::{FirstRow, Weighing};
use crate::limits::MAX_ROW;
use crate::{Header, HeaderLine, Record, RowError, TableOptions};

/// Rows that are looked at to find a column without a name.
const ROWS_WITH_NAMES: usize = 2;

/// Rows that were read ahead.
pub(super) type Ahead = VecDeque<Result<Record, RowError>>;

/// Reads rows until they determine whether the first one names the columns; returns whether that is a guess, too. A first row of
/// which at least half of the cells are names of known columns names them.
pub(super) fn first_row(
    first: &Record,
    source: &mut dyn Source,
    ahead: &mut Ahead,
    options: &TableOptions,
    known: Option<&Header>,
) -> (FirstRow, bool) {
    match options.header {
        HeaderLine::Yes => return (FirstRow::Names, false),
        HeaderLine::No => return (FirstRow::Row, false),
        HeaderLine::Auto => {}
    }
    if known.is_some_and(|known| are_names_of(first, known)) {
        return (FirstRow::Names, false);
    }
    let (numbers, missing) = (options.numbers(), options.missing_words());
    let mut weighing = Weighing::new(first, &numbers, &missing);
    let mut bytes = 0;
    while !weighing.is_decided() && bytes < MAX_ROW && read_ahead(source, ahead) {
        if let Some(Ok(row)) = ahead.back() {
            weighing.add(row, &numbers, &missing);
            bytes += row.cells.as_slice().len();
        }
    }
    weighing.verdict()
}

/// Returns whether at least half of the cells are names of known columns.
fn are_names_of(first: &Record, known: &Header) -> bool {
    let is_known = |cell: &&str| known.columns.iter().any(|column| column.name == **cell);
    known.is_named && 2 * first.cells.iter().filter(is_known).count() >= first.cells.len()
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

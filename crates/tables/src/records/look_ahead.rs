//! Whether the first row is a header, by the rows behind it.

use std::collections::VecDeque;

use super::Source;
use crate::header::Verdict;
use crate::limits::MAX_ROW;
use crate::{Record, RowError, TableOptions};

/// Rows that are looked at to tell a header from a row of words.
const LOOK_AHEAD: usize = 1000;

/// Reads rows until they tell whether the first is a header.
pub(super) fn is_header(
    first: &Record,
    source: &mut dyn Source,
    ahead: &mut VecDeque<Result<Record, RowError>>,
    options: &TableOptions,
) -> bool {
    let mut verdict = Verdict::of_first(first, &options.numbers());
    let mut bytes = 0;
    while verdict == Verdict::Open && ahead.len() < LOOK_AHEAD && bytes < MAX_ROW {
        let mut row = Record::default();
        match source.read(&mut row) {
            Ok(false) => break,
            Ok(true) => {
                verdict = Verdict::of_next(first, &row, &options.numbers());
                bytes += row.cells.as_slice().len();
                ahead.push_back(Ok(row));
            }
            Err(error) => {
                let ends = error.ends_the_table();
                ahead.push_back(Err(error));
                if ends {
                    break;
                }
            }
        }
    }
    verdict != Verdict::Row
}

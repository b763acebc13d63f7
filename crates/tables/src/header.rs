//! Whether the first row names the columns.
//!
//! It does when none of its cells is a number and none is `?`, and a later row has a number below a name, or none of
//! the cells occurs again in its column: so a header is found above numbers and above words alike.

use crate::missing::is_missing;
use crate::{Numbers, Record};

/// What rows have told so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The first row is a header.
    Header,
    /// It is a row like the others.
    Row,
    /// Not known yet.
    Open,
}

impl Verdict {
    /// What the first row tells by itself.
    pub(crate) fn of_first(first: &Record, numbers: &Numbers) -> Self {
        let is_value = |cell: &str| cell == "?" || numbers.parse(cell).is_some();
        match first.cells.iter().any(is_value) {
            true => Self::Row,
            false => Self::Open,
        }
    }

    /// What another row tells about the first.
    pub(crate) fn of_next(first: &Record, row: &Record, numbers: &Numbers) -> Self {
        let pairs = || first.cells.iter().zip(&row.cells);
        let number_below_name = |(name, cell): (&str, &str)| {
            !is_missing(name) && !is_missing(cell) && numbers.parse(cell).is_some()
        };
        if pairs().any(number_below_name) {
            Self::Header
        } else if pairs().any(|(name, cell)| name == cell) {
            Self::Row
        } else {
            Self::Open
        }
    }
}

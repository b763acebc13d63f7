//! Dates as numbers: days since 1970-01-01, with the time of day as a fraction; a time alone is the fraction.

mod patterns;
mod reading;

use serde::{Deserialize, Serialize};

use patterns::{may_be_date, patterns};

/// The format of the dates of a column: [`DateFormat::ISO`] or a pattern of `strptime`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DateFormat(String);

/// In a column of dates, one cell in this number may be something else: a typing error is likelier than words among which nearly
/// all are dates.
const CELLS_PER_MISS: usize = 20;

/// The number of cells, from all parts of a column, that a pattern is tried on; a pattern that fits no cell of them is not tried on the rest.
const SAMPLED: usize = 40;

impl DateFormat {
    /// ISO 8601: `2014-05-02`, `2014-05-02 13:30`, `20140502T133000`, `2014-05-02T13:30:00Z`.
    pub const ISO: &str = "ISO 8601";

    /// Returns the format of a pattern.
    pub fn from_pattern(pattern: &str) -> Self {
        Self(pattern.to_owned())
    }

    /// Returns the format as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns whether a cell has a day, not only a time of day.
    pub(crate) fn has_days(&self) -> bool {
        self.0 == Self::ISO
            || ["%Y", "%y", "%D", "%F", "%s"]
                .iter()
                .any(|year| self.0.contains(year))
    }

    /// Returns days since 1970-01-01; of a time without a date the part of a day since midnight. Returns `None` if the cell is not a date of this
    /// format.
    ///
    /// A date without a day is the first of its month. A year of one or two digits is not accepted, unless the pattern has `%y`. A
    /// trailing `UTC`, `GMT` or `Z` is accepted in every format.
    ///
    /// ```
    /// use tables::DateFormat;
    /// assert_eq!(DateFormat::from_pattern("%d.%m.%Y").days("02.01.1970"), Some(1.0));
    /// assert_eq!(DateFormat::from_pattern(DateFormat::ISO).days("1969-12-31 18:00"), Some(-0.25));
    /// assert_eq!(DateFormat::from_pattern("%H:%M").days("18:00"), Some(0.75));
    /// ```
    pub fn days(&self, cell: &str) -> Option<f64> {
        reading::days(self, cell)
    }

    /// Returns the known format that nearly all cells have; of several, the one that fewest cells lack.
    pub(crate) fn that_fits(cells: &[&str]) -> Option<Self> {
        if !nearly_all(cells, |cell| {
            cell.len() <= reading::LONGEST && cell.contains(is_digit)
        }) {
            return None;
        }
        let step = cells.len().div_ceil(SAMPLED);
        let sample: Vec<&str> = cells.iter().step_by(step).copied().collect();
        let fits_any = |format: &Self| sample.iter().any(|cell| format.days(cell).is_some());
        let likely = patterns().map(Self).filter(fits_any);
        let fitting = likely.filter_map(|format| Some((format.misses(cells)?, format)));
        let best = fitting.min_by_key(|(misses, _)| *misses);
        best.map(|(_, format)| format)
    }

    /// Counts the cells that are not dates of this format; returns `None` if they are too many for a column of dates, or without cells.
    pub(crate) fn misses(&self, cells: &[&str]) -> Option<usize> {
        let (mut misses, most) = (0, cells.len() / CELLS_PER_MISS);
        for cell in cells {
            misses += usize::from(self.days(cell).is_none());
            if misses > most {
                return None;
            }
        }
        (!cells.is_empty()).then_some(misses)
    }
}

/// Returns whether nearly all cells look like dates, in any format.
pub(crate) fn may_be_dates(cells: &[&str]) -> bool {
    nearly_all(cells, may_be_date)
}

pub(crate) fn nearly_all(cells: &[&str], fits: impl Fn(&str) -> bool) -> bool {
    let misses = cells.iter().filter(|cell| !fits(cell)).count();
    !cells.is_empty() && misses <= cells.len() / CELLS_PER_MISS
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
}

#[cfg(test)]
mod tests;

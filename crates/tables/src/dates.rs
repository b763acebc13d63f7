//! Dates as numbers: days since 1970-01-01, with the time of day as a fraction; a time alone is the fraction.

mod java;
mod patterns;
mod reading;

use serde::{Deserialize, Serialize};

use patterns::patterns;

/// How the dates of a column are written: [`DateFormat::ISO`] or a pattern of `strptime`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DateFormat(String);

/// One cell in this number may be no date in a column of dates: a mistake in writing is likelier than words among which nearly
/// all are dates.
pub(crate) const CELLS_PER_MISS: usize = 20;

/// A pattern that none of this number of cells fits, taken from all parts of a column, is not tried on the others.
const SAMPLED: usize = 40;

impl DateFormat {
    /// ISO 8601: `2014-05-02`, `2014-05-02 13:30`, `20140502T133000`, `2014-05-02T13:30:00Z`.
    pub const ISO: &str = "ISO 8601";

    /// A format that was given.
    pub fn of_pattern(pattern: &str) -> Self {
        Self(pattern.to_owned())
    }

    /// The format that a file declares: ISO 8601, or a pattern of Java's `SimpleDateFormat`, as ARFF has it; `None` if that has
    /// letters that `strptime` has no word for.
    pub(crate) fn declared(pattern: &str) -> Option<Self> {
        match pattern {
            Self::ISO => Some(Self(pattern.to_owned())),
            java => java::strptime(java).map(Self),
        }
    }

    /// The format as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether years have two digits: 69 to 99 are 1969 to 1999, 00 to 68 are 2000 to 2068 (POSIX).
    pub(crate) fn has_short_years(&self) -> bool {
        self.0.contains("%y")
    }

    /// Whether a cell says a day, not only a time of day.
    pub(crate) fn has_days(&self) -> bool {
        self.0 == Self::ISO
            || ["%Y", "%y", "%D", "%F", "%s"]
                .iter()
                .any(|year| self.0.contains(year))
    }

    /// Days since 1970-01-01; of a time without a date the part of a day since midnight. `None` if the cell is no date of this
    /// format.
    ///
    /// A date without a day is the first of its month. A year of one or two digits is none, unless the pattern says `%y`. A
    /// trailing `UTC`, `GMT` or `Z` is accepted in every format.
    ///
    /// ```
    /// use tables::DateFormat;
    /// assert_eq!(DateFormat::of_pattern("%d.%m.%Y").days("02.01.1970"), Some(1.0));
    /// assert_eq!(DateFormat::of_pattern(DateFormat::ISO).days("1969-12-31 18:00"), Some(-0.25));
    /// assert_eq!(DateFormat::of_pattern("%H:%M").days("18:00"), Some(0.75));
    /// ```
    pub fn days(&self, cell: &str) -> Option<f64> {
        reading::days(self, cell)
    }

    /// Every known format that nearly all cells have, best first: of those, the ones that fewest cells lack, and of formats
    /// that differ in nothing but the length of names the first.
    pub(crate) fn that_fit(cells: &[&str]) -> Vec<Self> {
        if cells.is_empty() || !may_be_dates(cells) {
            return Vec::new();
        }
        let sample: Vec<&str> = cells
            .iter()
            .step_by(cells.len().div_ceil(SAMPLED))
            .copied()
            .collect();
        let fits_any = |format: &Self| sample.iter().any(|cell| format.days(cell).is_some());
        let likely = patterns().map(Self).filter(fits_any);
        let fitting: Vec<(usize, Self)> = likely
            .filter_map(|format| Some((format.misses(cells)?, format)))
            .collect();
        let fewest = fitting.iter().map(|(misses, _)| *misses).min();
        let best = |(misses, format)| (Some(misses) == fewest).then_some(format);
        different(fitting.into_iter().filter_map(best))
    }

    /// Whether the other format differs at most in the length of the names of months, or is a pattern of ISO 8601.
    fn is_like(&self, other: &Self) -> bool {
        let is_iso = self.0 == Self::ISO && other.0.starts_with("%Y-%m-%d");
        is_iso || self.0 == other.0.replace("%B", "%b")
    }

    /// Cells that are no dates of this format; `None` if they are too many for a column of dates, or if there are no cells.
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

/// Whether nearly all cells are short and have a digit, as every date does.
fn may_be_dates(cells: &[&str]) -> bool {
    let may_be = |cell: &&str| cell.len() <= reading::LONGEST && cell.bytes().any(is_digit);
    let others = cells.iter().filter(|cell| !may_be(cell)).count();
    others <= cells.len() / CELLS_PER_MISS
}

fn is_digit(byte: u8) -> bool {
    byte.is_ascii_digit()
}

/// Formats that accept other cells than all formats before them. Whether they read these cells otherwise does not matter: of days
/// and months that are alike so far, later ones are not.
fn different(formats: impl Iterator<Item = DateFormat>) -> Vec<DateFormat> {
    let mut kept: Vec<DateFormat> = Vec::new();
    for format in formats {
        if !kept.iter().any(|known| known.is_like(&format)) {
            kept.push(format);
        }
    }
    kept
}

#[cfg(test)]
mod tests;

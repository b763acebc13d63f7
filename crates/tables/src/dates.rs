//! Dates as numbers: days since 1970-01-01, with the time of day as a fraction.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime, date};
use serde::{Deserialize, Serialize};

/// How the dates of a column are written: [`DateFormat::ISO`] or a pattern of `strptime`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DateFormat(String);

/// Patterns that are tried after ISO 8601, in this order. Day before month is tried before month before day.
const PATTERNS: [&str; 12] = [
    "%Y/%m/%d",
    "%Y/%m/%d %H:%M:%S",
    "%d.%m.%Y",
    "%d.%m.%Y %H:%M",
    "%d/%m/%Y",
    "%m/%d/%Y",
    "%d/%m/%Y %H:%M",
    "%m/%d/%Y %H:%M",
    "%d-%m-%Y",
    "%d %b %Y",
    "%d-%b-%Y",
    "%b %d, %Y",
];

/// One cell of so many may be no date in a column of dates: a mistake in writing is likelier than words among which nearly
/// all are dates.
const CELLS_PER_MISS: usize = 20;

const SECONDS_PER_DAY: f64 = 86400.0;

impl DateFormat {
    /// ISO 8601: `2014-05-02`, `2014-05-02 13:30`, `20140502T133000`, `2014-05-02T13:30:00Z`.
    pub const ISO: &str = "ISO 8601";

    /// A format that was given.
    pub fn of_pattern(pattern: &str) -> Self {
        Self(pattern.to_owned())
    }

    /// The format as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Days since 1970-01-01; `None` if the cell is no date of this format.
    ///
    /// ```
    /// use tables::DateFormat;
    /// assert_eq!(DateFormat::of_pattern("%d.%m.%Y").days("02.01.1970"), Some(1.0));
    /// assert_eq!(DateFormat::of_pattern(DateFormat::ISO).days("1969-12-31 18:00"), Some(-0.25));
    /// ```
    pub fn days(&self, cell: &str) -> Option<f64> {
        match self.0.as_str() {
            Self::ISO => iso(cell),
            pattern => strptime(pattern, cell).map(days_of),
        }
    }

    /// Every known format that nearly all cells have, best first: of those, the ones that fewest cells lack.
    pub(crate) fn that_fit(cells: &[&str]) -> Vec<Self> {
        let known = std::iter::once(Self::ISO).chain(PATTERNS);
        let known = known.map(Self::of_pattern);
        let fitting = known.filter_map(|format| Some((format.misses(cells)?, format)));
        let fitting: Vec<(usize, Self)> = fitting.collect();
        let fewest = fitting.iter().map(|(misses, _)| *misses).min();
        let best = |(misses, format)| (Some(misses) == fewest).then_some(format);
        fitting.into_iter().filter_map(best).collect()
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

fn iso(cell: &str) -> Option<f64> {
    // Longer than any date, and not worth parsing.
    if cell.len() > 64 || !cell.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
        return None;
    }
    // With an offset from UTC, which a civil time would ignore.
    match cell.parse::<Timestamp>() {
        Ok(timestamp) => Some(timestamp.as_duration().as_secs_f64() / SECONDS_PER_DAY),
        Err(_) => cell.parse().ok().map(days_of),
    }
}

fn strptime(pattern: &str, cell: &str) -> Option<DateTime> {
    if cell.len() > 64 {
        return None;
    }
    let day = || Date::strptime(pattern, cell).map(|date| date.at(0, 0, 0, 0));
    DateTime::strptime(pattern, cell).or_else(|_| day()).ok()
}

fn days_of(datetime: DateTime) -> f64 {
    let epoch = date(1970, 1, 1).at(0, 0, 0, 0);
    datetime.duration_since(epoch).as_secs_f64() / SECONDS_PER_DAY
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fitting(cells: &[&str]) -> Vec<String> {
        let formats = DateFormat::that_fit(cells);
        formats.into_iter().map(|format| format.0).collect()
    }

    #[test]
    fn formats_are_recognised() {
        for (cells, format) in [
            (&["2014-05-02", "2015-12-31"][..], DateFormat::ISO),
            (&["20141013T000000"], DateFormat::ISO),
            (
                &["2014-05-02 13:30", "2014-05-02T13:30:59.5"],
                DateFormat::ISO,
            ),
            (&["2014-05-02T13:30:00Z"], DateFormat::ISO),
            (&["2014/05/02"], "%Y/%m/%d"),
            (&["02.05.2014", "31.12.2014"], "%d.%m.%Y"),
            (&["02/05/2014", "31/12/2014"], "%d/%m/%Y"),
            (&["05/02/2014", "12/31/2014"], "%m/%d/%Y"),
            (&["2 May 2014"], "%d %b %Y"),
            (&["May 2, 2014"], "%b %d, %Y"),
        ] {
            assert_eq!(fitting(cells), [format], "{cells:?}");
        }
    }

    #[test]
    fn day_and_month_may_be_ambiguous() {
        assert_eq!(fitting(&["02/05/2014"]), ["%d/%m/%Y", "%m/%d/%Y"]);
    }

    #[test]
    fn words_and_impossible_days_are_no_dates() {
        for cells in [
            &["red"][..],
            &["2014-02-30"],
            &["2014-05-02", "later"],
            &["12:30"],
            &[],
        ] {
            assert!(fitting(cells).is_empty(), "{cells:?}");
        }
    }

    #[test]
    fn one_cell_of_twenty_may_be_no_date() {
        let mut cells = vec!["2014-05-02"; 20];
        cells[7] = "later";
        assert_eq!(fitting(&cells), [DateFormat::ISO]);
        cells[8] = "never";
        assert!(fitting(&cells).is_empty());
        // The format that most cells have decides between days and months.
        let mut cells = vec!["02/05/2014"; 40];
        cells[3] = "31/12/2014";
        assert_eq!(fitting(&cells), ["%d/%m/%Y"]);
    }

    #[test]
    fn an_offset_counts() {
        let iso = DateFormat::of_pattern(DateFormat::ISO);
        assert_eq!(iso.days("1970-01-02T02:00:00+02:00"), Some(1.0));
        assert_eq!(iso.days("1970-01-02T00:00:00Z"), Some(1.0));
    }
}

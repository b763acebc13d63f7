//! Dates as numbers: days since 1970-01-01, with the time of day as a fraction; a time alone is the fraction.

use jiff::civil::{DateTime, Time, date};
use jiff::fmt::strtime::BrokenDownTime;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

/// The format of the dates of a column: [`DateFormat::ISO`] or a pattern of `strptime`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DateFormat(String);

/// The formats that are recognised.
const KNOWN: [&str; 7] = [
    DateFormat::ISO,
    "%Y/%m/%d",
    "%Y/%m/%d %H:%M",
    "%Y/%m/%d %H:%M:%S%.f",
    "%d.%m.%Y",
    "%d.%m.%Y %H:%M",
    "%d.%m.%Y %H:%M:%S%.f",
];

/// In a column of dates, one cell in this number may be something else: a typing error is likelier than words among which nearly
/// all are dates.
const CELLS_PER_MISS: usize = 20;

/// Longer than any date, and not worth parsing.
const LONGEST: usize = 64;

/// Earlier years are two digits of a later one.
const FIRST_YEAR: i16 = 100;

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
        let years = ["%Y", "%y", "%D", "%F", "%s"];
        self.0 == Self::ISO || years.iter().any(|year| self.0.contains(year))
    }

    /// Returns days since 1970-01-01; of a time without a date the part of a day since midnight. Returns `None` if the cell is not a date of this
    /// format.
    ///
    /// A date without a day is the first of its month. A year of one or two digits is not accepted, unless the pattern has `%y`.
    ///
    /// ```
    /// use tables::DateFormat;
    /// assert_eq!(DateFormat::from_pattern("%d.%m.%Y").days("02.01.1970"), Some(1.0));
    /// assert_eq!(DateFormat::from_pattern(DateFormat::ISO).days("1969-12-31 18:00"), Some(-0.25));
    /// assert_eq!(DateFormat::from_pattern("%H:%M").days("18:00"), Some(0.75));
    /// ```
    pub fn days(&self, cell: &str) -> Option<f64> {
        if cell.len() > LONGEST {
            return None;
        }
        match self.as_str() {
            Self::ISO => iso(cell),
            pattern => strptime(pattern, cell),
        }
    }

    /// Returns the known format that nearly all cells have; of several, the one that fewest cells lack.
    pub(crate) fn that_fits(cells: &[&str]) -> Option<Self> {
        let known = KNOWN.into_iter().map(Self::from_pattern);
        let fitting = known.filter_map(|format| Some((format.misses(cells)?, format)));
        fitting
            .min_by_key(|(misses, _)| *misses)
            .map(|(_, format)| format)
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

fn iso(cell: &str) -> Option<f64> {
    if !cell.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
        return None;
    }
    // With an offset from UTC, which a civil time would ignore.
    match cell.parse::<Timestamp>() {
        Ok(timestamp) => Some(days(timestamp.as_duration())),
        Err(_) => cell.parse().ok().map(datetime_days),
    }
}

fn strptime(pattern: &str, cell: &str) -> Option<f64> {
    let mut read = BrokenDownTime::parse(pattern, cell).ok()?;
    match (read.offset(), read.year()) {
        (_, Some(0..FIRST_YEAR)) => None,
        (Some(_), _) => read
            .to_timestamp()
            .ok()
            .map(|timestamp| days(timestamp.as_duration())),
        (None, Some(_)) => {
            if read.month().is_some() && read.day().is_none() {
                read.set_day(Some(1)).ok()?;
            }
            let time = read.to_time().unwrap_or(Time::midnight());
            Some(datetime_days(read.to_date().ok()?.to_datetime(time)))
        }
        (None, None) => {
            if let Ok(datetime) = read.to_datetime() {
                return Some(datetime_days(datetime));
            }
            // A time without parts of a date that would be lost. `2:1` is the score of a match.
            let two_digits = |part: &str| part.bytes().take_while(u8::is_ascii_digit).count() == 2;
            let has_no_date = read.month().is_none() && read.day().is_none();
            if !has_no_date || read.hour().is_none() || !cell.split(':').skip(1).all(two_digits) {
                return None;
            }
            read.to_time()
                .ok()
                .map(|time| days(time.duration_since(Time::midnight())))
        }
    }
}

fn datetime_days(datetime: DateTime) -> f64 {
    days(datetime.duration_since(date(1970, 1, 1).at(0, 0, 0, 0)))
}

fn days(duration: SignedDuration) -> f64 {
    duration.as_secs_f64() / 86400.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_recognised_and_words_and_impossible_days_are_not() {
        for (cells, format) in [
            (&["2014-05-02", "2015-12-31"][..], Some(DateFormat::ISO)),
            (&["20141013T000000"], Some(DateFormat::ISO)),
            (
                &["2014-05-02 13:30", "2014-05-02T13:30:59.5"],
                Some(DateFormat::ISO),
            ),
            (&["2014-05-02T13:30:00Z"], Some(DateFormat::ISO)),
            (&["2014-05-02 13"], Some(DateFormat::ISO)),
            (&["2014/05/02"], Some("%Y/%m/%d")),
            (&["02.05.2014", "31.12.2014"], Some("%d.%m.%Y")),
            (&["02.05.2014 13:45:12.25"], Some("%d.%m.%Y %H:%M:%S%.f")),
            (&["red"], None),
            (&["02/05/2014"], None),
            (&["2 May 2014"], None),
            (&["13:45"], None),
            (&["2014-02-30"], None),
            (&["2014-05-02", "later"], None),
            (&["25:30"], None),
            (&["2:1", "0:3"], None),
            (&["1.10.3", "2.0.1"], None),
            (&["192.168.0.1"], None),
            (&[], None),
        ] {
            let found = DateFormat::that_fits(cells).map(|format| format.0);
            assert_eq!(found.as_deref(), format, "{cells:?}");
        }
        let mut cells = vec!["2014-05-02"; 20];
        cells[7] = "later";
        assert!(DateFormat::that_fits(&cells).is_some());
        cells[8] = "never";
        assert_eq!(DateFormat::that_fits(&cells), None);
    }

    #[test]
    fn offsets_count_and_years_of_two_digits_are_those_of_posix() {
        let iso = |cell| DateFormat::from_pattern(DateFormat::ISO).days(cell);
        for (pattern, cell, same) in [
            (DateFormat::ISO, "1970-01-02T02:00:00+02:00", "1970-01-02"),
            (DateFormat::ISO, "1970-01-02T00:00:00Z", "1970-01-02"),
            (
                "%d/%b/%Y:%H:%M:%S %z",
                "02/Jan/1970:02:00:00 +0200",
                "1970-01-02",
            ),
            ("%d-%b-%y", "01-Jan-69", "1969-01-01"),
            ("%d-%b-%y", "31-Dec-99", "1999-12-31"),
            ("%d-%b-%y", "01-Jan-00", "2000-01-01"),
            ("%d-%b-%y", "31-Dec-68", "2068-12-31"),
        ] {
            assert_eq!(
                DateFormat::from_pattern(pattern).days(cell),
                iso(same),
                "{cell}"
            );
        }
        // Two digits are not a year of four.
        assert_eq!(DateFormat::from_pattern("%d-%b-%Y").days("31-Dec-99"), None);
    }
}

//! Dates as numbers: days since 1970-01-01, with the time of day as a fraction; a time alone is the fraction.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime, Time, date};
use jiff::fmt::strtime::BrokenDownTime;
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

const SECONDS_PER_DAY: f64 = 86400.0;

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

fn iso(cell: &str) -> Option<f64> {
    if !cell.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
        return None;
    }
    // With an offset from UTC, which a civil time would ignore.
    match cell.parse::<Timestamp>() {
        Ok(timestamp) => Some(timestamp_number(timestamp)),
        Err(_) => cell.parse().ok().map(datetime_number),
    }
}

fn strptime(pattern: &str, cell: &str) -> Option<f64> {
    let mut read = BrokenDownTime::parse(pattern, cell).ok()?;
    let is_short = |year: i16| (0..FIRST_YEAR).contains(&year);
    match (read.offset(), read.year()) {
        (_, Some(year)) if is_short(year) => None,
        (Some(_), _) => read.to_timestamp().ok().map(timestamp_number),
        (None, Some(_)) => civil(&mut read).map(datetime_number),
        (None, None) => match read.to_datetime() {
            Ok(datetime) => Some(datetime_number(datetime)),
            Err(_) if is_clock(&read, cell) => read.to_time().ok().map(time_number),
            Err(_) => None,
        },
    }
}

/// Returns the date and the time of day, as far as they are there.
fn civil(read: &mut BrokenDownTime) -> Option<DateTime> {
    if read.month().is_some() && read.day().is_none() {
        read.set_day(Some(1)).ok()?;
    }
    let date = read.to_date().ok()?;
    let time = read.to_time().unwrap_or(Time::midnight());
    Some(date.to_datetime(time))
}

/// Returns whether a time was read, without parts of a date that would be lost. `2:1` is the score of a match.
fn is_clock(read: &BrokenDownTime, cell: &str) -> bool {
    let has_no_date = read.month().is_none() && read.day().is_none();
    let two_digits = |part: &str| part.bytes().take_while(u8::is_ascii_digit).count() == 2;
    has_no_date && read.hour().is_some() && cell.split(':').skip(1).all(two_digits)
}

fn timestamp_number(timestamp: Timestamp) -> f64 {
    timestamp.as_duration().as_secs_f64() / SECONDS_PER_DAY
}

fn datetime_number(datetime: DateTime) -> f64 {
    const EPOCH: Date = date(1970, 1, 1);
    let epoch = EPOCH.at(0, 0, 0, 0);
    datetime.duration_since(epoch).as_secs_f64() / SECONDS_PER_DAY
}

fn time_number(time: Time) -> f64 {
    time.duration_since(Time::midnight()).as_secs_f64() / SECONDS_PER_DAY
}

#[cfg(test)]
mod tests;

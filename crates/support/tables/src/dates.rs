//! Dates as numbers: days since 1970-01-01, with the time of day as a fraction.
//!
//! A format is [`ISO`] or a pattern of `strptime`.

use jiff::civil::{Date, DateTime, Time, date};
use jiff::fmt::strtime::BrokenDownTime;
use jiff::{SignedDuration, Timestamp};

/// ISO 8601: `2014-05-02`, `2014-05-02 13:30`, `20140502T133000`, `2014-05-02T13:30:00Z`.
pub(crate) const ISO: &str = "ISO 8601";

/// The formats that are recognised.
const KNOWN: [&str; 7] = [
    ISO,
    "%Y/%m/%d",
    "%Y/%m/%d %H:%M",
    "%Y/%m/%d %H:%M:%S%.f",
    "%d.%m.%Y",
    "%d.%m.%Y %H:%M",
    "%d.%m.%Y %H:%M:%S%.f",
];

/// In a column of dates, one cell in this number may be something else: a typing error is likelier than words among
/// which nearly all are dates.
const CELLS_PER_MISS: usize = 20;

/// Longer than any date, and not worth parsing.
const LONGEST: usize = 64;

/// Earlier years are two digits of a later one.
const FIRST_YEAR: i16 = 100;

const EPOCH: Date = date(1970, 1, 1);

/// Returns days since 1970-01-01; `None` if the cell is not a date of this format.
///
/// A date without a day is the first of its month. A year of one or two digits is not accepted, unless the pattern has
/// `%y`.
pub(crate) fn days(format: &str, cell: &str) -> Option<f64> {
    if cell.len() > LONGEST {
        return None;
    }
    if format == ISO {
        if !cell.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
            return None;
        }
        // With an offset from UTC, which a civil time would ignore.
        return match cell.parse::<Timestamp>() {
            Ok(timestamp) => Some(in_days(timestamp.as_duration())),
            Err(_) => cell.parse().ok().map(since_epoch),
        };
    }
    let mut read = BrokenDownTime::parse(format, cell).ok()?;
    match (read.offset(), read.year()) {
        (_, Some(0..FIRST_YEAR)) => None,
        (Some(_), _) => Some(in_days(read.to_timestamp().ok()?.as_duration())),
        (None, Some(_)) => {
            if read.month().is_some() && read.day().is_none() {
                read.set_day(Some(1)).ok()?;
            }
            let time = read.to_time().unwrap_or(Time::midnight());
            Some(since_epoch(read.to_date().ok()?.to_datetime(time)))
        }
        (None, None) => None,
    }
}

fn since_epoch(datetime: DateTime) -> f64 {
    in_days(datetime.duration_since(EPOCH.at(0, 0, 0, 0)))
}

fn in_days(duration: SignedDuration) -> f64 {
    duration.as_secs_f64() / 86400.0
}

/// Returns the date of this many days since 1970-01-01, with its time unless they are whole.
pub(crate) fn text(days: f64) -> String {
    let seconds = SignedDuration::try_from_secs_f64((days * 86400.0).round());
    match seconds.map(|seconds| EPOCH.at(0, 0, 0, 0).saturating_add(seconds)) {
        Ok(datetime) if days.fract() == 0.0 => datetime.date().to_string(),
        Ok(datetime) => datetime.to_string(),
        Err(_) => days.to_string(),
    }
}

/// Returns the known format that nearly all cells have; of several, the one that fewest cells lack.
pub(crate) fn known_format(cells: &[&str]) -> Option<&'static str> {
    let fits = |format| Some((misses(format, cells)?, format));
    let fitting = KNOWN.into_iter().filter_map(fits);
    Some(fitting.min_by_key(|(misses, _)| *misses)?.1)
}

/// Counts the cells that are not dates of this format; returns `None` if they are too many for a column of dates, or
/// without cells.
pub(crate) fn misses(format: &str, cells: &[&str]) -> Option<usize> {
    let most = cells.len() / CELLS_PER_MISS;
    let mut misses = 0;
    for cell in cells {
        misses += usize::from(days(format, cell).is_none());
        if misses > most {
            return None;
        }
    }
    (!cells.is_empty()).then_some(misses)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_recognised_and_words_and_impossible_days_are_not() {
        for (cells, format) in [
            (&["2014-05-02", "2015-12-31"][..], Some(ISO)),
            (&["20141013T000000"], Some(ISO)),
            (&["2014-05-02 13:30", "2014-05-02T13:30:59.5"], Some(ISO)),
            (&["2014-05-02T13:30:00Z"], Some(ISO)),
            (&["2014-05-02 13"], Some(ISO)),
            (&["2014/05/02"], Some("%Y/%m/%d")),
            (&["02.05.2014", "31.12.2014"], Some("%d.%m.%Y")),
            (&["02.05.2014 13:45:12.25"], Some("%d.%m.%Y %H:%M:%S%.f")),
            (&["red"], None),
            (&["02/05/2014"], None),
            (&["2 May 2014"], None),
            (&["13:45"], None),
            (&["2014-02-30"], None),
            (&["2014-05-02", "later"], None),
            (&["2:1", "0:3"], None),
            (&["1.10.3", "2.0.1"], None),
            (&["192.168.0.1"], None),
            (&[], None),
        ] {
            assert_eq!(known_format(cells), format, "{cells:?}");
        }
        let mut cells = vec!["2014-05-02"; 20];
        cells[7] = "later";
        assert!(known_format(&cells).is_some());
        cells[8] = "never";
        assert_eq!(known_format(&cells), None);
    }

    #[test]
    fn offsets_count_and_years_of_two_digits_are_those_of_posix() {
        for (pattern, cell, number) in [
            (ISO, "1969-12-31 18:00", Some(-0.25)),
            (ISO, "1970-01-02T02:00:00+02:00", Some(1.0)),
            (ISO, "1970-01-02T00:00:00Z", Some(1.0)),
            ("%H:%M", "18:00", None),
            ("%d.%m.%Y", "02.01.1970", Some(1.0)),
            (
                "%d/%b/%Y:%H:%M:%S %z",
                "02/Jan/1970:02:00:00 +0200",
                Some(1.0),
            ),
            ("%d-%b-%y", "01-Jan-69", days(ISO, "1969-01-01")),
            ("%d-%b-%y", "31-Dec-99", days(ISO, "1999-12-31")),
            ("%d-%b-%y", "01-Jan-00", days(ISO, "2000-01-01")),
            ("%d-%b-%y", "31-Dec-68", days(ISO, "2068-12-31")),
            // Two digits are not a year of four.
            ("%d-%b-%Y", "31-Dec-99", None),
        ] {
            assert_eq!(days(pattern, cell), number, "{cell}");
        }
        assert_eq!(
            (text(1.0), text(-0.25)),
            ("1970-01-02".into(), "1969-12-31T18:00:00".into())
        );
    }
}

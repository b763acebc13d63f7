//! One cell as a date.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime, Time, date};
use jiff::fmt::strtime::BrokenDownTime;

use super::DateFormat;

/// Longer than any date, and not worth parsing.
pub(super) const LONGEST: usize = 64;

const SECONDS_PER_DAY: f64 = 86400.0;

/// Earlier years are two digits of a later one.
const FIRST_YEAR: i16 = 100;

/// Names of the zone that a date without a zone is in anyway.
const UTC: [&str; 3] = ["UTC", "GMT", "Z"];

pub(super) fn days(format: &DateFormat, cell: &str) -> Option<f64> {
    if cell.len() > LONGEST {
        return None;
    }
    let read = |cell: &str| match format.as_str() {
        DateFormat::ISO => iso(cell),
        pattern => strptime(pattern, cell),
    };
    read(cell).or_else(|| read(without_utc(cell)?))
}

fn without_utc(cell: &str) -> Option<&str> {
    let stripped = UTC.iter().find_map(|zone| cell.strip_suffix(zone))?;
    Some(stripped.trim_end()).filter(|rest| rest.ends_with(|c: char| c.is_ascii_digit()))
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
    datetime.duration_since(epoch()).as_secs_f64() / SECONDS_PER_DAY
}

fn time_number(time: Time) -> f64 {
    time.duration_since(Time::midnight()).as_secs_f64() / SECONDS_PER_DAY
}

fn epoch() -> DateTime {
    const EPOCH: Date = date(1970, 1, 1);
    EPOCH.at(0, 0, 0, 0)
}

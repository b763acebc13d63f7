//! The ways of writing dates that are recognised.

use std::iter;

use super::DateFormat;

/// Days with years of four digits. Day before month is tried before month before day.
const DAYS: [&str; 16] = [
    "%Y-%m-%d",
    "%Y/%m/%d",
    "%Y.%m.%d",
    "%d.%m.%Y",
    "%d/%m/%Y",
    "%m/%d/%Y",
    "%d-%m-%Y",
    "%m-%d-%Y",
    "%d %b %Y",
    "%d-%b-%Y",
    "%b %d, %Y",
    "%b %d %Y",
    "%d %B %Y",
    "%d-%B-%Y",
    "%B %d, %Y",
    "%B %d %Y",
];

/// Days with years of two digits.
const SHORT_DAYS: [&str; 7] = [
    "%d.%m.%y",
    "%d/%m/%y",
    "%m/%d/%y",
    "%d-%m-%y",
    "%d-%b-%y",
    "%d %b %y",
    "%b %d, %y",
];

/// What may follow a day. A blank stands for any number of them, so ` %H` would take the last digits of a long year behind `%y`.
const HOUR: &str = " %H";
const TIMES: [&str; 5] = ["", " %H:%M", " %H:%M:%S%.f", " %I:%M %p", " %I:%M:%S %p"];

/// Months, times of day, and the formats of mail, C, web servers and tweets.
const OTHERS: [&str; 17] = [
    "%Y-%m",
    "%Y/%m",
    "%m/%Y",
    "%b %Y",
    "%b-%Y",
    "%B %Y",
    "%b-%y",
    "%H:%M",
    "%H:%M:%S%.f",
    "%I:%M %p",
    "%I:%M:%S %p",
    "%a, %d %b %Y",
    "%a, %d %b %Y %H:%M:%S",
    "%a, %d %b %Y %H:%M:%S %z",
    "%a %b %d %H:%M:%S %Y",
    "%a %b %d %H:%M:%S %z %Y",
    "%d/%b/%Y:%H:%M:%S %z",
];

/// All of them, in the order in which they are tried.
pub(super) fn patterns() -> impl Iterator<Item = String> {
    let with_times = |day: &'static str| TIMES.iter().map(move |time| format!("{day}{time}"));
    let hours = DAYS.iter().map(|day| format!("{day}{HOUR}"));
    iter::once(DateFormat::ISO.to_owned())
        .chain(DAYS.into_iter().flat_map(with_times))
        .chain(hours)
        .chain(SHORT_DAYS.into_iter().flat_map(with_times))
        .chain(OTHERS.into_iter().map(str::to_owned))
}

//! The date formats that are recognised: those that are unambiguous.

use std::iter;

use super::DateFormat;

/// Formats of days. Where days and months could be confused, the user states the order.
const DAYS: [&str; 7] = [
    "%Y/%m/%d",
    "%d.%m.%Y",
    "%d %b %Y",
    "%d-%b-%Y",
    "%b %d, %Y",
    "%d %B %Y",
    "%B %d, %Y",
];

/// What may follow a day.
const TIMES: [&str; 3] = ["", " %H:%M", " %H:%M:%S%.f"];

/// Times of day.
const CLOCKS: [&str; 2] = ["%H:%M", "%H:%M:%S%.f"];

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// Returns all of them, in the order in which they are tried.
pub(super) fn patterns() -> impl Iterator<Item = String> {
    let with_times = |day: &'static str| TIMES.iter().map(move |time| format!("{day}{time}"));
    iter::once(DateFormat::ISO.to_owned())
        .chain(DAYS.into_iter().flat_map(with_times))
        .chain(CLOCKS.into_iter().map(str::to_owned))
}

/// Returns whether a cell looks like a date: a day, a month and a year in digits, or the name of a month among numbers.
pub(super) fn may_be_date(cell: &str) -> bool {
    let words = cell.split(|c: char| !c.is_ascii_alphanumeric());
    let mut parts = words.filter(|word| !word.is_empty());
    // In full or cut after three letters or more.
    let is_month = |word: &str| {
        let word = word.to_ascii_lowercase();
        word.len() >= 3 && MONTHS.iter().any(|month| month.starts_with(&word))
    };
    if parts.clone().any(is_month) {
        return parts.any(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
    }
    let digits = |part: &str| {
        part.bytes()
            .all(|byte| byte.is_ascii_digit())
            .then_some(part.len())
    };
    let mut next = || parts.next().and_then(digits);
    let is_short = |length: usize| (1..=2).contains(&length);
    let has_slashes = cell.contains(['/', '-']);
    match (next(), next(), next()) {
        (Some(4), Some(month), Some(day)) => is_short(month) && is_short(day),
        (Some(day), Some(month), Some(year)) => {
            is_short(day) && is_short(month) && (year == 4 || year == 2 && has_slashes)
        }
        _ => false,
    }
}

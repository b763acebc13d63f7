//! Numbers as text.

use indicatif::{BinaryBytes, HumanCount};

use crate::metric::Metric;
use crate::statistics::Estimate;

/// Returns the decimals of all values of a table whose largest mean is this: four significant digits.
pub fn decimals_of(largest: f64) -> usize {
    match largest {
        0.0 => 4,
        largest => decimals(largest, 4),
    }
}

/// Formats the interval of a mean: `± 0.0031`; `(0.9950 to 1.0000)` where the metric has a bound; empty for one value.
pub fn interval(metric: Metric, estimate: &Estimate, decimals: usize) -> String {
    let cut @ [low, _, high] = metric.cut(estimate.interval());
    match estimate.half_width() {
        Some(_) if cut != estimate.interval() => format!("({low:.decimals$} to {high:.decimals$})"),
        Some(half) => format!("± {half:.decimals$}"),
        None => String::new(),
    }
}

/// Formats a number with three significant digits.
pub fn short(value: f64) -> String {
    significant(value, 3)
}

/// Formats a number with this many significant digits, at most six decimals; below 0.0001 with an exponent.
pub fn significant(value: f64, digits: i32) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        size if size < 1e-4 => format!("{value:.2e}"),
        _ => format!("{value:.*}", decimals(value, digits).min(6)),
    }
}

/// Formats a count with its noun: `1 tree`, `2 trees`, `12,345 trees`.
pub fn counted(number: usize, noun: &str) -> String {
    match number {
        1 => format!("1 {noun}"),
        _ => format!("{} {noun}s", count(number as f64)),
    }
}

/// Formats a count: `12,345`.
pub fn count(value: f64) -> String {
    HumanCount(value.round() as u64).to_string()
}

/// Formats bytes: `1.21 MiB`.
pub fn bytes(value: f64) -> String {
    BinaryBytes(value.round() as u64).to_string()
}

/// Returns the decimals that this many significant digits of a number other than 0 take, at most 12.
fn decimals(value: f64, digits: i32) -> usize {
    let magnitude = value.abs().log10().floor() as i32;
    (digits - 1).saturating_sub(magnitude).clamp(0, 12) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let three = [0.012345, 12.345, 12345.6, 0.0].map(short);
        assert_eq!(three, ["0.0123", "12.3", "12346", "0"]);
        let four = [0.912_345, 12.345_6, 60_215.4, -0.25, 1.2e-7];
        let four = four.map(|value| significant(value, 4));
        assert_eq!(four, ["0.9123", "12.35", "60215", "-0.2500", "1.20e-7"]);
        assert_eq!([1234567.2, 12.0].map(count), ["1,234,567", "12"]);
        let sizes = [512.0, 1536.4, 3145728.0].map(bytes);
        assert_eq!(sizes, ["512 B", "1.50 KiB", "3.00 MiB"]);
        let intervals = [0.951, 0.999].map(|mean| {
            let estimate = Estimate::of(&[mean - 0.001, mean, mean + 0.001]).unwrap();
            interval("accuracy".parse().unwrap(), &estimate, 4)
        });
        assert_eq!(intervals, ["± 0.0025", "(0.9965 to 1.0000)"]);
        let one = Estimate::of(&[0.5]).unwrap();
        assert_eq!(interval("accuracy".parse().unwrap(), &one, 4), "");
    }
}

//! Numbers as text.

use indicatif::{BinaryBytes, HumanCount};

use crate::statistics::Estimate;

/// Significant digits of the largest mean of a table.
const DIGITS: i32 = 4;

/// Returns the decimals of all values of a table whose largest mean is this.
pub fn decimals_of(largest: f64) -> usize {
    match largest {
        0.0 => DIGITS as usize,
        largest => significant_decimals(largest, DIGITS),
    }
}

/// Formats a mean with its interval: `0.9512 ± 0.0031`.
pub fn interval(estimate: &Estimate, decimals: usize) -> String {
    let mean = format!("{:.decimals$}", estimate.mean);
    match estimate.half_width() {
        Some(half) => format!("{mean} ± {half:.decimals$}"),
        None => mean,
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
        _ => format!("{value:.*}", decimals(value, digits)),
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

/// Returns the decimals that this many significant digits take, at most six; 0 for the number 0.
pub fn decimals(value: f64, digits: i32) -> usize {
    match value {
        0.0 => 0,
        _ => significant_decimals(value, digits).min(6),
    }
}

fn significant_decimals(value: f64, digits: i32) -> usize {
    let magnitude = value.abs().log10().floor() as i32;
    (digits - 1).saturating_sub(magnitude).clamp(0, 12) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(short(0.012345), "0.0123");
        assert_eq!(short(12.345), "12.3");
        assert_eq!(short(12345.6), "12346");
        assert_eq!(short(0.0), "0");
        let four = [0.912_345, 12.345_6, 60_215.4, -0.25, 1.2e-7];
        let four = four.map(|value| significant(value, 4));
        assert_eq!(four, ["0.9123", "12.35", "60215", "-0.2500", "1.20e-7"]);
        assert_eq!(count(1234567.2), "1,234,567");
        assert_eq!(count(12.0), "12");
        assert_eq!(bytes(512.0), "512 B");
        assert_eq!(bytes(1536.4), "1.50 KiB");
        assert_eq!(bytes(3.0 * 1024.0 * 1024.0), "3.00 MiB");
    }

    #[test]
    fn an_interval_has_the_decimals_of_its_mean() {
        let estimate = Estimate {
            mean: 0.95124,
            standard_error: 0.000_725,
            n: 3,
        };
        assert_eq!(interval(&estimate, 4), "0.9512 ± 0.0031");
    }
}

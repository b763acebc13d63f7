//! Ticks along an axis: round values, few enough to be read.

use std::ops::Range;

use crate::number;

/// Maximum number of ticks on an axis.
const MOST: usize = 7;

/// Labels with more than these are written with an exponent.
const MAX_DECIMALS: usize = 4;

/// A value and its label.
pub(super) type Tick = (f64, String);

/// Returns multiples of 1, 2 or 5 times a power of ten, all with the same number of decimals.
pub(super) fn linear(range: &Range<f64>) -> Vec<Tick> {
    let width = range.end - range.start;
    let powers = width.log10().floor() as i32 - 1..;
    let mut steps = powers.flat_map(|power| [1, 2, 5].map(|digit| (digit, power)));
    let size = |(digit, power): (i32, i32)| f64::from(digit) * 10f64.powi(power);
    let multiples =
        |step: f64| (range.start / step).ceil() as i64..=(range.end / step).floor() as i64;
    let Some(step) = steps.find(|&step| multiples(size(step)).count() <= MOST) else {
        return Vec::new();
    };
    let decimals = (-step.1).max(0) as usize;
    let tick = |multiple: i64| {
        let value = multiple as f64 * size(step);
        let label = match value {
            0.0 => "0".to_owned(),
            value if decimals > MAX_DECIMALS => format!("{value:.1e}"),
            value => decimal(value, decimals),
        };
        (value, label)
    };
    multiples(size(step)).map(tick).collect()
}

/// Formats `0.25`, or in groups of three `20,000`.
fn decimal(value: f64, decimals: usize) -> String {
    if decimals == 0 && value >= 1e3 {
        number::count(value)
    } else {
        format!("{value:.decimals$}")
    }
}

/// Returns powers of ten, with as many of their multiples as three ticks take; linear ticks where the range, of decimal
/// logarithms, is too short even for that.
pub(super) fn logarithmic(range: &Range<f64>) -> Vec<Tick> {
    let choices: [&[i32]; 4] = [&[1], &[1, 3], &[1, 2, 5], &[1, 2, 3, 5, 7]];
    let mut ticks = choices
        .iter()
        .map(|multiples| multiples_of_powers(range, multiples));
    let enough = ticks.find(|ticks| ticks.len() >= 3);
    enough.unwrap_or_else(|| linear(&(10f64.powf(range.start)..10f64.powf(range.end))))
}

fn multiples_of_powers(range: &Range<f64>, multiples: &[i32]) -> Vec<Tick> {
    let powers = range.start.floor() as i32..=range.end.ceil() as i32;
    let tick = |power: i32, multiple: i32| {
        let value = f64::from(multiple) * 10f64.powi(power);
        let label = match power {
            -3..=6 => decimal(value, power.min(0).unsigned_abs() as usize),
            _ => format!("{multiple}e{power}"),
        };
        (value, label)
    };
    let all = powers.flat_map(|power| multiples.iter().map(move |&m| tick(power, m)));
    all.filter(|(value, _)| range.contains(&value.log10()))
        .collect()
}

/// Returns powers of two, as `64 KiB`; round numbers of bytes where the range has fewer than two. The range is of decimal logarithms.
pub(super) fn bytes(range: &Range<f64>) -> Vec<Tick> {
    let powers = powers_of_two(range);
    if powers.len() >= 2 {
        return powers;
    }
    let values = linear(&(10f64.powf(range.start)..10f64.powf(range.end)));
    let named = values.into_iter();
    named
        .map(|(value, _)| (value, number::bytes(value)))
        .collect()
}

fn powers_of_two(range: &Range<f64>) -> Vec<Tick> {
    let bits = |power_of_ten: f64| power_of_ten / 2f64.log10();
    let (first, last) = (bits(range.start).ceil() as i32, bits(range.end) as i32);
    let powers = |step: i32| (first..=last).filter(move |power| power % step == 0);
    let step = (1..).find(|&step| powers(step).count() <= MOST - 2);
    let tick = |power: i32| (2f64.powi(power), power_of_two(power));
    powers(step.unwrap_or(1)).map(tick).collect()
}

fn power_of_two(power: i32) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB"];
    let unit = (power.max(0) / 10).min(4);
    let count = 2f64.powi(power - 10 * unit);
    format!("{count} {}", units[unit as usize])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(ticks: Vec<Tick>) -> Vec<String> {
        ticks.into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(
            labels(linear(&(0.867..0.947))),
            ["0.88", "0.90", "0.92", "0.94"]
        );
        assert_eq!(
            labels(linear(&(-1.1..1.1))),
            ["-1.0", "-0.5", "0", "0.5", "1.0"]
        );
        assert_eq!(
            labels(linear(&(0.0..1.0))),
            ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]
        );
        let log = |low: f64, high: f64| labels(logarithmic(&(low.log10()..high.log10())));
        assert_eq!(log(2.0, 60.0), ["3", "10", "30"]);
        assert_eq!(log(1.9, 21.0), ["2", "5", "10", "20"]);
        assert!(log(1e-6, 1.1).contains(&"1e-5".to_owned()));
        assert_eq!(log(9e3, 2e6), ["10,000", "100,000", "1,000,000"]);
    }

    #[test]
    fn every_range_has_ticks_and_no_more_than_can_be_read() {
        for width in [1e-9, 0.003, 0.7, 1.0, 9.99, 123.0, 5e7] {
            for start in [-2.0 * width, -0.3 * width, 0.0, 1.7 * width] {
                let range = start..start + width;
                let ticks = linear(&range);
                assert!((2..=MOST).contains(&ticks.len()), "{range:?}: {ticks:?}");
                let ends = range.start - 1e-9 * width..=range.end + 1e-9 * width;
                assert!(ticks.iter().all(|tick| ends.contains(&tick.0)), "{ticks:?}");
            }
        }
    }

    #[test]
    fn bytes_have_units() {
        let range = 3e4f64.log10()..9e6f64.log10();
        assert_eq!(
            labels(bytes(&range)),
            ["64 KiB", "256 KiB", "1 MiB", "4 MiB"]
        );
    }
}

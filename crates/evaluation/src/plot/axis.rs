//! An axis of a chart: a coordinate of plotters with a name and ticks.

use std::ops::Range;

use indicatif::HumanCount;
use plotters::coord::ranged1d::{
    BoldPoints, KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter,
};
use plotters::coord::types::RangedCoordf64;

const MAX_TICKS: usize = 7;

/// Labels with more than these are written with an exponent.
const MAX_DECIMALS: usize = 4;

/// Space left at both ends, as a share of the range.
const MARGIN: f64 = 0.06;

/// How values are spaced along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AxisScale {
    /// By their differences.
    Linear,
    /// By their ratios.
    Log,
    /// By their ratios, as bytes: ticks are powers of two, as `64 KiB`.
    LogBytes,
}

/// A named axis. On a logarithmic one, `range` holds decimal logarithms.
#[derive(Clone, Debug)]
pub struct Axis {
    /// What stands beside it.
    pub name: String,
    scale: AxisScale,
    range: Range<f64>,
    ticks: Vec<(f64, String)>,
}

impl Axis {
    /// An axis with room for all of `values`.
    pub fn spanning(name: &str, scale: AxisScale, values: impl Iterator<Item = f64>) -> Self {
        let values = values.map(|value| transform(value, scale));
        let range = padded(values.filter(|value| value.is_finite()));
        Self::new(name, scale, range)
    }

    /// A linear axis over exactly this range.
    pub fn exact(name: &str, range: Range<f64>) -> Self {
        Self::new(name, AxisScale::Linear, range)
    }

    /// An upward axis with labels at 0, 1, … from top to bottom.
    pub fn categories(labels: impl Iterator<Item = String>) -> Self {
        let ticks: Vec<_> = labels
            .enumerate()
            .map(|(i, label)| (i as f64, label))
            .collect();
        Self {
            name: String::new(),
            scale: AxisScale::Linear,
            range: ticks.len() as f64 - 0.5..-0.5,
            ticks,
        }
    }

    fn new(name: &str, scale: AxisScale, range: Range<f64>) -> Self {
        let ticks = match scale {
            AxisScale::Linear => linear_ticks(&range),
            AxisScale::Log => log_ticks(&range),
            AxisScale::LogBytes => byte_ticks(&range),
        };
        Self {
            name: name.to_owned(),
            scale,
            range,
            ticks,
        }
    }

    /// Whether a value lies on it.
    pub fn contains(&self, value: f64) -> bool {
        self.range.contains(&transform(value, self.scale))
    }

    /// The least value.
    pub fn start(&self) -> f64 {
        self.range().start
    }

    /// The largest value.
    pub fn end(&self) -> f64 {
        self.range().end
    }

    /// The value at this share of the way from the least to the largest.
    pub fn at(&self, share: f64) -> f64 {
        let Range { start, end } = self.range;
        let place = start + share * (end - start);
        match self.scale {
            AxisScale::Linear => place,
            AxisScale::Log | AxisScale::LogBytes => 10f64.powf(place),
        }
    }

    /// The same axis with ticks only up to a value.
    #[must_use]
    pub fn with_ticks_to(mut self, most: f64) -> Self {
        self.ticks.retain(|(value, _)| *value <= most);
        self
    }
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, pixels: (i32, i32)) -> i32 {
        RangedCoordf64::from(self.range.clone()).map(&transform(*value, self.scale), pixels)
    }

    /// No light lines between ticks.
    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        let ticks = self.ticks.iter().map(|(value, _)| *value);
        ticks
            .filter(|_| !hint.weight().allow_light_points())
            .collect()
    }

    fn range(&self) -> Range<f64> {
        match self.scale {
            AxisScale::Linear => self.range.clone(),
            AxisScale::Log | AxisScale::LogBytes => {
                10f64.powf(self.range.start)..10f64.powf(self.range.end)
            }
        }
    }
}

impl ValueFormatter<f64> for Axis {
    fn format_ext(&self, value: &f64) -> String {
        let tick = self.ticks.iter().find(|(tick, _)| tick == value);
        tick.map_or(String::new(), |(_, label)| label.clone())
    }
}

fn transform(value: f64, scale: AxisScale) -> f64 {
    match scale {
        AxisScale::Linear => value,
        AxisScale::Log | AxisScale::LogBytes => value.log10(),
    }
}

fn padded(values: impl Iterator<Item = f64>) -> Range<f64> {
    let ends = (f64::INFINITY, f64::NEG_INFINITY);
    let (low, high) = values.fold(ends, |(low, high), v| (low.min(v), high.max(v)));
    if low > high {
        return 0.0..1.0;
    }
    let width = match high - low {
        0.0 if high == 0.0 => 1.0,
        0.0 => high.abs(),
        width => width,
    };
    low - MARGIN * width..high + MARGIN * width
}

/// plotters' multiples of 1, 2 or 5 times a power of ten, all with the same number of decimals.
fn linear_ticks(range: &Range<f64>) -> Vec<(f64, String)> {
    let values = RangedCoordf64::from(range.clone()).key_points(BoldPoints(MAX_TICKS));
    let step = values
        .get(1)
        .map_or(range.end - range.start, |second| second - values[0]);
    let decimals = -(step * 1.001).log10().floor(); // a step may be a little less than a power of ten
    let decimals = decimals.max(0.0) as usize;
    let label = |value: f64| match value {
        value if value.abs() < step / 2.0 => "0".to_owned(), // perhaps a little less than zero
        value if decimals > MAX_DECIMALS => format!("{value:.1e}"),
        value => decimal(value, decimals),
    };
    values.into_iter().map(|v| (v, label(v))).collect()
}

/// `0.25`, or in groups of three, as `20,000`.
fn decimal(value: f64, decimals: usize) -> String {
    match decimals == 0 && value >= 1e3 {
        true => HumanCount(value.round() as u64).to_string(),
        false => format!("{value:.decimals$}"),
    }
}

/// Powers of ten, with as many of their multiples as it takes to have three ticks; linear ticks
/// where the range is too short even for that. (plotters' own have few round values.)
fn log_ticks(range: &Range<f64>) -> Vec<(f64, String)> {
    let choices: [&[i32]; 4] = [&[1], &[1, 3], &[1, 2, 5], &[1, 2, 3, 5, 7]];
    let mut ticks = choices
        .map(|multiples| multiples_of_powers(range, multiples))
        .into_iter();
    let values = 10f64.powf(range.start)..10f64.powf(range.end);
    let enough = ticks.find(|ticks| ticks.len() >= 3);
    enough.unwrap_or_else(|| linear_ticks(&values))
}

/// Powers of two, at most [`MAX_TICKS`] of them.
fn byte_ticks(range: &Range<f64>) -> Vec<(f64, String)> {
    let bits = |power_of_ten: f64| power_of_ten / 2f64.log10();
    let (first, last) = (bits(range.start).ceil() as i32, bits(range.end) as i32);
    let powers = |step: i32| (first..=last).filter(move |power| power % step == 0);
    let step = (1..).find(|&step| powers(step).count() <= MAX_TICKS - 2);
    let tick = |power: i32| (2f64.powi(power), bytes(power));
    powers(step.unwrap_or(1)).map(tick).collect()
}

/// Two to this power: `64 KiB`.
fn bytes(power: i32) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB"];
    let unit = (power.max(0) / 10).min(4);
    let count = 2f64.powi(power - 10 * unit);
    format!("{count} {}", units[unit as usize])
}

fn multiples_of_powers(range: &Range<f64>, multiples: &[i32]) -> Vec<(f64, String)> {
    let powers = range.start.floor() as i32..=range.end.ceil() as i32;
    let tick = |power: i32, multiple: i32| {
        let value = f64::from(multiple) * 10f64.powi(power);
        let decimals = power.min(0).unsigned_abs() as usize;
        let label = match power {
            -3..=6 => decimal(value, decimals),
            _ => format!("{multiple}e{power}"),
        };
        (value, label)
    };
    let all = powers.flat_map(|power| multiples.iter().map(move |&m| tick(power, m)));
    all.filter(|(value, _)| range.contains(&value.log10()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis) -> Vec<String> {
        axis.ticks.iter().map(|(_, label)| label.clone()).collect()
    }

    #[test]
    fn ticks_are_round_and_inside() {
        let axis = Axis::spanning("", AxisScale::Linear, [0.871, 0.943].into_iter());
        assert_eq!(labels(&axis), ["0.88", "0.90", "0.92", "0.94"]);
        let axis = Axis::spanning("", AxisScale::Linear, [-1.0, 1.0].into_iter());
        assert_eq!(labels(&axis), ["-1.0", "-0.5", "0", "0.5", "1.0"]);
        let axis = Axis::spanning("", AxisScale::Log, [2.0, 60.0].into_iter());
        assert_eq!(labels(&axis), ["3", "10", "30"]);
        let axis = Axis::spanning("", AxisScale::Log, [2.0, 20.0].into_iter());
        assert_eq!(labels(&axis), ["2", "5", "10", "20"]);
        let axis = Axis::spanning("", AxisScale::Log, [1e-6, 1e-3, 1.0].into_iter());
        assert!(labels(&axis).contains(&"1e-5".to_owned()), "{axis:?}");
    }

    #[test]
    fn ticks_of_bytes_have_units_and_large_numbers_are_grouped() {
        let axis = Axis::spanning("", AxisScale::LogBytes, [3e4, 9e6].into_iter());
        assert_eq!(labels(&axis), ["64 KiB", "256 KiB", "1 MiB", "4 MiB"]);
        let axis = Axis::spanning("", AxisScale::Log, [9e3, 2e6].into_iter());
        assert_eq!(labels(&axis), ["10,000", "100,000", "1,000,000"]);
        assert!((axis.at(0.0) - axis.start()).abs() < 1e-9 * axis.start());
    }

    #[test]
    fn one_value_has_an_axis_too() {
        let axis = Axis::spanning("", AxisScale::Linear, [3.0].into_iter());
        assert_eq!(axis.map(&3.0, (0, 100)), 50);
        assert!(!axis.ticks.is_empty());
    }

    #[test]
    fn equal_ratios_are_equal_distances_on_a_log_axis() {
        let axis = Axis::spanning("", AxisScale::Log, [0.1, 1.0, 10.0].into_iter());
        let at = |value: f64| axis.map(&value, (0, 1000));
        let (left, right) = (at(1.0) - at(0.1), at(10.0) - at(1.0));
        assert!(left > 400 && left.abs_diff(right) <= 1, "{left} {right}");
    }
}

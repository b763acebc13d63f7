//! An axis of a chart: a name, a range, and ticks at round values.

use std::ops::Range;

use crate::number;

/// The largest size on an axis, and the inverse of the smallest on a logarithmic one; beyond it the ends of the axis
/// would overflow.
const LARGEST: f64 = 1e280;

/// Space left at both ends, as a share of the range.
const MARGIN: f64 = 0.06;

/// Maximum number of ticks on an axis.
const MOST: usize = 7;

/// The spacing of values along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AxisScale {
    /// Linear.
    Linear,
    /// Logarithmic.
    Log,
}

type Tick = (f64, String);

/// A named axis.
#[derive(Clone, Debug)]
pub struct Axis {
    /// Its title.
    pub name: String,
    scale: AxisScale,
    /// Of decimal logarithms on a logarithmic one.
    range: Range<f64>,
    pub(crate) ticks: Vec<Tick>,
}

impl Axis {
    /// Returns an axis with room for all of `values`.
    pub fn spanning(name: &str, scale: AxisScale, values: impl IntoIterator<Item = f64>) -> Self {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.into_iter().map(|value| scale.transform(value)) {
            if value.is_finite() {
                (low, high) = (low.min(value), high.max(value));
            }
        }
        let mut widths = [high - low, high.abs(), 1.0].into_iter();
        let width = widths.find(|width| *width > f64::MIN_POSITIVE / MARGIN);
        let margin = MARGIN * width.unwrap_or(1.0);
        let range = low - margin..high + margin;
        Self::new(name, scale, if low > high { 0.0..1.0 } else { range })
    }

    /// Returns a linear axis over exactly this range.
    pub fn exact(name: &str, range: Range<f64>) -> Self {
        Self::new(name, AxisScale::Linear, range)
    }

    /// Returns an upward axis with labels at 0, 1, … from top to bottom.
    pub fn categories(labels: Vec<String>) -> Self {
        let mut axis = Self::exact("", labels.len() as f64 - 0.5..-0.5);
        axis.ticks = (0..).map(f64::from).zip(labels).collect();
        axis
    }

    fn new(name: &str, scale: AxisScale, range: Range<f64>) -> Self {
        let ticks = match scale {
            AxisScale::Linear => linear(&range),
            AxisScale::Log => logarithmic(&range),
        };
        Self {
            name: name.to_owned(),
            scale,
            range,
            ticks,
        }
    }

    /// Returns whether a value lies on it.
    pub fn contains(&self, value: f64) -> bool {
        self.range.contains(&self.scale.transform(value))
    }

    /// Returns the least and the largest value.
    pub fn ends(&self) -> [f64; 2] {
        [self.range.start, self.range.end].map(|end| match self.scale {
            AxisScale::Linear => end,
            AxisScale::Log => 10f64.powf(end),
        })
    }

    /// Returns where a value lies, from 0 (the least) to 1 (the largest); not finite for one without a place.
    pub(super) fn share(&self, value: f64) -> f64 {
        (self.scale.transform(value) - self.range.start) / (self.range.end - self.range.start)
    }
}

impl AxisScale {
    /// Transforms a value; the result is not finite for values without a place on the axis.
    fn transform(self, value: f64) -> f64 {
        match self {
            _ if value.abs() > LARGEST => f64::NAN,
            Self::Linear => value,
            _ if value < LARGEST.recip() => f64::NAN,
            _ => value.log10(),
        }
    }
}

/// Returns multiples of 1, 2 or 5 times a power of ten, all with the same number of decimals.
fn linear(range: &Range<f64>) -> Vec<Tick> {
    let first = (range.end - range.start).log10().floor() as i32 - 1;
    for power in first..first + 3 {
        for digit in [1.0, 2.0, 5.0] {
            let step = digit * 10f64.powi(power);
            let multiples = (range.start / step).ceil() as i64..=(range.end / step).floor() as i64;
            if multiples.clone().count() <= MOST {
                let values = multiples.map(|multiple| multiple as f64 * step);
                let ticks = values.map(|value| (value, decimal(value, -power.min(0))));
                return ticks.collect();
            }
        }
    }
    Vec::new()
}

/// Formats `0.25`, or in groups of three `20,000`; with more than four decimals with an exponent.
fn decimal(value: f64, decimals: i32) -> String {
    match decimals as usize {
        _ if value == 0.0 => "0".to_owned(),
        0 if value >= 1e3 => number::count(value),
        decimals @ 0..=4 => format!("{value:.decimals$}"),
        _ => format!("{value:.1e}"),
    }
}

/// Returns powers of ten, with multiples of them where these are fewer than three; linear ticks on a short range.
fn logarithmic(range: &Range<f64>) -> Vec<Tick> {
    for multiples in [&[1][..], &[1, 3], &[1, 2, 5], &[1, 2, 3, 5, 7]] {
        let mut ticks = Vec::new();
        for power in range.start.floor() as i32..=range.end.ceil() as i32 {
            for multiple in multiples {
                let value = f64::from(*multiple) * 10f64.powi(power);
                let label = match power {
                    -3..=6 => decimal(value, -power.min(0)),
                    _ => format!("{multiple}e{power}"),
                };
                ticks.push((value, label));
            }
        }
        ticks.retain(|(value, _)| range.contains(&value.log10()));
        if ticks.len() >= 3 {
            return ticks;
        }
    }
    linear(&(10f64.powf(range.start)..10f64.powf(range.end)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        let of = |scale, low: f64, high: f64| {
            let range = match scale {
                AxisScale::Linear => low..high,
                _ => low.log10()..high.log10(),
            };
            let ticks = Axis::new("", scale, range).ticks.into_iter();
            ticks.map(|(_, label)| label).collect::<Vec<_>>().join(" ")
        };
        for (scale, low, high, expected) in [
            (AxisScale::Linear, 0.867, 0.947, "0.88 0.90 0.92 0.94"),
            (AxisScale::Linear, -1.1, 1.1, "-1.0 -0.5 0 0.5 1.0"),
            (AxisScale::Linear, 0.0, 1.0, "0 0.2 0.4 0.6 0.8 1.0"),
            (AxisScale::Log, 2.0, 60.0, "3 10 30"),
            (AxisScale::Log, 1.9, 21.0, "2 5 10 20"),
            (AxisScale::Log, 9e3, 2e6, "10,000 100,000 1,000,000"),
            (AxisScale::Log, 3e-5, 3e-2, "1e-4 0.001 0.01"),
        ] {
            assert_eq!(of(scale, low, high), expected);
        }
        for width in [1e-9, 0.003, 0.7, 1.0, 9.99, 123.0, 5e7] {
            for start in [-2.0 * width, -0.3 * width, 0.0, 1.7 * width] {
                let ticks = linear(&(start..start + width));
                assert!((2..=MOST).contains(&ticks.len()), "{start}: {ticks:?}");
                let ends = start - 1e-9 * width..=start + width * (1.0 + 1e-9);
                assert!(ticks.iter().all(|tick| ends.contains(&tick.0)), "{ticks:?}");
            }
        }
    }

    #[test]
    fn equal_ratios_are_equal_distances_one_value_has_an_axis_and_the_first_category_is_on_top() {
        let log = Axis::spanning("", AxisScale::Log, [0.1, 1.0, 10.0]);
        let [low, middle, high] = [0.1, 1.0, 10.0].map(|value| log.share(value));
        assert!(((middle - low) - (high - middle)).abs() < 1e-9 && middle - low > 0.4);
        let one = Axis::spanning("", AxisScale::Linear, [3.0]);
        assert!((one.share(3.0) - 0.5).abs() < 1e-9 && !one.ticks.is_empty());
        let rows = Axis::categories(vec![String::new(); 2]);
        assert!(rows.share(0.0) > rows.share(1.0));
    }
}

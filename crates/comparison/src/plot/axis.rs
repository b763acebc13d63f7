//! An axis of a chart: a name, a range and ticks.

use std::ops::Range;

use super::ticks::{self, Tick};

/// The largest size on an axis, and the inverse of the smallest on a logarithmic one; beyond it the ends of the axis would
/// overflow.
const LARGEST: f64 = 1e280;

/// Space left at both ends, as a share of the range.
const MARGIN: f64 = 0.06;

/// The spacing of values along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AxisScale {
    /// Linear.
    Linear,
    /// Logarithmic.
    Log,
    /// Logarithmic, for bytes: ticks are powers of two, as `64 KiB`.
    LogBytes,
}

/// A named axis. On a logarithmic one, `range` holds decimal logarithms.
#[derive(Clone, Debug)]
pub struct Axis {
    /// Its title.
    pub name: String,
    scale: AxisScale,
    range: Range<f64>,
    ticks: Vec<Tick>,
}

impl Axis {
    /// Returns an axis with room for all of `values`.
    pub fn spanning(name: &str, scale: AxisScale, values: impl Iterator<Item = f64>) -> Self {
        let values = values.map(|value| scale.transform(value));
        let range = padded(values.filter(|value| value.is_finite()));
        Self::new(name, scale, range)
    }

    /// Returns a linear axis over exactly this range.
    pub fn exact(name: &str, range: Range<f64>) -> Self {
        Self::new(name, AxisScale::Linear, range)
    }

    /// Returns an upward axis with labels at 0, 1, … from top to bottom.
    pub fn categories(labels: impl Iterator<Item = String>) -> Self {
        let numbered = labels.enumerate();
        let ticks: Vec<Tick> = numbered.map(|(i, label)| (i as f64, label)).collect();
        Self {
            name: String::new(),
            scale: AxisScale::Linear,
            range: ticks.len() as f64 - 0.5..-0.5,
            ticks,
        }
    }

    fn new(name: &str, scale: AxisScale, range: Range<f64>) -> Self {
        let ticks = match scale {
            AxisScale::Linear => ticks::linear(&range),
            AxisScale::Log => ticks::logarithmic(&range),
            AxisScale::LogBytes => ticks::bytes(&range),
        };
        let name = name.to_owned();
        Self {
            name,
            scale,
            range,
            ticks,
        }
    }

    /// Returns whether a value lies on it.
    pub fn contains(&self, value: f64) -> bool {
        self.range.contains(&self.scale.transform(value))
    }

    /// Returns the least value.
    pub fn start(&self) -> f64 {
        self.at(0.0)
    }

    /// Returns the largest value.
    pub fn end(&self) -> f64 {
        self.at(1.0)
    }

    /// Returns the value at this share of the way from the least to the largest.
    pub fn at(&self, share: f64) -> f64 {
        let Range { start, end } = self.range;
        let place = start * (1.0 - share) + end * share;
        match self.scale {
            AxisScale::Linear => place,
            AxisScale::Log | AxisScale::LogBytes => 10f64.powf(place),
        }
    }

    /// Returns the share of the way at which a value lies.
    pub(super) fn share(&self, value: f64) -> f64 {
        let Range { start, end } = self.range;
        (self.scale.transform(value) - start) / (end - start)
    }

    pub(super) fn ticks(&self) -> &[Tick] {
        &self.ticks
    }

    /// Returns the same axis with ticks only up to a value.
    #[must_use]
    pub fn with_ticks_to(mut self, most: f64) -> Self {
        self.ticks.retain(|(value, _)| *value <= most);
        self
    }
}

impl AxisScale {
    /// Transforms a value; the result is not finite for values without a place on the axis.
    fn transform(self, value: f64) -> f64 {
        match self {
            _ if value.abs() > LARGEST => f64::NAN,
            Self::Linear => value,
            Self::Log | Self::LogBytes if value < LARGEST.recip() => f64::NAN,
            Self::Log | Self::LogBytes => value.log10(),
        }
    }
}

fn padded(values: impl Iterator<Item = f64>) -> Range<f64> {
    let ends = (f64::INFINITY, f64::NEG_INFINITY);
    let (low, high) = values.fold(ends, |(low, high), v| (low.min(v), high.max(v)));
    if low > high {
        return 0.0..1.0;
    }
    let width = match high - low {
        width if width > f64::MIN_POSITIVE / MARGIN => width,
        _ if high.abs() > f64::MIN_POSITIVE / MARGIN => high.abs(),
        _ => 1.0,
    };
    low - MARGIN * width..high + MARGIN * width
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_value_has_an_axis_too() {
        let axis = Axis::spanning("", AxisScale::Linear, [3.0].into_iter());
        assert!((axis.share(3.0) - 0.5).abs() < 1e-9);
        assert!(!axis.ticks.is_empty());
    }

    #[test]
    fn equal_ratios_are_equal_distances_on_a_log_axis() {
        let axis = Axis::spanning("", AxisScale::Log, [0.1, 1.0, 10.0].into_iter());
        let [low, middle, high] = [0.1, 1.0, 10.0].map(|value| axis.share(value));
        assert!(((middle - low) - (high - middle)).abs() < 1e-9 && middle - low > 0.4);
        assert!((axis.share(axis.at(0.3)) - 0.3).abs() < 1e-9);
    }

    #[test]
    fn the_first_category_is_on_top() {
        let axis = Axis::categories(["a", "b"].map(str::to_owned).into_iter());
        assert!(axis.share(0.0) > axis.share(1.0));
    }
}

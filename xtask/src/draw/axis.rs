//! An axis: which numbers it spans, where they lie, which of them are written.

use std::ops::Range;

/// An axis has at most this many intervals between ticks.
const INTERVALS: f64 = 6.0;

/// Room left at both ends, as a share of the span.
const ROOM: f64 = 0.06;

/// Numbers on a line of the plot.
#[derive(Clone, Debug)]
pub struct Axis {
    span: Range<f64>,
    place: Range<i32>,
    spacing: Spacing,
}

/// How numbers are spaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spacing {
    Linear,
    /// The span is that of the decimal logarithms.
    Logarithmic,
}

impl Axis {
    /// Room for all of `values`, on the units `place` (which may run backwards).
    pub fn linear(values: impl Iterator<Item = f64>, place: Range<i32>) -> Self {
        Self {
            span: span(values),
            place,
            spacing: Spacing::Linear,
        }
    }

    /// The same for positive values, by their magnitude.
    pub fn logarithmic(values: impl Iterator<Item = f64>, place: Range<i32>) -> Self {
        let logs = values.filter(|value| *value > 0.0).map(f64::log10);
        Self {
            span: span(logs),
            place,
            spacing: Spacing::Logarithmic,
        }
    }

    /// Exactly from the first to the last of a stream of `rows`.
    pub fn stream(rows: usize, place: Range<i32>) -> Self {
        Self {
            span: 0.0..rows as f64,
            place,
            spacing: Spacing::Linear,
        }
    }

    /// Where `value` lies; what lies outside is put at the end.
    pub fn at(&self, value: f64) -> i32 {
        let value = match self.spacing {
            Spacing::Linear => value,
            Spacing::Logarithmic => value.log10(),
        };
        let share = (value - self.span.start) / (self.span.end - self.span.start);
        let length = f64::from(self.place.end - self.place.start);
        self.place.start + (share.clamp(0.0, 1.0) * length).round() as i32
    }

    /// Whether `value` is on the axis.
    pub fn spans(&self, value: f64) -> bool {
        self.span.contains(&value)
    }

    /// Where the axis begins and ends.
    pub fn place(&self) -> &Range<i32> {
        &self.place
    }

    /// Round numbers on the axis, as written.
    pub fn ticks(&self) -> Vec<(i32, String)> {
        let values = match self.spacing {
            Spacing::Linear => linear_ticks(&self.span),
            Spacing::Logarithmic => logarithmic_ticks(&self.span),
        };
        values
            .into_iter()
            .map(|(value, text)| (self.at(value), text))
            .collect()
    }
}

fn span(values: impl Iterator<Item = f64>) -> Range<f64> {
    let (low, high) = values
        .filter(|value| value.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| {
            (low.min(v), high.max(v))
        });
    if low > high {
        return 0.0..1.0;
    }
    let room = match high - low {
        0.0 => {
            if low == 0.0 {
                1.0
            } else {
                low.abs() * ROOM
            }
        }
        width => width * ROOM,
    };
    low - room..high + room
}

/// Multiples of 1, 2 or 5 times a power of ten.
fn linear_ticks(span: &Range<f64>) -> Vec<(f64, String)> {
    let coarse = (span.end - span.start) / INTERVALS;
    let power = coarse.log10().floor();
    let unit = 10f64.powf(power);
    let step = [1.0, 2.0, 5.0, 10.0]
        .map(|m| m * unit)
        .into_iter()
        .find(|step| *step >= coarse);
    let step = step.unwrap_or(10.0 * unit);
    let decimals = (-step.log10().floor()).max(0.0) as usize;
    let (first, last) = (
        (span.start / step).ceil() as i64,
        (span.end / step).floor() as i64,
    );
    let tick = |i: i64| (i as f64 * step, format!("{:.decimals$}", i as f64 * step));
    (first..=last).map(tick).collect()
}

/// Powers of ten, with as many of their multiples as it takes to have three; round numbers at equal
/// distances where the span is too short even for that.
fn logarithmic_ticks(span: &Range<f64>) -> Vec<(f64, String)> {
    let choices: [&[i32]; 3] = [&[1], &[1, 2, 5], &[1, 2, 3, 5, 7]];
    let mut ticks = choices
        .into_iter()
        .map(|multiples| multiples_of_powers(span, multiples));
    let values = 10f64.powf(span.start)..10f64.powf(span.end);
    let enough = ticks.find(|ticks| ticks.len() >= 3);
    enough.unwrap_or_else(|| linear_ticks(&values))
}

fn multiples_of_powers(span: &Range<f64>, multiples: &[i32]) -> Vec<(f64, String)> {
    let powers = span.start.floor() as i32..=span.end.ceil() as i32;
    let tick = |power: i32, multiple: i32| {
        let value = f64::from(multiple) * 10f64.powi(power);
        let decimals = power.min(0).unsigned_abs() as usize;
        (value, format!("{value:.decimals$}"))
    };
    let all = powers.flat_map(|power| multiples.iter().map(move |&m| tick(power, m)));
    all.filter(|(value, _)| span.contains(&value.log10()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        let axis = Axis::linear([0.871, 0.943].into_iter(), 0..100);
        let written: Vec<String> = axis.ticks().into_iter().map(|(_, text)| text).collect();
        assert_eq!(written, ["0.88", "0.90", "0.92", "0.94"]);
    }

    #[test]
    fn one_value_has_an_axis_too() {
        let axis = Axis::linear([3.0].into_iter(), 0..100);
        assert_eq!(axis.at(3.0), 50);
        assert!(!axis.ticks().is_empty());
    }

    #[test]
    fn magnitudes_are_evenly_spaced() {
        let axis = Axis::logarithmic([0.1, 1.0, 10.0].into_iter(), 0..100);
        assert_eq!(axis.at(1.0) - axis.at(0.1), axis.at(10.0) - axis.at(1.0));
    }
}

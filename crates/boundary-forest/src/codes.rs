//! The codes of all stored points: a byte per feature (scalar quantization), derived from the points and never saved.

use forest_core::{IdRemap, SampleId};

use crate::Metric;
use crate::table::Table;

/// The number of features from which codes are quicker than the points themselves. Measured with uniform points: at 8
/// features a forest was 5 % slower with codes, at 12 equally fast, at 16 a tenth faster, at 100 1.7 times as fast.
const FEWEST_FEATURES: usize = 12;

/// The most features for which a difference of codes is below 2³².
const MOST_FEATURES: usize = 1 << 16;

/// The code of every point, and the largest error among them. The quantizer covers all points but a few outliers, which
/// are clipped: so differences of codes bound distances from below, not from above.
#[derive(Clone, Debug)]
pub(crate) struct Codes {
    metric: Metric,
    pub(crate) quantizer: Quantizer,
    pub(crate) rows: Table<u8>,
    clipped: Table<bool>,
    pub(crate) any_clipped: bool,
    /// The largest error of any point so far, not counting what was clipped off.
    error: f64,
    /// The number of points from which on the quantizer is fitted again.
    refit_at: usize,
}

impl Codes {
    /// Creates no codes yet; `None` where computing them does not pay.
    pub(crate) fn of(metric: Metric, width: usize) -> Option<Self> {
        let pays = metric != Metric::Cosine && (FEWEST_FEATURES..=MOST_FEATURES).contains(&width);
        pays.then(|| Self {
            metric,
            // The first point fits the quantizer to its own range.
            quantizer: Quantizer::covering(0.0, 1.0),
            rows: Table::new(width),
            clipped: Table::new(1),
            any_clipped: false,
            error: 0.0,
            refit_at: 0,
        })
    }

    /// Returns whether a point was clipped, so that its error may be larger than what `encode_query` counts.
    #[inline(always)]
    pub(crate) fn is_clipped(&self, id: SampleId) -> bool {
        self.any_clipped && self.clipped.row(id)[0]
    }

    pub(crate) fn bytes(&self) -> usize {
        self.rows.cells.bytes() + self.clipped.cells.bytes()
    }

    /// Writes the code of a query; returns the most that it and a point not clipped lost by quantization, in steps.
    pub(crate) fn encode_query(&self, query: &[f32], code: &mut [u8]) -> f64 {
        self.quantizer.encode(query, code);
        let values = query.iter().copied().map(f64::from);
        (self.quantizer.error(self.metric, values, code) + self.error) / self.quantizer.step
    }

    /// Encodes appended points; fits the quantizer again, for all, whenever there are half as many again.
    pub(crate) fn follow(&mut self, points: &Table<f32>) {
        if points.rows >= self.refit_at {
            let (low, high) = range_of_most(points);
            let quantizer = Quantizer::covering(low, high);
            // Errors and clips belong to a quantizer: with another one all points are encoded from the start.
            if quantizer != self.quantizer {
                self.quantizer = quantizer;
                self.rows = Table::new(points.width);
                self.clipped = Table::new(1);
                self.any_clipped = false;
                self.error = 0.0;
            }
            // Geometric growth: encoding everything again costs O(1) amortised per point.
            self.refit_at = points.rows + points.rows / 2 + 1;
        }
        for row in self.rows.rows..points.rows {
            self.push(points.row(SampleId::new(row)));
        }
    }

    fn push(&mut self, point: &[f32]) {
        let quantizer = self.quantizer;
        let start = self.rows.cells.len();
        self.rows.cells.resize(start + point.len(), 0);
        self.rows.rows += 1;
        let code = &mut self.rows.cells[start..];
        quantizer.encode(point, code);
        let clip = |&value: &f32| quantizer.clip(value);
        let is_off = |value: &f32| clip(value) != f64::from(*value);
        // Every value is looked at: without a way out the loop runs in vector units.
        let clipped = point.iter().fold(false, |any, value| any | is_off(value));
        // The clip of a value that is not off is the value.
        let error = quantizer.error(self.metric, point.iter().map(clip), code);
        self.error = self.error.max(error);
        self.clipped.append(1, &[clipped]);
        self.any_clipped |= clipped;
    }

    pub(crate) fn remap(&mut self, names: &IdRemap) {
        self.rows.remap(names);
        self.clipped.remap(names);
    }
}

/// How many times as wide as the range of most points the range of all may be.
const MOST_WIDENING: f64 = 4.0;

/// Returns the range of all values; without the extreme points, one in 16 on each side, if these make it more than four
/// times as wide: one value of 1e6 among 100 uniform features would double the time.
fn range_of_most(points: &Table<f32>) -> (f64, f64) {
    let mut lows = Vec::new();
    let mut highs = Vec::new();
    for row in points.cells.chunks_exact(points.width) {
        lows.push(row.iter().copied().fold(f32::INFINITY, f32::min));
        highs.push(row.iter().copied().fold(f32::NEG_INFINITY, f32::max));
    }
    lows.sort_unstable_by(f32::total_cmp);
    highs.sort_unstable_by(f32::total_cmp);
    let last = points.rows - 1;
    let range = |cut: usize| (f64::from(lows[cut]), f64::from(highs[last - cut]));
    let all = range(0);
    let most = range(points.rows / 16);
    // `>`: where most points are equal, the range of all is wider by any factor, and its extremes are clipped.
    if all.1 - all.0 > MOST_WIDENING * (most.1 - most.0) {
        most
    } else {
        all
    }
}

/// The grid `origin + step · {0, …, 255}`, the same for every feature. `step` is a power of two and `origin` a multiple
/// of it, so that values which are already on the grid (pixels, counts, indicators) stay what they are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Quantizer {
    origin: f64,
    pub(crate) step: f64,
}

const LAST: f64 = 255.0;

impl Quantizer {
    /// Creates the finest grid that reaches from `low` to `high`, with equal room on both sides.
    fn covering(low: f64, high: f64) -> Self {
        // Where all values are equal their range is 0: the step then follows what `f32` resolves there.
        let range = (high - low).max(low.abs() * f64::from(f32::EPSILON));
        // Too fine on purpose: the loop doubles the step until the grid reaches from end to end.
        let finest = range.max(f64::from(f32::MIN_POSITIVE)) / 512.0;
        // The largest power of two that is not above.
        let mut step = f64::from_bits(finest.to_bits() & 0x7ff << 52);
        while (high / step).ceil() - (low / step).floor() > LAST {
            step *= 2.0;
        }
        let first = (low / step).floor();
        let used = (high / step).ceil() - first;
        let room = ((LAST - used) / 2.0).floor();
        let origin = (first - room) * step;
        Self { origin, step }
    }

    /// Returns the nearest value that is at most half a step from the grid.
    fn clip(&self, value: f32) -> f64 {
        let half = 0.5 * self.step;
        let last = self.origin + LAST * self.step;
        // Not `clamp`: decoded points may be NaN until they are checked.
        f64::from(value).max(self.origin - half).min(last + half)
    }

    fn encode(&self, point: &[f32], code: &mut [u8]) {
        for (code, &value) in code.iter_mut().zip(point) {
            // A cast to `u8` drops the fraction and stops at the ends of the range.
            *code = ((f64::from(value) - self.origin) / self.step + 0.5) as u8;
        }
    }

    /// Returns the distance of a point, given by its values, from a code; 0 only if they are equal.
    fn error(&self, metric: Metric, point: impl Iterator<Item = f64>, code: &[u8]) -> f64 {
        let decoded = |code: &u8| self.origin + self.step * f64::from(*code);
        metric.norm(point.zip(code).map(|(value, code)| value - decoded(code)))
    }
}

#[cfg(test)]
mod tests {
    use forest_core::RetentionMask;

    use super::*;
    use crate::Metric::{Euclidean, Manhattan};

    fn points(rows: usize, at: impl Fn(usize) -> f32) -> Table<f32> {
        let mut points = Table::new(12);
        let cells: Vec<_> = (0..rows * 12).map(at).collect();
        points.append(rows, &cells);
        points
    }

    /// Codes of `rows` points, given one after another, and of the same points given at once.
    fn followed(rows: usize, at: impl Fn(usize) -> f32 + Copy) -> [Codes; 2] {
        let mut codes = [(); 2].map(|()| Codes::of(Euclidean, 12).unwrap());
        (1..=rows).for_each(|rows| codes[0].follow(&points(rows, at)));
        codes[1].follow(&points(rows, at));
        codes
    }

    /// The points that are clipped.
    fn clipped(codes: &Codes) -> Vec<usize> {
        let is_clipped = |&row: &usize| codes.is_clipped(SampleId::new(row));
        (0..codes.rows.rows).filter(is_clipped).collect()
    }

    #[test]
    fn an_outlier_does_not_make_the_quantizer_coarser_and_stays_marked() {
        let usual = |i: usize| (i as f32).sin();
        let expected = followed(200, usual)[1].quantizer.step;
        for outlier in [0, 1, 40, 199] {
            let unusual = |i: usize| if i == 12 * outlier + 5 { 1e6 } else { usual(i) };
            for mut codes in followed(200, unusual) {
                assert_eq!(
                    (codes.quantizer.step, clipped(&codes)),
                    (expected, vec![outlier])
                );
                assert!(codes.any_clipped && codes.error < expected * 12f64.sqrt());
                let mut kept = RetentionMask::empty(20, 180);
                (20..200)
                    .step_by(2)
                    .for_each(|row| kept.keep(SampleId::new(row)));
                codes.remap(&kept.remap());
                // Of the points from 20 on, every other one is left: 40 is number 30.
                let left = [(0, 0), (1, 1), (40, 30)].into_iter();
                let left = left.filter(|(old, _)| *old == outlier).map(|(_, new)| new);
                assert!(left.eq(clipped(&codes)));
            }
        }
    }

    #[test]
    fn the_quantizer_is_refitted_whenever_there_are_half_as_many_again() {
        let creeping = |i: usize| (i / 12) as f32 * if i.is_multiple_of(2) { 1.0 } else { -0.3 };
        let mut codes = Codes::of(Euclidean, 12).unwrap();
        let mut fitted = Vec::new();
        let mut steps = Vec::new();
        for rows in 1..2000 {
            let refit_at = codes.refit_at;
            codes.follow(&points(rows, creeping));
            fitted.extend((codes.refit_at != refit_at).then_some(rows));
            steps.push(codes.quantizer.step);
        }
        assert_eq!(fitted[..7], [1, 2, 4, 7, 11, 17, 26]);
        steps.dedup();
        assert!((10..30).contains(&steps.len()), "{steps:?}");
    }

    fn error_of(quantizer: &Quantizer, value: f32) -> f64 {
        let mut code = [0];
        quantizer.encode(&[value], &mut code);
        quantizer.error(Manhattan, std::iter::once(f64::from(value)), &code)
    }

    #[test]
    fn pixels_counts_and_indicators_lie_on_the_grid() {
        let pixels: Vec<f32> = (0..=255u8).map(f32::from).collect();
        let counts: [&[f32]; 5] = [
            &[0.0, 1.0],
            &[-1.0, 0.0, 1.0],
            &[0.0, 7.0, 15.0],
            &[3.0, 3.0],
            &pixels,
        ];
        for values in counts {
            let quantizer = Quantizer::covering(values[0].into(), values[values.len() - 1].into());
            assert!(
                values
                    .iter()
                    .all(|&value| error_of(&quantizer, value) == 0.0)
            );
        }
        assert!(error_of(&Quantizer::covering(0.0, 1.0), 0.1) > 0.0);
    }

    #[test]
    fn grids_are_as_fine_as_they_can_be_and_values_at_most_half_a_step_off() {
        let ends = [
            (0.0, 1.0),
            (-7.3, 1e30),
            (1e6, 1e6 + 1.0),
            (-1e-40, 0.0),
            (5.0, 6.0),
            (-3.5, 300.0),
        ];
        let extremes = [(f32::MIN, f32::MAX), (f32::MAX, f32::MAX), (0.0, 0.0)];
        for (low, high) in ends.into_iter().chain(extremes) {
            let (l, h) = (f64::from(low), f64::from(high));
            let quantizer = Quantizer::covering(l, h);
            let Quantizer { origin, step } = quantizer;
            assert!(quantizer.clip(low) == l && quantizer.clip(high) == h && step.is_normal());
            for part in 0..=1000 {
                let value = (l + (h - l) * f64::from(part) / 1000.0) as f32;
                assert!(
                    error_of(&quantizer, value) <= 0.5 * step * (1.0 + 1e-6),
                    "{low} to {high}"
                );
            }
            if h - l >= 1e-3 {
                // The room on both sides is equal, and no finer grid would reach from end to end.
                let below = l - origin;
                let above = origin + LAST * step - h;
                assert!(
                    (above - below).abs() <= step,
                    "{low} to {high}: {below}, {above}"
                );
                let steps = (h / step * 2.0).ceil() - (l / step * 2.0).floor();
                assert!(steps > LAST, "{low} to {high}: {steps} steps");
            }
        }
    }
}

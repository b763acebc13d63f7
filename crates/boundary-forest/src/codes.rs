//! The codes of all stored points: a byte per feature, derived from the points and never saved.

use forest_core::{IdRemap, SampleId};

use crate::Metric;
use crate::quantizer::Quantizer;
use crate::samples::Table;

/// The number of features from which codes are quicker than the points themselves. Measured with
/// uniform points: at 8 features a forest was 5 % slower with
/// codes, at 12 equally fast, at 16 a tenth faster, at 100 1.7 times as fast.
const FEWEST_FEATURES: usize = 12;

/// The most features for which a difference of codes is below 2³².
const MOST_FEATURES: usize = 1 << 16;

/// The code of every point, and the largest error among them.
///
/// The quantizer covers all points but a few outliers. These are clipped, which brings no two points
/// further apart: differences of their codes bound distances from below, but not from above.
///
/// The choice of quantizer does not change predictions, only how many distances each takes.
#[derive(Clone, Debug)]
pub(crate) struct Codes {
    metric: Metric,
    quantizer: Quantizer,
    rows: Table<u8>,
    clipped: Table<bool>,
    any_clipped: bool,
    /// The largest error of any point so far, not counting what was clipped off.
    error: f64,
    /// The number of points from which on the quantizer is fitted again.
    refit_at: usize,
}

impl Codes {
    /// Creates no codes yet; `None` where computing them does not pay.
    pub(crate) fn of(metric: Metric, width: usize) -> Option<Self> {
        let pays = metric.has_codes() && (FEWEST_FEATURES..=MOST_FEATURES).contains(&width);
        pays.then(|| Self::with(metric, Quantizer::covering(0.0, 1.0), width))
    }

    fn with(metric: Metric, quantizer: Quantizer, width: usize) -> Self {
        Self {
            metric,
            quantizer,
            rows: Table::new(width),
            clipped: Table::new(1),
            any_clipped: false,
            error: 0.0,
            // The first point fits the quantizer to its own range: [0, 1] was only a placeholder.
            refit_at: 0,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.rows
    }

    #[inline(always)]
    pub(crate) fn row(&self, id: SampleId) -> &[u8] {
        self.rows.row(id.index())
    }

    pub(crate) fn step(&self) -> f64 {
        self.quantizer.step()
    }

    #[inline(always)]
    pub(crate) fn any_clipped(&self) -> bool {
        self.any_clipped
    }

    /// Returns whether a point was clipped, so that its error may be larger than what `encode_query` counts.
    #[inline(always)]
    pub(crate) fn is_clipped(&self, id: SampleId) -> bool {
        self.any_clipped && self.clipped.row(id.index())[0]
    }

    pub(crate) fn bytes(&self) -> usize {
        self.rows.bytes() + self.clipped.bytes()
    }

    /// Writes the code of a query; the most that the errors of it and of any point not clipped add
    /// up to, in steps of the quantizer.
    pub(crate) fn encode_query(&self, query: &[f32], code: &mut [u8]) -> f64 {
        self.quantizer.encode(query, code);
        let values = query.iter().copied().map(f64::from);
        (self.quantizer.error(self.metric, values, code) + self.error) / self.step()
    }

    /// Encodes the points that were appended. Whenever there are half as many again, the quantizer
    /// is fitted again, and if it changes, all points are encoded again.
    pub(crate) fn follow(&mut self, points: &Table<f32>) {
        if points.rows >= self.refit_at {
            self.refit(points);
        }
        for row in self.rows.rows..points.rows {
            self.push(points.row(row));
        }
    }

    fn refit(&mut self, points: &Table<f32>) {
        let (low, high) = range_of_most(points);
        let quantizer = Quantizer::covering(low, high);
        // Errors and clips belong to a quantizer: with another one all points are encoded from the start.
        if quantizer != self.quantizer {
            *self = Self::with(self.metric, quantizer, points.width);
        }
        // Geometric growth: encoding everything again costs O(1) amortised per point.
        self.refit_at = points.rows + points.rows / 2 + 1;
    }

    fn push(&mut self, point: &[f32]) {
        let quantizer = self.quantizer;
        let (metric, code) = (self.metric, self.rows.append_filled(0));
        quantizer.encode(point, code);
        let clip = |&value: &f32| quantizer.clip(value);
        let is_off = |value: &f32| clip(value) != f64::from(*value);
        // Every value is looked at: without a way out the loop runs in vector units.
        let clipped = point.iter().fold(false, |any, value| any | is_off(value));
        let error = if clipped {
            quantizer.error(metric, point.iter().map(clip), code)
        } else {
            quantizer.error(metric, point.iter().copied().map(f64::from), code)
        };
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

/// Returns the range of all values; without the extreme points, one in 16 on each side, if it would be more
/// than four times as wide with them.
///
/// What leaving out outliers buys: with `MOST_WIDENING` infinite, one value of 1e6 among 100 uniform
/// features makes learning take 1.8 and predicting 2.3 times as long.
fn range_of_most(points: &Table<f32>) -> (f64, f64) {
    let rows = || (0..points.rows).map(|row| points.row(row).iter().copied());
    let lows = sorted(rows().map(|row| row.fold(f32::INFINITY, f32::min)));
    let highs = sorted(rows().map(|row| row.fold(f32::NEG_INFINITY, f32::max)));
    let (last, extreme) = (points.rows - 1, points.rows / 16);
    let range = |cut: usize| (f64::from(lows[cut]), f64::from(highs[last - cut]));
    let (all, most) = (range(0), range(extreme));
    // `>`: where most points are equal, the range of all is wider by any factor, and its extremes are clipped.
    if all.1 - all.0 > MOST_WIDENING * (most.1 - most.0) {
        most
    } else {
        all
    }
}

fn sorted(values: impl Iterator<Item = f32>) -> Vec<f32> {
    let mut values: Vec<_> = values.collect();
    values.sort_unstable_by(f32::total_cmp);
    values
}

#[cfg(test)]
mod tests {
    use forest_core::RetentionMask;

    use super::*;
    use crate::Metric::{Cosine, Euclidean};

    fn points(rows: usize, at: impl Fn(usize) -> f32) -> Table<f32> {
        let mut points = Table::new(12);
        let cells: Vec<_> = (0..rows * 12).map(at).collect();
        points.append(rows, &cells);
        points
    }

    #[test]
    fn the_error_is_the_largest_of_any_point() {
        let mut codes = Codes::of(Euclidean, 12).unwrap();
        codes.follow(&points(4, |i| (i % 5) as f32));
        assert_eq!(codes.error, 0.0);
        let mut codes = Codes::of(Euclidean, 12).unwrap();
        codes.follow(&points(4, |i| (i as f32).sqrt()));
        assert!(codes.error > 0.0 && codes.error < codes.step() * 12f64.sqrt() / 2.0 + 1e-9);
    }

    /// Codes of `rows` points, given one after another, and of the same points given at once.
    fn followed(rows: usize, at: impl Fn(usize) -> f32 + Copy) -> [Codes; 2] {
        let mut codes = [(); 2].map(|()| Codes::of(Euclidean, 12).unwrap());
        (1..=rows).for_each(|rows| codes[0].follow(&points(rows, at)));
        codes[1].follow(&points(rows, at));
        codes
    }

    #[test]
    fn an_outlier_does_not_make_the_quantizer_coarser() {
        let usual = |i: usize| (i as f32).sin();
        let expected = followed(200, usual)[1].step();
        for outlier in [0, 1, 40, 199] {
            let unusual = |i: usize| if i == 12 * outlier + 5 { 1e6 } else { usual(i) };
            for codes in followed(200, unusual) {
                assert_eq!(codes.step(), expected);
                let clipped = |&row: &usize| codes.is_clipped(SampleId::new(row));
                assert_eq!((0..200).filter(clipped).collect::<Vec<_>>(), [outlier]);
                assert!(codes.any_clipped() && codes.error < expected * 12f64.sqrt());
            }
        }
    }

    #[test]
    fn a_point_half_a_step_off_in_every_feature_is_covered() {
        let halves = |i: usize| match i / 12 {
            0 => 0.0,
            1 => 255.0,
            _ => 0.5,
        };
        for codes in followed(3, halves) {
            assert_eq!((codes.step(), codes.rows.rows), (1.0, 3));
            assert_eq!(codes.error, 0.5 * 12f64.sqrt());
            assert!(!codes.any_clipped() && !codes.is_clipped(SampleId::new(2)));
        }
    }

    #[test]
    fn the_quantizer_is_refitted_whenever_there_are_half_as_many_again() {
        let (mut codes, mut fitted) = (Codes::of(Euclidean, 12).unwrap(), Vec::new());
        for rows in 1..=30 {
            let refit_at = codes.refit_at;
            codes.follow(&points(rows, |_| 1.0));
            fitted.extend((codes.refit_at != refit_at).then_some(rows));
        }
        assert_eq!(fitted, [1, 2, 4, 7, 11, 17, 26]);
    }

    /// Points from 10 to 12, the last of which is at `outlier`.
    fn range_with(outlier: f32) -> (f64, f64) {
        range_of_most(&points(32, |i| match i / 12 {
            31 => outlier,
            row => 10.0 + 2.0 * (row % 2) as f32,
        }))
    }

    #[test]
    fn extreme_points_are_left_out_if_they_make_the_range_more_than_four_times_as_wide() {
        assert_eq!(range_with(12.0), (10.0, 12.0));
        assert_eq!(range_with(18.0), (10.0, 18.0));
        assert_eq!(range_with(18.5), (10.0, 12.0));
    }

    #[test]
    fn a_range_that_grows_is_followed_by_few_quantizers() {
        let creeping = |i: usize| (i / 12) as f32 * if i.is_multiple_of(2) { 1.0 } else { -0.3 };
        let (mut codes, mut steps) = (Codes::of(Euclidean, 12).unwrap(), Vec::new());
        for rows in 1..3000 {
            codes.follow(&points(rows, creeping));
            steps.push(codes.step());
        }
        steps.dedup();
        assert!((10..30).contains(&steps.len()), "{steps:?}");
    }

    #[test]
    fn marks_of_clipped_points_follow_their_points() {
        let [mut codes, _] = followed(100, |i| if i / 12 == 70 { 1e6 } else { (i % 7) as f32 });
        let mut kept = RetentionMask::empty(50, 50);
        let even = (50..100).step_by(2).map(SampleId::new);
        even.for_each(|id| kept.keep(id));
        codes.remap(&kept.remap());
        let clipped = (0..75).filter(|&row| codes.is_clipped(SampleId::new(row)));
        assert_eq!(clipped.collect::<Vec<_>>(), [60]);
    }

    #[test]
    fn what_does_not_pay_is_not_encoded() {
        assert!(Codes::of(Cosine, 100).is_none());
        assert!(Codes::of(Euclidean, 1).is_none());
        assert!(Codes::of(Euclidean, MOST_FEATURES + 1).is_none());
    }
}

//! The pair distribution: cuts oblique in the plane of two axes.

use forest_core::{Inequality, InvariantError, SettingError, TreeRng};
use serde::{Deserialize, Serialize};
use tessellation_tree::{CutDistribution, CutSettings, Distances, Side};

/// Cuts oblique in a pair of axes, Λ(S) = s·Σ_{i<j} L, with the perimeter L of the hull of S in the axes (i, j).
///
/// Candidates come at the rate 2s·Σ_{i<j} (|δᵢ| + |δⱼ|) = 2s·(d − 1)·Σᵢ |δᵢ|. So axis i is drawn in proportion to |δᵢ|
/// and its partner is any other: all pairs take part, but a candidate costs `O(d)`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairCuts {
    /// s.
    rate: f64,
    /// 2s·(d − 1) for each axis.
    axis_rates: Vec<f64>,
}

/// A pair of axes that was drawn: the first of them in proportion to its distance.
struct Pair([usize; 2]);

impl Pair {
    /// Returns the differences of two points along both axes; 0 for a second axis that does not exist.
    #[inline]
    fn difference(&self, [a, b]: [&[f32]; 2]) -> [f64; 2] {
        let along = |axis: usize| match (a.get(axis), b.get(axis)) {
            (Some(&a), Some(&b)) => f64::from(b) - f64::from(a),
            _ => 0.0,
        };
        self.0.map(along)
    }

    /// Returns the cut through `a + part` with this normal.
    fn cut(&self, a: &[f32], part: [f64; 2], normal: [f64; 2]) -> PairCut {
        let at = |axis: usize| a.get(axis).copied().map_or(0.0, f64::from);
        let mut axes = self.0;
        let mut point = [at(axes[0]) + part[0], at(axes[1]) + part[1]];
        // Rounded once: learning and prediction use the same stored cut.
        let mut normal = normal.map(|c| c as f32);
        // One order for each pair, whichever axis was drawn first: equal cuts have equal bytes.
        if axes[0] > axes[1] {
            point.swap(0, 1);
            normal.swap(0, 1);
            axes.swap(0, 1);
        }
        PairCut {
            point,
            normal,
            axes: axes.map(|axis| axis as u32),
        }
    }
}

/// Returns a unit vector at an angle to the unit vector `u` whose sine is uniform on (−1, 1): the distribution of the
/// normal of a line that hits a segment along `u`, of density ∝ |⟨n, u⟩|.
#[inline]
fn normal_across(u: [f64; 2], rng: &mut TreeRng) -> [f64; 2] {
    // The cosine may stay positive, because n and −n are one line.
    let sine = 1.0 - 2.0 * rng.uniform();
    let cosine = (1.0 - sine * sine).sqrt();
    [u[0] * cosine - u[1] * sine, u[1] * cosine + u[0] * sine]
}

impl PairCuts {
    fn features(&self) -> usize {
        self.axis_rates.len()
    }

    /// Returns |δᵢ|·2s·Wᵢ for every axis.
    #[inline]
    fn rates<'a>(&'a self, a: &'a [f32], b: &'a [f32]) -> Distances<'a> {
        Distances::new(a, b, &self.axis_rates)
    }

    fn draw_pair(&self, [a, b]: [&[f32]; 2], rate: f64, rng: &mut TreeRng) -> Option<Pair> {
        let (first, _) = self.rates(a, b).pick(rate, rng)?;
        let mut second = 1;
        if self.features() > 1 {
            // Uniform among the other axes: those from the first one on move up by one.
            let other = rng.below(self.features() - 1);
            second = other + usize::from(other >= first);
        }
        Some(Pair([first, second]))
    }
}

impl CutDistribution for PairCuts {
    type Cut = PairCut;

    fn new(features: usize, settings: &CutSettings) -> Self {
        // A single feature has the axis of zeros for its partner.
        let partners = features.max(2) - 1;
        let rate = settings.rate.unwrap_or(0.5);
        Self {
            axis_rates: vec![2.0 * rate * partners as f64; features],
            rate,
        }
    }

    #[inline]
    fn side(&self, cut: &PairCut, x: &[f32]) -> Side {
        cut.side(x)
    }

    fn inequality(&self, cut: &PairCut, inequality: &mut Inequality) {
        let normal = cut.normal.map(f64::from);
        let axes = cut.axes.map(|axis| axis as usize);
        let entries = axes.into_iter().zip(normal);
        let exists = |&(axis, entry): &(usize, f64)| axis < self.features() && entry != 0.0;
        inequality.normal.clear();
        inequality.normal.extend(entries.filter(exists));
        // ⟨n, x⟩ ≤ ⟨n, point⟩, which is how people read a cut; trees compare differences from the point.
        inequality.threshold = normal[0] * cut.point[0] + normal[1] * cut.point[1];
    }

    #[inline]
    fn rate_between(&self, a: &[f32], b: &[f32]) -> f64 {
        self.rates(a, b).sum()
    }

    /// Draws a line across the segment between two points, whose length in the plane of the pair is √(δᵢ² + δⱼ²); the
    /// pair is drawn as if it were |δᵢ| + |δⱼ|.
    fn draw_between(&mut self, ab: [&[f32]; 2], rate: f64, rng: &mut TreeRng) -> Option<PairCut> {
        let pair = self.draw_pair(ab, rate, rng)?;
        let difference = pair.difference(ab);
        // Squares of differences of features of 32 bits neither overflow nor vanish.
        let length = difference.iter().map(|c| c * c).sum::<f64>().sqrt();
        let drawn_as = difference[0].abs() + difference[1].abs();
        // Thins candidates of rate |δᵢ| + |δⱼ| to cuts of rate √(δᵢ² + δⱼ²); `>=` never divides by 0.
        if rng.uniform() * drawn_as >= length {
            return None;
        }
        let normal = normal_across(difference.map(|c| c / length), rng);
        let share = rng.uniform();
        Some(pair.cut(ab[0], difference.map(|c| c * share), normal))
    }

    /// Returns the perimeter of a rectangle: every candidate is a cut that hits the box.
    fn rate_within(&self, lower: &[f32], upper: &[f32]) -> f64 {
        self.rates(lower, upper).sum()
    }

    /// Draws a normal n: a rectangle is as wide along it as its two edges together. So an edge is drawn in proportion
    /// to its length, n as for a segment along that edge, and then a place anywhere in the width.
    fn draw_within(&mut self, ends: [&[f32]; 2], rate: f64, rng: &mut TreeRng) -> Option<PairCut> {
        let pair = self.draw_pair(ends, rate, rng)?;
        let extent = pair.difference(ends);
        // `draw_pair` puts the edge first, so it runs along the first axis of the pair.
        let normal = normal_across([1.0, 0.0], rng);
        let width = extent[0] * normal[0].abs() + extent[1] * normal[1].abs();
        let from_center = (rng.uniform() - 0.5) * width;
        let part = [0, 1].map(|k| 0.5 * extent[k] + from_center * normal[k]);
        Some(pair.cut(ends[0], part, normal))
    }

    fn bytes(&self) -> usize {
        self.axis_rates.capacity() * size_of::<f64>()
    }

    fn check<'a>(
        &self,
        features: usize,
        mut cuts: impl Iterator<Item = &'a PairCut>,
    ) -> Result<(), InvariantError> {
        let settings = CutSettings {
            rate: Some(self.rate),
            ..CutSettings::default()
        };
        let rule = |error: SettingError| InvariantError::new("cuts", error);
        settings.check(features).map_err(rule)?;
        // The rates follow from s: a file with others was altered.
        let same = *self == Self::new(features, &settings);
        InvariantError::require(same, "cuts", "the rates of axes are not that of s")?;
        let all = cuts.all(|cut| cut.is_sound(features));
        InvariantError::require(all, "cuts", "one is not a line in the plane of two axes")
    }
}

/// The hyperplane through `point` at a right angle to `normal`, both in the plane of two axes.
///
/// Points are compared with a point *on* the cut, not with a distance from the origin: where all
/// points share a huge coordinate, its difference is exactly 0 and the other one decides.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairCut {
    /// Where the cut lies.
    pub point: [f64; 2],
    /// Of length 1 up to rounding; points left of the cut are behind it.
    pub normal: [f32; 2],
    /// The axes it cuts across, the smaller first. A single feature is paired with an axis 1 on which every point is 0.
    pub axes: [u32; 2],
}

impl PairCut {
    /// Returns the side of a point: on the cut is left.
    #[inline]
    pub(crate) fn side(&self, x: &[f32]) -> Side {
        let second = x.get(self.axes[1] as usize).copied().unwrap_or(0.0);
        let v = [x[self.axes[0] as usize], second].map(f64::from);
        let term = |k: usize| (v[k] - self.point[k]) * f64::from(self.normal[k]);
        if term(0) + term(1) <= 0.0 {
            Side::Left
        } else {
            Side::Right
        }
    }

    /// Returns whether it could be a cut of points with `features` numbers.
    pub(crate) fn is_sound(&self, features: usize) -> bool {
        let [i, j] = self.axes;
        let finite = self.point.iter().all(|c| c.is_finite());
        let length = self.normal.iter().map(|c| c * c).sum::<f32>();
        // `max(2)`: a single feature is paired with an axis that does not exist. 1e-5: a normal is rounded to `f32`.
        i < j && (j as usize) < features.max(2) && finite && (length - 1.0).abs() < 1e-5
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a snapshot may hold is what cuts are drawn as; the limits themselves included.
    #[test]
    fn a_cut_has_two_axes_in_order_a_finite_point_and_a_normal_of_length_one() {
        let half = [0.5; 2];
        let unit = [0.6, -0.8];
        for (axes, features, point, normal, sound) in [
            ([0, 1], 1, half, unit, true),
            ([1, 2], 3, half, unit, true),
            ([0, 1], 2, [f64::MAX, 0.0], unit, true),
            ([0, 2], 1, half, unit, false),
            ([0, 2], 2, half, unit, false),
            ([1, 3], 3, half, unit, false),
            ([1, 1], 3, half, unit, false),
            ([2, 1], 3, half, unit, false),
            ([0, 1], 2, [f64::INFINITY, 0.0], unit, false),
            ([0, 1], 2, [0.0, f64::NAN], unit, false),
            ([0, 1], 2, half, [0.0, 0.0], false),
            ([0, 1], 2, half, [1.0, 0.01], false),
            ([0, 1], 2, half, [0.99, 0.0], false),
            ([0, 1], 2, half, [f32::NAN, 1.0], false),
        ] {
            let cut = PairCut {
                point,
                normal,
                axes,
            };
            assert_eq!(cut.is_sound(features), sound, "{cut:?} of {features}");
        }
    }
}

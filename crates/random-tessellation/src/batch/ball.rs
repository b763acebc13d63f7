//! Balls around points, for the rates that the paper prints.

use mondrian::AxisCuts;
use tessellation_tree::CutDistribution;

use super::model::Points;
use crate::LinearCuts;

/// Distributions that know Λ of a ball.
pub trait BallMass: CutDistribution {
    /// Returns Λ of the hyperplanes that hit a ball of this radius, for points of `features` numbers.
    fn mass_of_ball(&self, radius: f64, features: usize) -> f64;
}

/// Λ is scaled so that it is the radius (Ge et al. 2019, Lemma 3).
impl BallMass for LinearCuts {
    fn mass_of_ball(&self, radius: f64, _: usize) -> f64 {
        radius
    }
}

/// A ball is 2·radius wide along every axis, as the cube around it.
impl BallMass for AxisCuts {
    fn mass_of_ball(&self, radius: f64, features: usize) -> f64 {
        let unit = self.rate_within(&vec![0.0; features], &vec![1.0; features]);
        2.0 * radius * unit
    }
}

/// Steps towards the smallest ball: after these the radius is at most a tenth too large, and mostly
/// less than a hundredth.
const STEPS: u32 = 100;

/// Returns the radius of a ball that contains these points, almost the smallest (Bădoiu and Clarkson 2003: the
/// center moves towards the farthest point by less and less). Costs a hundred passes over the points.
pub(super) fn radius(points: &Points<'_>, ids: &[u32], lower: &[f32], upper: &[f32]) -> f64 {
    let middle = |(low, high): (&f32, &f32)| 0.5 * f64::from(*low) + 0.5 * f64::from(*high);
    let mut center: Vec<f64> = lower.iter().zip(upper).map(middle).collect();
    // The radius does not fall at every step, but each is that of a ball with all points: the smallest is kept.
    let mut smallest = f64::INFINITY;
    for step in 1..=STEPS {
        let (squared, farthest) = farthest(points, ids, &center);
        smallest = smallest.min(squared);
        let toward = center.iter_mut().zip(points.row(farthest));
        toward.for_each(|(c, &x)| *c += (f64::from(x) - *c) / f64::from(step + 1));
    }
    smallest.sqrt()
}

/// Returns the squared distance to the farthest of these points, and that point.
fn farthest(points: &Points<'_>, ids: &[u32], center: &[f64]) -> (f64, u32) {
    let squared = |id: u32| -> f64 {
        let row = points.row(id).iter().zip(center);
        row.map(|(&x, c)| (f64::from(x) - c).powi(2)).sum()
    };
    let each = ids.iter().map(|&id| (squared(id), id));
    each.fold(
        // Below any squared distance, so that a single point at the center is found as well; of ties the first.
        (-1.0, ids[0]),
        |far, one| if one.0 > far.0 { one } else { far },
    )
}

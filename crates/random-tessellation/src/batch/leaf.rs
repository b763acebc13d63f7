//! A set of points that no cut has separated yet; and balls around points, for the rates that the paper prints.

use forest_core::TreeRng;
use tessellation_tree::{CutDistribution, Pause};

use super::Rates;
use super::model::{Model, Points};

/// Steps towards the smallest ball: the radius is at most a tenth too large, mostly less than a hundredth.
const STEPS: u32 = 100;

/// Returns the radius of a ball that contains these points, almost the smallest (Bădoiu and Clarkson 2003: the
/// center moves towards the farthest point by less and less). Costs a hundred passes over the points.
pub(super) fn ball_radius(points: &Points<'_>, ids: &[u32], lower: &[f32], upper: &[f32]) -> f64 {
    let middle = |(low, high): (&f32, &f32)| 0.5 * f64::from(*low) + 0.5 * f64::from(*high);
    let mut center: Vec<f64> = lower.iter().zip(upper).map(middle).collect();
    // The radius does not fall at every step, but each is that of a ball with all points: the smallest is kept.
    let mut smallest = f64::INFINITY;
    for step in 1..=STEPS {
        // Below any squared distance, so that a single point at the center is found as well; of ties the first.
        let mut largest = -1.0;
        let mut farthest = ids[0];
        for &id in ids {
            let row = points.row(id).iter().zip(&center);
            let squared: f64 = row.map(|(&x, c)| (f64::from(x) - c).powi(2)).sum();
            if squared > largest {
                largest = squared;
                farthest = id;
            }
        }
        smallest = smallest.min(largest);
        for (c, &x) in center.iter_mut().zip(points.row(farthest)) {
            *c += (f64::from(x) - *c) / f64::from(step + 1);
        }
    }
    smallest.sqrt()
}

/// A leaf that may be cut. Particles that have it in common share it.
pub(super) struct Leaf {
    pub(super) points: Vec<u32>,
    /// ln of its factor of the likelihood (3).
    pub(super) log_likelihood: f64,
    /// The rate at which it is cut, and at which it is chosen.
    pub(super) rate: f64,
    /// The rate of the candidates that it draws.
    candidates: f64,
    lower: Vec<f32>,
    upper: Vec<f32>,
}

impl Leaf {
    /// Creates the leaf of these points, unless nothing can or may cut it.
    pub(super) fn open<D: CutDistribution>(
        points: Vec<u32>,
        log_likelihood: f64,
        cuts: &D,
        model: &Model<'_>,
    ) -> Option<Self> {
        let labels = || model.points.labels(&points);
        let first = labels().next();
        let agree = labels().all(|label| Some(label) == first);
        if points.len() < 2 || (model.settings.pause == Pause::WhileLabelsAgree && agree) {
            return None;
        }
        let [lower, upper] = bounding_box(&model.points, &points);
        let candidates = match points[..] {
            // Two points have an exact rate; candidates of the box of more points are thinned.
            [a, b] => cuts.rate_between(model.points.row(a), model.points.row(b)),
            _ => cuts.rate_within(&lower, &upper),
        };
        let rate = match model.settings.rates {
            Rates::Exact => candidates,
            Rates::BallAsPrinted => cuts.mass_of_ball(
                ball_radius(&model.points, &points, &lower, &upper),
                lower.len(),
            ),
        };
        (candidates > 0.0).then_some(Self {
            points,
            log_likelihood,
            rate,
            candidates,
            lower,
            upper,
        })
    }

    /// Returns, with probability Λ(hull of the points) / candidate rate, a cut drawn from Λ that separates two of them.
    pub(super) fn candidate<D: CutDistribution>(
        &self,
        cuts: &mut D,
        points: &Points<'_>,
        rng: &mut TreeRng,
    ) -> Option<D::Cut> {
        let cut = match self.points[..] {
            [a, b] => cuts.draw_between([points.row(a), points.row(b)], self.candidates, rng),
            _ => cuts.draw_within([&self.lower, &self.upper], self.candidates, rng),
        }?;
        let side = |&point: &u32| cuts.side(&cut, points.row(point));
        // A box is hit by more cuts than the hull of its points.
        let first = side(&self.points[0]);
        if self.points.iter().any(|point| side(point) != first) {
            return Some(cut);
        }
        // The normal of a candidate that was not taken would otherwise stay in the array.
        cuts.release(&cut);
        None
    }
}

/// Returns the corners of the smallest box around these points.
fn bounding_box(points: &Points<'_>, ids: &[u32]) -> [Vec<f32>; 2] {
    let mut lower = points.row(ids[0]).to_vec();
    let mut upper = lower.clone();
    for &id in &ids[1..] {
        let corners = lower.iter_mut().zip(&mut upper);
        for ((low, high), &x) in corners.zip(points.row(id)) {
            *low = low.min(x);
            *high = high.max(x);
        }
    }
    [lower, upper]
}

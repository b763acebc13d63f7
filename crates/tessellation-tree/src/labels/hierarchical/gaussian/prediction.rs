//! What is predicted at a point: messages down its path, mixed over the places where it may branch off.

use serde::{Deserialize, Serialize};

use super::{Belief, GaussianHierarchy, LEAF_LEVEL, Node, ROOT_LEVEL};
use crate::labels::hierarchical::{Departure, Passage};
use crate::{CutDistribution, LabelContext, Path, Place, Step};

/// A mixture of normal distributions, by its moments about a fixed origin.
#[derive(Clone, Copy, Debug, Default)]
struct Mixture {
    first: f64,
    second: f64,
}

impl Mixture {
    #[inline]
    fn add(&mut self, weight: f64, belief: Belief, origin: f64) {
        let mean = belief.mean - origin;
        self.first += weight * mean;
        self.second += weight * (belief.variance + mean * mean);
    }

    fn belief(self, origin: f64) -> Belief {
        Belief {
            mean: origin + self.first,
            variance: (self.second - self.first * self.first).max(0.0),
        }
    }
}

impl GaussianHierarchy {
    /// Returns the tree's prediction at the point of `path`: mean and variance of a new target.
    pub fn at<D: CutDistribution>(
        &self,
        path: Path<'_, D>,
        context: LabelContext<'_, Self>,
    ) -> Belief {
        Passage::with(|passage| {
            self.boxes.pass(path, context.samples, passage);
            self.predict(passage, context)
        })
    }

    /// Returns the prediction for a point that goes this way and stays in the leaf.
    pub(super) fn inside(
        &self,
        way: &[Step],
        leaf: Place,
        context: LabelContext<'_, Self>,
    ) -> Belief {
        Passage::with(|passage| {
            passage.stay(way, leaf);
            self.predict(passage, context)
        })
    }

    /// Returns the prediction at a point.
    fn predict(&self, passage: &Passage, context: LabelContext<'_, Self>) -> Belief {
        let origin = self.hyper.mean;
        let (mut above, mut level) = (self.hyper.prior(), ROOT_LEVEL);
        let mut mixture = Mixture::default();
        for (place, departures) in passage.downwards() {
            let node = self.node(place.subtree, context);
            for departure in departures {
                self.depart(departure, place, node, above, level, &mut mixture);
            }
            above = above.spread(self.hyper.variance(level, node.level));
            level = node.level;
            match place.sibling {
                Some(sibling) => above = above.and(self.message(sibling, level, context)),
                None => {
                    let target = above.and(node.own).spread(self.hyper.noise);
                    mixture.add(passage.stays, target, origin);
                }
            }
        }
        mixture.belief(origin)
    }

    /// Adds the prediction for a point that branches off between a node and what is known `above` it, at the level `from`.
    fn depart(
        &self,
        departure: &Departure,
        place: Place,
        node: Node,
        above: Belief,
        from: f64,
        mixture: &mut Mixture,
    ) {
        let hyper = &self.hyper;
        for (weight, delay) in departure.delay.quantiles() {
            let level = hyper.level(place.birth + delay).max(from).min(node.level);
            let above = above.spread(hyper.variance(from, level));
            let below = node.own.spread(hyper.variance(level, node.level));
            let own = above.and(below).spread(hyper.variance(level, LEAF_LEVEL));
            let weight = departure.probability * weight;
            mixture.add(weight, own.spread(hyper.noise), hyper.mean);
        }
    }
}

/// What the variance of a forest's prediction is, given the trees' means and variances.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Combination {
    /// That of the equal mixture of the trees' distributions, as in the paper: the mean of the variances plus the
    /// variance of the means. It is the error of a tree picked at random, which is larger than that of the mean of
    /// all trees.
    Mixture,
    /// The expected square error of the mean of all trees: the mean of the variances *less* the variance of the
    /// means. For any target, (y − mean)² is the mean of the trees' square errors less the variance of their predictions
    /// (Krogh, Vedelsby 1995). At least what independent trees would have.
    #[default]
    OfMean,
}

/// Sums over trees of: mean − origin, its square, origin, its square, their product, variance, and ±1 for
/// the combination.
pub(super) const WIDTH: usize = 7;

/// A tree's prediction, about an origin near its mean: trees of one forest have the same, as a rule.
#[inline]
pub(super) fn cast(
    Belief { mean, variance }: Belief,
    origin: f64,
    combination: Combination,
    accumulator: &mut [f64],
) {
    let origin = rounded(origin);
    let offset = mean - origin;
    let (square, product) = (offset * offset, offset * origin);
    let sign = match combination {
        Combination::Mixture => 1.0,
        Combination::OfMean => -1.0,
    };
    let cells = [
        offset,
        square,
        origin,
        origin * origin,
        product,
        variance,
        sign,
    ];
    accumulator.copy_from_slice(&cells);
}

/// To 20 binary digits: so the squares of equal origins add up, and their mean is their square, without rounding.
fn rounded(origin: f64) -> f64 {
    f64::from_bits(origin.to_bits() & !((1 << 33) - 1))
}

/// The mean and, if there is room, the variance; it is infinite if no tree has samples.
pub(super) fn finish(sum: &[f64], trees: usize, prediction: &mut [f64]) {
    let [
        offset,
        square,
        origin,
        origin_square,
        product,
        variance,
        sign,
    ] = std::array::from_fn(|cell| sum[cell] / trees as f64);
    prediction[0] = origin + offset;
    let Some(prediction) = prediction.get_mut(1) else {
        return;
    };
    let mut between = square - offset * offset;
    let of_origins = origin_square - origin * origin;
    if of_origins != 0.0 {
        between += of_origins + 2.0 * (product - origin * offset);
    }
    *prediction = if sign == 0.0 {
        f64::INFINITY
    } else {
        (variance + sign * between.max(0.0)).max(variance / trees as f64)
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn combined(combination: Combination, beliefs: &[[f64; 2]]) -> [f64; 2] {
        let (mut sum, mut prediction) = ([0.0; WIDTH], [0.0; 2]);
        for &[mean, variance] in beliefs {
            let mut accumulator = [0.0; WIDTH];
            cast(
                Belief { mean, variance },
                1e6,
                combination,
                &mut accumulator,
            );
            (0..WIDTH).for_each(|cell| sum[cell] += accumulator[cell]);
        }
        finish(&sum, beliefs.len(), &mut prediction);
        prediction
    }

    #[test]
    fn variances_of_means_are_added_to_a_mixture_and_taken_off_a_mean() {
        let beliefs = [[1e6 + 1.0, 3.0], [1e6 + 3.0, 5.0]];
        assert_eq!(combined(Combination::Mixture, &beliefs), [1e6 + 2.0, 5.0]);
        assert_eq!(combined(Combination::OfMean, &beliefs), [1e6 + 2.0, 3.0]);
        // Origins that differ, as those of a tree that was replaced.
        let (mut sum, mut own) = ([0.0; WIDTH], [0.0; 2]);
        for (index, [mean, variance]) in beliefs.into_iter().enumerate() {
            let (mut accumulator, origin) = ([0.0; WIDTH], 1e6 + 64.0 * index as f64);
            let belief = Belief { mean, variance };
            cast(belief, origin, Combination::Mixture, &mut accumulator);
            (0..WIDTH).for_each(|cell| sum[cell] += accumulator[cell]);
        }
        finish(&sum, 2, &mut own);
        assert_eq!(own[0], 1e6 + 2.0);
        assert!((own[1] - 5.0).abs() < 1e-3, "{own:?}");
        let far = [[1e6 - 9.0, 3.0], [1e6 + 9.0, 5.0]];
        assert_eq!(combined(Combination::OfMean, &far), [1e6, 2.0]);
    }
}

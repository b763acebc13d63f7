//! What is predicted at a point: messages down its path, mixed over the places where it may branch off.

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

//! Predictions smoothed along the path, with branching off (Lakshminarayanan, Roy, Teh 2014 and 2016).
//!
//! A point need not belong to the leaf that it falls into: a cut that separates it from all points of a node would give
//! it a parent of its own there. So a prediction mixes over all places where the point may leave its path, whose
//! probabilities have a closed form for axis-aligned cuts ([`Boxes`]).

mod evidence;
mod gaussian;
mod hyperparameters;
mod kneser_ney;

use std::cell::RefCell;

use forest_core::{Points, SampleId};
use serde::{Deserialize, Serialize};

use super::{Classes, Numbers, set};
use crate::structure::boxes::Corners;
use crate::{Joined, LeafId, NodeId, Path, Step, Subtree};

pub use gaussian::GaussianHierarchy;
pub use hyperparameters::{Belief, Hyperparameters};
pub use kneser_ney::KneserNey;

/// Bounding boxes of all inner nodes and leaves, 8 bytes a feature: with axis-aligned cuts, ΔΛ is the sum of what a
/// point exceeds its node's box by, weighted as the cuts are.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Boxes {
    nodes: Corners,
    leaves: Corners,
}

impl Boxes {
    /// Measures the box of a node: the smallest around the boxes of its two children.
    fn unite(&mut self, node: NodeId, children: [Subtree; 2], points: Points<'_>) {
        let node = node.index();
        self.nodes.clear(node, points.width());
        for child in children {
            match child {
                Subtree::Inner(child) => self.nodes.extend_by(node, child.index()),
                Subtree::Leaf(leaf) => self.nodes.extend(node, self.leaves.get(leaf.index())),
                Subtree::Sample(id) => self.nodes.extend(node, [points.features(id); 2]),
            };
        }
    }

    /// Fills `passage` with where the point of a path would leave it: the probability that, at a node v with life (t₀,
    /// T), a cut separates it from all points of v, 1 − exp(−ΔΛ·(T − t₀)), and when.
    pub fn pass(&self, path: &Path<'_>, points: Points<'_>, passage: &mut Passage) {
        let departures = &mut passage.departures;
        departures.clear();
        departures.resize(path.steps.len() + 1, Departure::default());
        passage.stays = 1.0;
        let Some(x) = path.point else {
            return;
        };
        // From the leaf up, as long as the point is outside: all boxes above contain it.
        for (level, departure) in departures.iter_mut().enumerate().rev() {
            let place = path.place(level);
            let corners = match place.subtree {
                Subtree::Inner(node) => self.nodes.get(node.index()),
                Subtree::Leaf(leaf) => self.leaves.get(leaf.index()),
                Subtree::Sample(id) => [points.features(id); 2],
            };
            Corners::nearest(x, corners, &mut passage.nearest);
            let rate = (path.rate)(&passage.nearest);
            if rate == 0.0 {
                break;
            }
            let limit = place.end - place.birth;
            let probability = -libm::expm1(-rate * limit);
            if probability > 0.0 {
                *departure = Departure {
                    probability,
                    rate,
                    limit,
                };
            }
        }
        for departure in departures {
            let here = departure.probability;
            departure.probability *= passage.stays;
            passage.stays *= 1.0 - here;
        }
    }

    fn leaf_made(&mut self, leaf: LeafId, ids: &[SampleId], points: Points<'_>) {
        self.leaves.clear(leaf.index(), points.width());
        for &id in ids {
            self.leaves.extend(leaf.index(), [points.features(id); 2]);
        }
    }

    fn joined(&mut self, path: &[Step], end: Joined, id: SampleId, points: Points<'_>) {
        let x = [points.features(id); 2];
        let mut outside = true;
        match end {
            Joined::Leaf(leaf) => outside = self.leaves.extend(leaf.index(), x),
            Joined::Alone { node, sibling, .. } => {
                self.unite(node, [sibling, Subtree::Sample(id)], points);
            }
        }
        for step in path.iter().rev() {
            if !outside {
                return;
            }
            outside = self.nodes.extend(step.node().index(), x);
        }
    }

    /// Measures the boxes of a path again that a sample has left; it continues to `below`.
    fn path_left(&mut self, path: &[Step], mut below: Subtree, points: Points<'_>) {
        for step in path.iter().rev() {
            self.unite(step.node(), [below, step.sibling()], points);
            below = Subtree::Inner(step.node());
        }
    }

    /// Continues with points of `features` numbers, more than before; those learned so far have 0 for the new ones.
    fn widen(&mut self, features: usize) {
        self.nodes.widen(features);
        self.leaves.widen(features);
    }

    fn bytes(&self) -> usize {
        self.nodes.bytes() + self.leaves.bytes()
    }

    /// Returns how many leaves and nodes have boxes of `features` sides, if others have statistics for so many.
    fn room(&self, [leaves, nodes]: [usize; 2], features: usize) -> [usize; 2] {
        let leaves = leaves.min(self.leaves.boxes(features));
        [leaves, nodes.min(self.nodes.boxes(features))]
    }
}

/// Where a point may branch off its path.
#[derive(Debug, Default)]
pub struct Passage {
    /// For each node of the path, from the root to the leaf.
    pub departures: Vec<Departure>,
    /// The probability that the point goes all the way to the leaf.
    pub stays: f64,
    nearest: Vec<f32>,
    /// Working memory of label models.
    seen: Vec<u32>,
}

/// A point may branch off at a node: within the node's life, a new parent of the node separates it from all of
/// the node's points. The time from the node's birth to that cut is exponential, if it is below `limit`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Departure {
    /// The probability that the point leaves here and not before.
    pub probability: f64,
    /// The mass of the cuts that separate the point from the node's points, ΔΛ; 0 if it does not leave here.
    pub rate: f64,
    /// The length of the node's life.
    pub limit: f64,
}

/// Gauss–Legendre quadrature: three points on (0, 1), each with its weight.
const QUADRATURE: [(f64, f64); 3] = [
    (0.112_701_665_379_258_3, 5.0 / 18.0),
    (0.5, 8.0 / 18.0),
    (0.887_298_334_620_741_7, 5.0 / 18.0),
];

impl Departure {
    /// Returns E\[exp(−γ·delay)\] for γ ≥ 0: η/(η+γ) · (1 − e^(−(η+γ)Δ)) / (1 − e^(−ηΔ)) with the rate η and the limit
    /// Δ.
    pub fn mean_discount(self, gamma: f64) -> f64 {
        let sum = self.rate + gamma;
        let share = libm::expm1(-sum * self.limit) / libm::expm1(-self.rate * self.limit);
        self.rate / sum * share
    }

    /// Returns three delays by Gauss's rule, each behind its weight, for means of smooth functions of the delay.
    pub fn quantiles(self) -> [(f64, f64); 3] {
        let below_limit = -libm::expm1(-self.rate * self.limit);
        QUADRATURE.map(|(u, weight)| (weight, -libm::log1p(-u * below_limit) / self.rate))
    }
}

thread_local! {
    static PASSAGE: RefCell<Passage> = RefCell::default();
}

impl Passage {
    /// Calls `work` with working memory that is kept from one prediction to the next.
    fn with<R>(work: impl FnOnce(&mut Self) -> R) -> R {
        let mut passage = PASSAGE.take();
        let result = work(&mut passage);
        PASSAGE.set(passage);
        result
    }
}

//! Branching off axis-aligned trees: bounding boxes, and a closed form.

use std::cell::RefCell;

use forest_core::{SampleId, SampleStore, Task};
use serde::{Deserialize, Serialize};

use crate::{Corners, CutDistribution, Joined, LeafId, NodeId, Path, Place, Step, Subtree};

/// Bounding boxes of all inner nodes and leaves: with axis-aligned cuts, ΔΛ is the sum of what a point
/// exceeds its node's box by, weighted as the cuts are.
///
/// A box takes 8 bytes a feature. A sample extends the boxes from its leaf up to the first that contains it;
/// those above contain it, too. Compiles only for cuts that are [`AXIS_ALIGNED`](CutDistribution::AXIS_ALIGNED).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Boxes {
    nodes: Corners,
    leaves: Corners,
}

impl Boxes {
    fn corners<'a, T: Task>(
        &'a self,
        subtree: Subtree,
        samples: &'a SampleStore<T>,
    ) -> [&'a [f32]; 2] {
        match subtree {
            Subtree::Inner(node) => self.nodes.get(node.index()),
            Subtree::Leaf(leaf) => self.leaves.get(leaf.index()),
            Subtree::Sample(id) => [samples.features(id); 2],
        }
    }

    /// Makes the box of a node that of its two subtrees.
    fn unite<T: Task>(&mut self, node: NodeId, children: [Subtree; 2], samples: &SampleStore<T>) {
        let node = node.index();
        self.nodes.clear(node, samples.width());
        for child in children {
            match child {
                Subtree::Inner(child) => self.nodes.extend_by(node, child.index()),
                Subtree::Leaf(leaf) => {
                    self.nodes.extend(node, self.leaves.get(leaf.index()));
                }
                Subtree::Sample(id) => {
                    self.nodes.extend(node, [samples.features(id); 2]);
                }
            }
        }
    }

    /// Notes the path, and where a new point would leave it: the probability that, at a node v with life (t₀, T), a cut
    /// separates it from all points of v, 1 − exp(−ΔΛ·(T − t₀)), and when.
    ///
    /// From the leaf up, as long as the point is outside: all boxes above contain it.
    pub fn pass<D: CutDistribution, T: Task>(
        &self,
        mut path: Path<'_, D>,
        samples: &SampleStore<T>,
        passage: &mut Passage,
    ) {
        const { assert!(D::AXIS_ALIGNED, "boxes tell nothing of oblique cuts") }
        let (cuts, x) = (path.cuts(), path.point());
        passage.note(&mut path);
        for (index, place) in passage.places.iter().enumerate().rev() {
            let corners = self.corners(place.subtree, samples);
            Corners::nearest(x, corners, &mut passage.nearest);
            let rate = cuts.rate_between(x, &passage.nearest);
            if rate == 0.0 {
                break;
            }
            let limit = place.end - place.birth;
            let probability = -libm::expm1(-rate * limit);
            if probability > 0.0 {
                passage.departures.push(Departure {
                    place: index,
                    probability,
                    delay: Delay { rate, limit },
                });
            }
        }
        passage.departures.reverse();
        for departure in &mut passage.departures {
            let here = departure.probability;
            departure.probability *= passage.stays;
            passage.stays *= 1.0 - here;
        }
    }

    /// `leaf` was made and holds `ids`.
    pub(super) fn leaf_made<T: Task>(
        &mut self,
        leaf: LeafId,
        ids: impl Iterator<Item = SampleId>,
        samples: &SampleStore<T>,
    ) {
        self.leaves.clear(leaf.index(), samples.width());
        for id in ids {
            self.leaves.extend(leaf.index(), [samples.features(id); 2]);
        }
    }

    /// A sample joined the path and what is at its end.
    pub(super) fn joined<T: Task>(
        &mut self,
        path: impl DoubleEndedIterator<Item = Step>,
        end: Joined,
        id: SampleId,
        samples: &SampleStore<T>,
    ) {
        let x = [samples.features(id); 2];
        let outside = match end {
            Joined::Leaf(leaf) => self.leaves.extend(leaf.index(), x),
            Joined::Alone { node, sibling, .. } => {
                self.unite(node, [sibling, Subtree::Sample(id)], samples);
                true
            }
        };
        if outside {
            for step in path.rev() {
                if !self.nodes.extend(step.node.index(), x) {
                    break;
                }
            }
        }
    }

    /// An inner node was made above two subtrees.
    pub(super) fn node_made<T: Task>(
        &mut self,
        node: NodeId,
        children: [Subtree; 2],
        samples: &SampleStore<T>,
    ) {
        self.unite(node, children, samples);
    }

    /// A sample left the inner nodes of the path, which continues to `below`.
    pub(super) fn path_left<T: Task>(
        &mut self,
        path: impl DoubleEndedIterator<Item = Step>,
        mut below: Subtree,
        samples: &SampleStore<T>,
    ) {
        for step in path.rev() {
            self.unite(step.node, [below, step.sibling], samples);
            below = Subtree::Inner(step.node);
        }
    }

    /// From now on points have `features` numbers, more than before, and those learned so far 0 for the new ones.
    pub(super) fn widen(&mut self, features: usize) {
        self.nodes.widen(features);
        self.leaves.widen(features);
    }

    /// Returns the bytes of what is kept.
    pub(super) fn bytes(&self) -> usize {
        self.nodes.bytes() + self.leaves.bytes()
    }

    /// Returns whether there are boxes of `features` sides of these leaves and nodes.
    pub(super) fn is_shaped(
        &self,
        mut leaves: impl Iterator<Item = LeafId>,
        mut nodes: impl Iterator<Item = NodeId>,
        features: usize,
    ) -> bool {
        self.leaves.fits(features)
            && self.nodes.fits(features)
            && leaves.all(|leaf| self.leaves.has(leaf.index()))
            && nodes.all(|node| self.nodes.has(node.index()))
    }
}

/// The nodes on the path of a point, its leaf last, and the places where the point may branch off.
#[derive(Debug, Default)]
pub struct Passage {
    /// The inner nodes, from the root, and the leaf.
    pub places: Vec<Place>,
    /// Where the point may branch off; those at higher places first.
    pub departures: Vec<Departure>,
    /// The probability that the point goes all the way to the leaf.
    pub stays: f64,
    /// Working memory.
    pub(super) nearest: Vec<f32>,
    pub(super) seen: Vec<u32>,
}

/// A point may branch off at a node: within the node's life, a new parent of the node separates it from all of
/// the node's points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Departure {
    /// The index of the node in [`Passage::places`].
    pub place: usize,
    /// The probability that the point leaves here and not before.
    pub probability: f64,
    /// When.
    pub delay: Delay,
}

/// The time from a node's birth to the cut that separates a point from it: exponential, if it is below `limit`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Delay {
    /// The mass of the cuts that separate the point from the node's points, ΔΛ.
    pub rate: f64,
    /// The length of the node's life.
    pub limit: f64,
}

/// Gauss–Legendre: three points and weights on (0, 1).
const QUADRATURE: [(f64, f64); 3] = [
    (0.112_701_665_379_258_3, 5.0 / 18.0),
    (0.5, 8.0 / 18.0),
    (0.887_298_334_620_741_7, 5.0 / 18.0),
];

impl Delay {
    /// E\[exp(−γ·delay)\] for γ ≥ 0:
    /// η/(η+γ) · (1 − e^(−(η+γ)Δ)) / (1 − e^(−ηΔ)) with the rate η and the limit Δ.
    pub fn mean_discount(self, gamma: f64) -> f64 {
        let Self { rate, limit } = self;
        let share = libm::expm1(-(rate + gamma) * limit) / libm::expm1(-rate * limit);
        rate / (rate + gamma) * share
    }

    /// Delays with weights that add up to 1, whose mean is that of any smooth function of the delay: three
    /// quantiles by Gauss's rule.
    pub fn quantiles(self) -> impl Iterator<Item = (f64, f64)> {
        let Self { rate, limit } = self;
        let below_limit = -libm::expm1(-rate * limit);
        let quantile =
            move |(u, weight): (f64, f64)| (weight, -libm::log1p(-u * below_limit) / rate);
        QUADRATURE.into_iter().map(quantile)
    }
}

thread_local! {
    static PASSAGES: RefCell<Vec<Passage>> = const { RefCell::new(Vec::new()) };
}

impl Passage {
    /// Lends working memory that is kept from one prediction to the next.
    pub(super) fn with<R>(work: impl FnOnce(&mut Self) -> R) -> R {
        let kept = PASSAGES.with_borrow_mut(Vec::pop);
        let mut passage = kept.unwrap_or_default();
        let result = work(&mut passage);
        PASSAGES.with_borrow_mut(|passages| passages.push(passage));
        result
    }

    /// Notes the nodes of a path; nothing is known of departures.
    pub fn note<D: CutDistribution>(&mut self, path: &mut Path<'_, D>) {
        self.note_steps(&mut *path);
        self.places.push(path.place());
    }

    /// Notes a way to the `leaf` at its end, where the point stays.
    pub(super) fn stay(&mut self, way: &[Step], leaf: Place) {
        self.note_steps(way.iter().copied());
        self.places.push(leaf);
    }

    fn note_steps(&mut self, steps: impl Iterator<Item = Step>) {
        self.places.clear();
        self.departures.clear();
        self.stays = 1.0;
        for step in steps {
            self.places.push(Place {
                subtree: Subtree::Inner(step.node),
                birth: step.birth,
                end: step.time,
                sibling: Some(step.sibling),
            });
        }
    }

    /// Returns the index and node of every place with the departures there, from the leaf up.
    pub fn upwards(&self) -> impl Iterator<Item = (Place, &[Departure])> {
        let mut rest = &self.departures[..];
        self.places
            .iter()
            .enumerate()
            .rev()
            .map(move |(index, place)| {
                let here = rest.iter().rev().take_while(|known| known.place == index);
                let (above, here) = rest.split_at(rest.len() - here.count());
                rest = above;
                (*place, here)
            })
    }

    /// The same from the root down.
    pub fn downwards(&self) -> impl Iterator<Item = (Place, &[Departure])> {
        let mut rest = &self.departures[..];
        self.places.iter().enumerate().map(move |(index, place)| {
            let here = rest.iter().take_while(|known| known.place == index);
            let (here, below) = rest.split_at(here.count());
            rest = below;
            (*place, here)
        })
    }
}

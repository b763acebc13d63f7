//! Branching off axis-aligned trees: bounding boxes, and a closed form.

use crate::{Corners, CutDistribution, Joined, LeafId, NodeId, Path, Step, Subtree};
use forest_core::{SampleId, SampleStore, Task};
use serde::{Deserialize, Serialize};

use super::{Delay, Departure, Passage};

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

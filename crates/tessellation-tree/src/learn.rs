//! The online update: insert a sample (theory: "Insert x" in the crate's documentation).

use forest_core::{Points, SampleId};

use crate::cuts::CutsBetween;
use crate::structure::Structure;
use crate::structure::boxes::Corners;
use crate::structure::node::{
    Leaf, LeafId, Node, NodeId, Step, Subtree, birth_below, parent_below,
};
use crate::structure::work::{Scratch, Work};
use crate::{CutDistribution, Joined, Side, Update};

/// What an insertion has changed.
pub(crate) struct Insertion {
    /// Number of inner nodes above the change: those whose points the sample joins.
    pub(crate) level: usize,
    /// Where the sample is.
    pub(crate) end: Joined,
    /// The sample that was alone, if a leaf was made of it for the two.
    pub(crate) made_of: Option<SampleId>,
    /// The leaf below the steps, which has still to be exposed.
    pub(crate) to_expose: Option<LeafId>,
}

impl Insertion {
    fn new(level: usize, end: Joined, to_expose: Option<LeafId>) -> Self {
        Self {
            level,
            end,
            made_of: None,
            to_expose,
        }
    }
}

/// More candidates are refuted at a node with probability 2⁻¹⁰⁰, unless times were altered in a snapshot: they are
/// Poisson with a mean that is at most exponential with mean 1.
const CANDIDATES_PER_LEVEL: usize = 100;

/// Fewer points are examined as fast as their box.
const FEWEST_POINTS: usize = 3;

impl<D: CutDistribution> Structure<D> {
    /// Inserts the sample `id` above what it is separated from first, or into `leaf`, to which its way leads. The steps
    /// then lead to the leaf to expose.
    pub(crate) fn insert(
        &mut self,
        id: SampleId,
        steps: &mut Vec<Step>,
        leaf: Subtree,
        work: &mut Work<'_>,
    ) -> Insertion {
        if let Some((time, cut)) = self.first_separation(id, steps, leaf, work) {
            return self.insert_above(time, cut, id, steps, leaf, work);
        }
        let insertion = match leaf {
            Subtree::Leaf(leaf) => {
                self.join_leaf(leaf, id, work);
                Insertion::new(steps.len(), Joined::Leaf(leaf), Some(leaf))
            }
            Subtree::Sample(other) => self.join_sample([other, id], steps, work),
            Subtree::Inner(_) => unreachable!("a path ends in a leaf"),
        };
        if let (Some(leaf), Update::Redraw) = (insertion.to_expose, work.settings.update) {
            // Algorithm 4 of Fan et al., lines 4 to 6: the whole remaining budget is drawn again.
            self.leaves[leaf.index()].exposed = birth_below(steps);
        }
        insertion
    }

    /// Returns the cut, and its time, that gives the sample a parent of its own, if one comes: it has the sample on one
    /// side and all points of a node on the other, within the node's life.
    ///
    /// Thins the cuts that separate the sample from its witness, a point of the leaf and so of every node on the path:
    /// the first that, at its time, has all points of the node then alive on the witness's side. With axis-aligned cuts
    /// the nearest point of the leaf's box will do: it is on the sample's side just if a point is.
    fn first_separation(
        &mut self,
        id: SampleId,
        steps: &[Step],
        leaf: Subtree,
        work: &mut Work<'_>,
    ) -> Option<(f64, D::Cut)> {
        let x = work.points.features(id);
        let until = self.known_until(steps, leaf, id, work);
        let has_box = self.nearest_of_box(leaf, x, work.points);
        let nearest = std::mem::take(&mut self.scratch.nearest);
        let (witness, others) = if has_box {
            (&nearest[..], None)
        } else {
            // Points of the leaf besides the witness may lie on the side of the sample.
            (work.points.features(self.witness(leaf)), leaf.record())
        };
        // One process from time 0 serves all nodes of the path: their lives do not overlap (docs/theory.md).
        let mut candidates = CutsBetween::new(&self.cuts, x, witness, 0.0);
        let (mut beside, mut found) = (std::mem::take(&mut self.scratch.beside), None);
        for _ in 0..CANDIDATES_PER_LEVEL * (steps.len() + 1) {
            let Some((time, cut)) = candidates.next(&mut self.cuts, until, work.rng) else {
                break;
            };
            // Nodes above that have points outside of the node that the candidate is for.
            let below = &steps[level_at(steps, time)..];
            // From the leaf up, ended by the first point there: points near `x` are the most likely to lie beside it.
            let side = self.cuts.side(&cut, x);
            let search = Search {
                structure: self,
                cut: &cut,
                side,
                x,
                points: work.points,
            };
            let mut up = below.iter().rev();
            let refuted = others.is_some_and(|leaf| search.leaf_has_point(leaf))
                || up.any(|step| search.has_point_beside(step, &mut beside));
            if !refuted {
                found = Some((time, cut));
                break;
            }
            // A distribution that stores normals uses this one's place for the next candidate.
            self.cuts.release(&cut);
        }
        (self.scratch.nearest, self.scratch.beside) = (nearest, beside);
        found
    }

    /// Returns a point of a leaf.
    pub(crate) fn witness(&self, leaf: Subtree) -> SampleId {
        match leaf {
            Subtree::Sample(id) => id,
            Subtree::Leaf(leaf) => self.leaf(leaf).center,
            Subtree::Inner(_) => unreachable!("a path ends in a leaf"),
        }
    }

    /// Returns the time up to which it is known which cuts separate points of the leaf.
    fn known_until(&self, steps: &[Step], leaf: Subtree, id: SampleId, work: &Work<'_>) -> f64 {
        // One point has no cuts between points: the cut between it and the sample is drawn by `join_sample`.
        let Subtree::Leaf(leaf) = leaf else {
            return birth_below(steps);
        };
        let leaf = self.leaf(leaf);
        match work.settings.update {
            // Cuts after e are cuts of the leaf with the sample in it: `expose` draws them.
            Update::Conditional => leaf.exposed,
            Update::Redraw => birth_below(steps),
            Update::NewPointOnly => {
                // The set that would be cut is the leaf with the sample.
                let mixed = leaf.mixed || work.differ(&[id, leaf.center]);
                if work.settings.may_cut(leaf.points + 1, mixed) {
                    // The leaf stays together: only cuts that part the sample from all of it come, up to the budget.
                    self.budget
                } else {
                    birth_below(steps)
                }
            }
        }
    }

    /// Puts a new parent in the place of what lives at `time` and gives the sample a leaf of its own.
    fn insert_above(
        &mut self,
        time: f64,
        cut: D::Cut,
        id: SampleId,
        steps: &mut Vec<Step>,
        leaf: Subtree,
        work: &Work<'_>,
    ) -> Insertion {
        let level = level_at(steps, time);
        let above = steps.get(level);
        let sibling = above.map_or(leaf, |step| Subtree::Inner(step.node()));
        let side = self.cuts.side(&cut, work.points.features(id));
        let node = Node::new(time, cut, side, Subtree::Sample(id), sibling);
        steps.truncate(level);
        let id = self.insert_node(parent_below(steps), node);
        // A sample exposes the leaf beside it, too: the budget may have grown since a sample was there.
        steps.push(node.step(id, side.opposite()));
        Insertion::new(level, Joined::Alone(id, time, sibling), sibling.record())
    }

    /// Makes a leaf of two samples, unless a cut separates them at once: then no leaf is made.
    fn join_sample(
        &mut self,
        pair: [SampleId; 2],
        steps: &[Step],
        work: &mut Work<'_>,
    ) -> Insertion {
        let [a, b] = pair.map(|id| work.points.features(id));
        let mixed = work.differ(&pair);
        let (parent, birth) = (parent_below(steps), birth_below(steps));
        let mut exposed = birth;
        if work.settings.may_cut(2, mixed) {
            // Drawn before a record is made: under an infinite budget any two different points need none.
            if let Some((time, cut)) = self.first_between([a, b], birth, work) {
                let side = self.cuts.side(&cut, a);
                let [sibling, alone] = pair.map(Subtree::Sample);
                let node = self.insert_node(parent, Node::new(time, cut, side, sibling, alone));
                let end = Joined::Alone(node, time, sibling);
                return Insertion::new(steps.len(), end, None);
            }
            exposed = birth.max(self.budget);
        }
        let leaf = self.record_of(&pair, exposed, mixed);
        self.set_child(parent, Subtree::Leaf(leaf));
        let mut insertion = Insertion::new(steps.len(), Joined::Leaf(leaf), Some(leaf));
        insertion.made_of = Some(pair[0]);
        insertion
    }

    fn join_leaf(&mut self, id: LeafId, sample: SampleId, work: &Work<'_>) {
        let leaf: &mut Leaf = &mut self.leaves[id.index()];
        // A list grows at its front: its end is not looked for.
        let mut first = Some(leaf.first);
        self.links.push(sample, &mut first);
        leaf.first = sample;
        leaf.points += 1;
        // While the leaf is not mixed all its targets are that of the center.
        leaf.mixed = leaf.mixed || work.differ(&[sample, leaf.center]);
        let [x, center] = [sample, leaf.center].map(|id| work.points.features(id));
        // Extended, not measured: a smaller cube would take a pass over the points.
        leaf.radius = leaf.radius.max(largest_difference(x, center));
        self.scratch.boxes.extend(id, x);
    }

    /// Stores the point of a leaf's box that is nearest to `x`; returns whether the leaf has a box.
    #[inline]
    fn nearest_of_box(&mut self, leaf: Subtree, x: &[f32], samples: Points<'_>) -> bool {
        let Subtree::Leaf(id) = leaf else {
            return false;
        };
        let leaf = &self.leaves[id.index()];
        if !D::AXIS_ALIGNED || (leaf.points as usize) < x.len().max(FEWEST_POINTS) {
            return false;
        }
        let Scratch { boxes, nearest, .. } = &mut self.scratch;
        if boxes.get(id).is_none() {
            let points = self.links.list(leaf.first).map(|id| samples.features(id));
            boxes.measure(id, points, x.len());
        }
        let corners = boxes.get(id).expect("it was measured");
        Corners::nearest(x, corners, nearest);
        true
    }
}

/// Returns the level of the node that lives at `time`: a node lives until just before its cut.
#[inline]
fn level_at(steps: &[Step], time: f64) -> usize {
    steps.partition_point(|step| step.time <= time)
}

/// Returns the largest |aᵢ − bᵢ|, not rounded down.
pub(crate) fn largest_difference(a: &[f32], b: &[f32]) -> f32 {
    let differences = a.iter().zip(b).map(|(a, b)| (a - b).abs());
    // The subtraction may have rounded down.
    differences.fold(0.0, f32::max).next_up()
}

/// A search for points that lie on the same side of `cut` as `x`.
struct Search<'a, D: CutDistribution> {
    structure: &'a Structure<D>,
    cut: &'a D::Cut,
    /// That of `x`. Computed once a candidate: every point looked at is compared with it.
    side: Side,
    x: &'a [f32],
    points: Points<'a>,
}

impl<D: CutDistribution> Search<'_, D> {
    /// Returns whether a point beside a step lies on the side of `x`. At every node below, that side is searched first.
    fn has_point_beside(&self, step: &Step, waiting: &mut Vec<(NodeId, Side)>) -> bool {
        let (cuts, nodes) = (&self.structure.cuts, &*self.structure.nodes);
        waiting.clear();
        let (mut node, mut side) = (step.node(), step.side().opposite());
        loop {
            let parent = &nodes[node.index()];
            let found = match cuts.side_of_all(self.cut, &parent.cut, side) {
                // There are points on either side of a node's cut: if all there lie with `x`, one does.
                Some(side) => side == self.side,
                None => {
                    let mut subtree = parent.child(side);
                    while let Subtree::Inner(id) = subtree {
                        let node = &nodes[id.index()];
                        let near = cuts.side(&node.cut, self.x);
                        waiting.push((id, near.opposite()));
                        subtree = node.child(near);
                    }
                    match subtree {
                        Subtree::Leaf(leaf) => self.leaf_has_point(leaf),
                        Subtree::Sample(id) => self.is_beside(id),
                        Subtree::Inner(_) => false,
                    }
                }
            };
            if found {
                return true;
            }
            // The last one that waits lies deepest, near `x`.
            match waiting.pop() {
                Some(next) => (node, side) = next,
                None => return false,
            }
        }
    }

    fn leaf_has_point(&self, leaf: LeafId) -> bool {
        let mut next = Some(self.structure.leaf(leaf).first);
        while let Some(id) = next {
            if self.is_beside(id) {
                return true;
            }
            next = self.structure.links.next(id);
        }
        false
    }

    #[inline]
    fn is_beside(&self, id: SampleId) -> bool {
        self.structure.cuts.side(self.cut, self.points.features(id)) == self.side
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_of_either_sign_and_not_rounded_down() {
        let far = |a: [f32; 3], b: [f32; 3]| largest_difference(&a, &b);
        assert_eq!(far([1.0, -1.0, 0.5], [-1.0, 0.5, 0.5]), 2.0_f32.next_up());
        assert_eq!(far([-1.0, 0.5, 0.5], [1.0, -1.0, 0.5]), 2.0_f32.next_up());
    }
}

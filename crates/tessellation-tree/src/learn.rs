//! The online update: inserts a sample by one witness point ("Insertion from one witness" in `docs/theory.md`).
//!
//! | theory | here |
//! |---|---|
//! | ℓ, the leaf that x falls into | `Structure::descend_to_learn` |
//! | p, the witness | [`Structure::witness`], or the nearest point of the leaf's box: `Structure::nearest_in_box` |
//! | e, the time up to which candidates come | `Structure::known_until` |
//! | M, the candidates in order of time | [`CutsBetween`] |
//! | v, the node that is alive at a candidate's time | [`level_at`] |
//! | a candidate is refuted by any point of v on x's side | [`Search::refutes`] |
//! | the first that is not refuted: a new parent takes v's place | `Structure::insert_above` |
//! | all are refuted: x joins ℓ | `Structure::join_leaf`, `Structure::join_sample` |
//! | ℓ is exposed to the budget | `Structure::expose` |

use forest_core::{Points, SampleId};

use crate::cuts::CutsBetween;
use crate::structure::Structure;
use crate::structure::boxes::Corners;
use crate::structure::node::{LeafId, Node, NodeId, Step, Subtree, birth_below, parent_below};
use crate::structure::work::{Scratch, Work};
use crate::{CutDistribution, Joined, Side, Update};

/// More candidates are refuted at a node with probability 2⁻¹⁰⁰, unless times were altered in a snapshot: they are
/// Poisson with a mean that is at most exponential with mean 1.
const CANDIDATES_PER_LEVEL: usize = 100;

impl<D: CutDistribution> Structure<D> {
    /// Inserts the sample `id`, whose path passes `steps` and ends in `leaf`. Afterwards the steps lead to the leaf to
    /// expose, if there is one: that of the sample or, past its new parent, the one beside a sample that is alone.
    pub(crate) fn insert(
        &mut self,
        id: SampleId,
        steps: &mut Vec<Step>,
        leaf: Subtree,
        work: &mut Work<'_>,
    ) -> Joined {
        if let Some((time, cut)) = self.first_accepted_candidate(id, steps, leaf, work) {
            let level = level_at(steps, time);
            let alive = steps.get(level);
            let sibling = alive.map_or(leaf, |step| Subtree::Inner(step.node()));
            steps.truncate(level);
            return self.insert_above(sibling, id, (time, cut), steps, work);
        }
        let end = match leaf {
            Subtree::Leaf(leaf) => self.join_leaf(leaf, id, work),
            Subtree::Sample(other) => self.join_sample(other, id, steps, work),
            Subtree::Inner(_) => unreachable!("a path ends in a leaf"),
        };
        if work.settings.update == Update::Redraw
            && let Joined::Leaf(leaf) = end
        {
            // Algorithm 4 of Fan et al., lines 4 to 6: the whole remaining budget is drawn again.
            self.leaves[leaf.index()].exposed = birth_below(steps);
        }
        end
    }

    /// Returns the time and cut of the first candidate that no point refutes; `None` if all are refuted.
    ///
    /// Candidates are the cuts that separate the sample from the witness, in order of time. Each concerns the node of
    /// the path that is alive at its time, and is refuted by a point of that node on the sample's side.
    fn first_accepted_candidate(
        &mut self,
        id: SampleId,
        steps: &[Step],
        leaf: Subtree,
        work: &mut Work<'_>,
    ) -> Option<(f64, D::Cut)> {
        let x = work.points.features(id);
        let until = self.known_until(steps, leaf, id, work);
        let has_box = self.nearest_in_box(leaf, x, work.points);
        // Taken out, because the search reads the rest of the structure.
        let nearest = std::mem::take(&mut self.scratch.nearest);
        let mut beside = std::mem::take(&mut self.scratch.beside);
        let witness = if has_box {
            &nearest
        } else {
            work.points.features(self.witness(leaf))
        };
        // If the nearest point of the leaf's box lies across the cut, so does the whole box.
        let searched_leaf = leaf.record().filter(|_| !has_box);
        // One process from time 0 serves all nodes of the path: their lives do not overlap.
        let mut candidates = CutsBetween::new(&self.cuts, x, witness, 0.0);
        let mut accepted = None;
        for _ in 0..CANDIDATES_PER_LEVEL * (steps.len() + 1) {
            let Some((time, cut)) = candidates.next(&mut self.cuts, until, work.rng) else {
                break;
            };
            let search = Search {
                structure: self,
                cut: &cut,
                side: self.cuts.side(&cut, x),
                x,
                points: work.points,
            };
            if !search.refutes(searched_leaf, &steps[level_at(steps, time)..], &mut beside) {
                accepted = Some((time, cut));
                break;
            }
            // A distribution that stores normals uses this one's place for the next candidate.
            self.cuts.release(&cut);
        }
        self.scratch.nearest = nearest;
        self.scratch.beside = beside;
        accepted
    }

    /// Returns the witness, a point of the leaf and so of every node on its path.
    fn witness(&self, leaf: Subtree) -> SampleId {
        match leaf {
            Subtree::Sample(id) => id,
            Subtree::Leaf(leaf) => self.leaf(leaf).center,
            Subtree::Inner(_) => unreachable!("a path ends in a leaf"),
        }
    }

    /// Stores the point of a leaf's box that is nearest to `x`; returns whether the leaf has a box.
    #[inline]
    fn nearest_in_box(&mut self, leaf: Subtree, x: &[f32], samples: Points<'_>) -> bool {
        /// Fewer points are examined as fast as their box.
        const FEWEST_POINTS: usize = 3;

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

    /// Returns the time up to which it is known which cuts separate points of the leaf.
    fn known_until(&self, steps: &[Step], leaf: Subtree, id: SampleId, work: &Work<'_>) -> f64 {
        // No cut separates one point: the cut between it and the sample is drawn by `join_sample`.
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
                if work.settings.splittable(leaf.points + 1, mixed) {
                    // The leaf stays together: only cuts that part the sample from all of it come, up to the budget.
                    self.budget
                } else {
                    birth_below(steps)
                }
            }
        }
    }

    /// Puts a new parent in the place of `sibling`, which is below these steps: its children are the sibling and the
    /// sample, on either side of the cut.
    #[inline]
    fn insert_above(
        &mut self,
        sibling: Subtree,
        id: SampleId,
        (time, cut): (f64, D::Cut),
        steps: &mut Vec<Step>,
        work: &Work<'_>,
    ) -> Joined {
        let side = self.cuts.side(&cut, work.points.features(id));
        let parent = Node::new(time, cut, side, Subtree::Sample(id), sibling);
        let node = self.insert_node(parent_below(steps), parent);
        if let Subtree::Leaf(_) = sibling {
            steps.push(parent.step(node, side.opposite()));
        }
        Joined::Alone {
            node,
            time,
            sibling,
        }
    }

    /// Makes a leaf of two samples, unless a cut separates them at once: then no leaf is made.
    fn join_sample(
        &mut self,
        other: SampleId,
        id: SampleId,
        steps: &mut Vec<Step>,
        work: &mut Work<'_>,
    ) -> Joined {
        let pair = [other, id];
        let mixed = work.differ(&pair);
        let birth = birth_below(steps);
        let mut exposed = birth;
        if work.settings.splittable(2, mixed) {
            let points = pair.map(|id| work.points.features(id));
            // Drawn before a record is made: under an infinite budget any two different points need none.
            if let Some(first) = self.first_between(points, birth, work) {
                return self.insert_above(Subtree::Sample(other), id, first, steps, work);
            }
            exposed = birth.max(self.budget);
        }
        let leaf = self.record_of(&pair, exposed, mixed);
        self.set_child(parent_below(steps), Subtree::Leaf(leaf));
        Joined::Leaf(leaf)
    }

    fn join_leaf(&mut self, id: LeafId, sample: SampleId, work: &Work<'_>) -> Joined {
        let leaf = &mut self.leaves[id.index()];
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
        Joined::Leaf(id)
    }
}

/// Returns the level of the node that is alive at `time`: a node lives until just before its cut.
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

/// A search for points that refute a candidate: those on the same side of its `cut` as `x`.
struct Search<'a, D: CutDistribution> {
    structure: &'a Structure<D>,
    cut: &'a D::Cut,
    /// That of `x`. Computed once a candidate: every point looked at is compared with it.
    side: Side,
    x: &'a [f32],
    points: Points<'a>,
}

impl<D: CutDistribution> Search<'_, D> {
    /// Returns whether a point of the leaf, if it is to be searched, or of a subtree beside these steps refutes the
    /// candidate. Points near `x` are the most likely to do so: the search goes from the leaf up.
    #[inline]
    fn refutes(
        &self,
        leaf: Option<LeafId>,
        steps: &[Step],
        waiting: &mut Vec<(NodeId, Side)>,
    ) -> bool {
        let mut up = steps.iter().rev();
        leaf.is_some_and(|leaf| self.leaf_has_point(leaf))
            || up.any(|step| self.has_point_beside(step, waiting))
    }

    /// Returns whether a point beside a step lies on the side of `x`; `waiting` is working memory.
    fn has_point_beside(&self, step: &Step, waiting: &mut Vec<(NodeId, Side)>) -> bool {
        waiting.clear();
        let mut next = Some((step.node(), step.side().opposite()));
        while let Some((node, side)) = next {
            if self.has_point_near(node, side, waiting) {
                return true;
            }
            // The last that waits lies deepest, near `x`.
            next = waiting.pop();
        }
        false
    }

    /// Returns whether the leaf nearest to `x` on a side of a node has a point on the side of `x`, or all points there
    /// are known to lie on it. What else hangs on the way to that leaf is left to `waiting`.
    #[inline]
    fn has_point_near(&self, node: NodeId, side: Side, waiting: &mut Vec<(NodeId, Side)>) -> bool {
        let cuts = &self.structure.cuts;
        let nodes = &*self.structure.nodes;
        let parent = &nodes[node.index()];
        if let Some(side_of_all) = cuts.side_of_all(self.cut, &parent.cut, side) {
            // There are points on either side of a node's cut: if all there lie with `x`, one does.
            return side_of_all == self.side;
        }
        let mut subtree = parent.child(side);
        while let Subtree::Inner(id) = subtree {
            let node = &nodes[id.index()];
            let near = cuts.side(&node.cut, self.x);
            waiting.push((id, near.opposite()));
            subtree = node.child(near);
        }
        match subtree {
            Subtree::Leaf(leaf) => self.leaf_has_point(leaf),
            Subtree::Sample(id) => self.is_on_side(id),
            Subtree::Inner(_) => false,
        }
    }

    fn leaf_has_point(&self, leaf: LeafId) -> bool {
        let mut ids = self.structure.listed(Subtree::Leaf(leaf));
        ids.any(|id| self.is_on_side(id))
    }

    #[inline]
    fn is_on_side(&self, id: SampleId) -> bool {
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

//! The online update: insert a sample (theory: "Insert x" in the crate's documentation).

use forest_core::{Points, SampleId};

use crate::change::expose::largest_difference;
use crate::change::work::{Memory, Work};
use crate::cuts::CutsBetween;
use crate::structure::Structure;
use crate::structure::boxes::Corners;
use crate::structure::boxes::has_box;
use crate::structure::node::{Leaf, LeafId, Node, Subtree, Turn};
use crate::walks::path::{Descent, birth_below, parent_below};
use crate::{CutDistribution, Joined, Update};

/// A cut that has the new sample on one side and all points of a node on the other, within the
/// node's life.
pub(crate) struct Separation<C> {
    /// The node's place on the path; behind the last inner node comes the leaf.
    level: usize,
    time: f64,
    cut: C,
}

/// What an insertion has changed.
pub(crate) struct Insertion {
    /// Number of inner nodes above the change: those whose points the sample joins.
    pub(crate) level: usize,
    /// Where the sample is.
    pub(crate) end: Joined,
    /// The sample that was alone, if a leaf was made of it for the two.
    pub(crate) made_of: Option<SampleId>,
    /// The leaf below the descent, which has still to be exposed.
    pub(crate) to_expose: Option<LeafId>,
}

/// A refuted candidate hits the points of a node within its life, so the number of them at a node is at
/// most Poisson with a mean that is exponential with mean 1: more than 100 come with probability 2⁻¹⁰⁰,
/// unless times were altered in a snapshot.
pub(crate) const CANDIDATES_PER_LEVEL: usize = 100;

impl<D: CutDistribution> Structure<D> {
    /// Inserts the sample `id` on its way down: above what it is separated from first, or into its leaf. The descent then
    /// leads to the leaf that has to be exposed.
    pub(crate) fn insert(
        &mut self,
        id: SampleId,
        descent: &mut Descent,
        work: &mut Work<'_>,
    ) -> Insertion {
        match self.first_separation(id, descent, work) {
            Some(separation) => self.insert_above(separation, id, descent, work),
            None => self.join(id, descent, work),
        }
    }

    /// Returns the cut that gives the sample a parent of its own, if one comes.
    fn first_separation(
        &mut self,
        id: SampleId,
        descent: &Descent,
        work: &mut Work<'_>,
    ) -> Option<Separation<D::Cut>> {
        let x = work.samples.features(id);
        let until = self.known_until(descent, id, work);
        let mut nearest = std::mem::take(&mut work.memory.nearest);
        let found = if self.nearest_of_box(descent.leaf, x, work.samples.points(), &mut nearest) {
            self.first_separation_from(&nearest, None, x, descent, until, work)
        } else {
            let witness = self.view().witness(descent.leaf);
            let (witness, others) = (work.samples.features(witness), descent.leaf.record());
            self.first_separation_from(witness, others, x, descent, until, work)
        };
        work.memory.nearest = nearest;
        found
    }

    /// Thins the cuts that separate `x` from its witness, a point of the leaf and so of every node
    /// on the path: the first that, at its time, has all points of the node then alive on the
    /// witness's side, before `until`. `others` is the leaf if points of it besides the witness may lie on the side of `x`.
    fn first_separation_from(
        &mut self,
        witness: &[f32],
        others: Option<LeafId>,
        x: &[f32],
        descent: &Descent,
        until: f64,
        work: &mut Work<'_>,
    ) -> Option<Separation<D::Cut>> {
        // One process from time 0 serves all nodes of the path: their lives do not overlap (docs/theory.md, theorem 1, step 2).
        let mut candidates = CutsBetween::new(&self.cuts, x, witness, 0.0);
        for _ in 0..CANDIDATES_PER_LEVEL * (descent.turns.len() + 1) {
            let (time, cut) = candidates.next(&mut self.cuts, until, work.rng)?;
            let level = descent.level_at(time);
            let Work {
                samples,
                memory: Memory { search, .. },
                ..
            } = work;
            // Nodes above `level` have points outside of the node that the candidate is for.
            let below = &descent.turns[level..];
            if !self.is_refuted(&cut, x, below, others, samples.points(), search) {
                return Some(Separation { level, time, cut });
            }
            // A distribution that stores normals uses this one's place for the next candidate.
            self.cuts.release(&cut);
        }
        None
    }

    /// Returns the time up to which it is known which cuts separate points of the leaf: its birth if they
    /// may not be cut, or if the redrawing update redraws it; the budget if no cut ever does.
    fn known_until(&self, descent: &Descent, id: SampleId, work: &Work<'_>) -> f64 {
        let birth = || birth_below(&descent.turns);
        let Subtree::Leaf(leaf) = descent.leaf else {
            // One point has no cuts between points: the cut between it and `x` is drawn by `join_sample`.
            return birth();
        };
        let leaf = &self.leaves[leaf];
        match work.rules.update {
            // Cuts after e are cuts of the leaf with `x` in it: `expose` draws them.
            Update::Conditional => leaf.exposed,
            // The points of the leaf stay together, so only cuts that part `x` from all of them come, up to the budget.
            Update::NewPointOnly if may_cut_off(leaf, id, work) => self.budget,
            Update::NewPointOnly | Update::Redraw => birth(),
        }
    }

    /// Puts a new parent in the place of what is at that level and gives the sample a leaf of its own.
    fn insert_above(
        &mut self,
        separation: Separation<D::Cut>,
        id: SampleId,
        descent: &mut Descent,
        work: &Work<'_>,
    ) -> Insertion {
        let Separation { level, time, cut } = separation;
        let sibling = descent.at(level);
        let side = self.cuts.side(&cut, work.samples.features(id));
        let node = Node::new(time, cut, side, Subtree::Sample(id), sibling);
        let node = self.nodes.insert(node);
        self.set_child(parent_below(&descent.turns[..level]), Subtree::Inner(node));
        descent.turns.truncate(level);
        // A sample exposes the leaf beside it, too: the budget may have grown since a sample was there.
        let side = side.opposite();
        descent.turns.push(Turn { node, time, side });
        Insertion {
            level,
            end: Joined::Alone {
                node,
                time,
                sibling,
            },
            made_of: None,
            to_expose: sibling.record(),
        }
    }

    /// Adds the sample to the points of all nodes on its path, and to its leaf.
    fn join(&mut self, id: SampleId, descent: &Descent, work: &mut Work<'_>) -> Insertion {
        let insertion = match descent.leaf {
            Subtree::Leaf(leaf) => {
                self.join_leaf(leaf, id, work);
                Insertion {
                    level: descent.turns.len(),
                    end: Joined::Leaf(leaf),
                    made_of: None,
                    to_expose: Some(leaf),
                }
            }
            Subtree::Sample(other) => self.join_sample([other, id], &descent.turns, work),
            Subtree::Inner(_) => unreachable!("a path ends in a leaf"),
        };
        if let (Some(leaf), Update::Redraw) = (insertion.to_expose, work.rules.update) {
            // Algorithm 4 of Fan et al., lines 4 to 6: the whole remaining budget is drawn again.
            self.leaves[leaf].exposed = birth_below(&descent.turns);
        }
        insertion
    }

    /// Makes a leaf of two samples, unless a cut separates them at once: then no leaf is made.
    fn join_sample(
        &mut self,
        pair: [SampleId; 2],
        turns: &[Turn],
        work: &mut Work<'_>,
    ) -> Insertion {
        let [a, b] = pair.map(|id| work.samples.features(id));
        let mixed = work.samples.differ(&pair);
        let (parent, birth) = (parent_below(turns), birth_below(turns));
        let mut exposed = birth;
        if work.rules.may_cut(2, mixed) {
            // Drawn before a record is made: under an infinite budget any two different points are parted, and need none.
            let mut cuts = CutsBetween::new(&self.cuts, a, b, birth);
            if let Some((time, cut)) = cuts.next(&mut self.cuts, self.budget, work.rng) {
                let side = self.cuts.side(&cut, a);
                let [sibling, alone] = pair.map(Subtree::Sample);
                let node = Node::new(time, cut, side, sibling, alone);
                let node = self.nodes.insert(node);
                self.set_child(parent, Subtree::Inner(node));
                return Insertion {
                    level: turns.len(),
                    end: Joined::Alone {
                        node,
                        time,
                        sibling,
                    },
                    made_of: None,
                    to_expose: None,
                };
            }
            exposed = birth.max(self.budget);
        }
        let leaf = self.record_of(&pair, exposed, mixed);
        self.set_child(parent, Subtree::Leaf(leaf));
        Insertion {
            level: turns.len(),
            end: Joined::Leaf(leaf),
            made_of: Some(pair[0]),
            to_expose: Some(leaf),
        }
    }

    fn join_leaf(&mut self, id: LeafId, sample: SampleId, work: &Work<'_>) {
        let samples = &work.samples;
        let leaf: &mut Leaf = &mut self.leaves[id];
        // A list grows at its front: its end is not looked for.
        let mut first = Some(leaf.first);
        self.links.push(sample, &mut first);
        leaf.first = sample;
        leaf.points += 1;
        // While the leaf is not mixed all its targets are that of the center.
        leaf.mixed = leaf.mixed || samples.differ(&[sample, leaf.center]);
        let (x, center) = (samples.features(sample), samples.features(leaf.center));
        // Extended, not measured: a smaller cube would take a pass over the points.
        leaf.radius = leaf.radius.max(largest_difference(x, center));
        self.cache.boxes.extend(id, x);
    }
}

/// Returns whether the points of the leaf and the sample `id` may be cut.
fn may_cut_off(leaf: &Leaf, id: SampleId, work: &Work<'_>) -> bool {
    // A leaf that is not mixed has one target: any of its points has it.
    let mixed = leaf.mixed || work.samples.differ(&[id, leaf.center]);
    // The set that would be cut: the leaf together with the sample.
    work.rules.may_cut(leaf.points + 1, mixed)
}

impl<D: CutDistribution> Structure<D> {
    /// Overwrites `point` with the point of a leaf's box that is nearest to `x`; whether the leaf has one.
    ///
    /// This is a witness, although no sample: an axis-aligned cut has it on the side of `x` just if it has a point of
    /// the leaf there.
    #[inline]
    pub(crate) fn nearest_of_box(
        &mut self,
        leaf: Subtree,
        x: &[f32],
        samples: Points<'_>,
        point: &mut Vec<f32>,
    ) -> bool {
        let Subtree::Leaf(id) = leaf else {
            return false;
        };
        let leaf = &self.leaves[id];
        if !has_box::<D>(leaf, x.len()) {
            return false;
        }
        let boxes = &mut self.cache.boxes;
        if boxes.get(id).is_none() {
            let points = self.links.list(leaf.first).map(|id| samples.features(id));
            boxes.measure(id, points, x.len());
        }
        let corners = boxes.get(id).expect("it was measured");
        Corners::nearest(x, corners, point);
        true
    }
}

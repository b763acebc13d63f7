//! The online update: insert a sample (theory: "Insert x" in the crate's documentation).

use forest_core::SampleId;

use crate::candidates::CutsBetween;
use crate::expose::largest_difference;
use crate::node::{Leaf, LeafId, Node, Parent, Subtree, Turn};
use crate::path::steps;
use crate::tree::Work;
use crate::{CutDistribution, Joined, LabelModel, TessellationTree, Update};

/// A cut that has the new sample on one side and all points of a node on the other, within the
/// node's life.
struct Separation<C> {
    /// The node's place on the path; behind the last inner node comes the leaf.
    level: usize,
    time: f64,
    cut: C,
}

/// A refuted candidate hits the points of a node within its life, so the number of them at a node is at
/// most Poisson with a mean that is exponential with mean 1: more than 100 come with probability 2⁻¹⁰⁰,
/// unless times were altered in a snapshot.
pub(crate) const CANDIDATES_PER_LEVEL: usize = 100;

impl<D: CutDistribution, L: LabelModel> TessellationTree<D, L> {
    /// Inserts the sample `id`, which the tree does not hold.
    pub(crate) fn insert(&mut self, id: SampleId, work: &mut Work<'_, D, L>) {
        self.links.add(id);
        self.held += 1;
        let x = work.samples.features(id);
        let Some(leaf) = self.path_to(id, x) else {
            return self.set_child(None, Subtree::Sample(id));
        };
        let separation = self.first_separation(id, leaf, work);
        let path = &self.scratch.path;
        // A sample that joins its leaf changes what hangs below the last inner node of its path.
        let level = separation.as_ref().map_or(path.len(), |found| found.level);
        let changed = self.parent_at(level);
        match separation {
            Some(separation) => self.insert_above(separation, leaf, id, work),
            None => self.join(leaf, id, work),
        }
        self.walk_again(level, changed, work.samples);
    }

    /// The leaf that `x` falls into; notes the path there.
    pub(crate) fn walk_down(&mut self, x: &[f32]) -> Option<Subtree> {
        let root = self.root?;
        let mut turns = std::mem::take(&mut self.scratch.path);
        turns.clear();
        let leaf = self.structure().note(root, x, &mut turns);
        self.scratch.path = turns;
        Some(leaf)
    }

    /// The cut that gives `x` a parent of its own, if one comes.
    fn first_separation(
        &mut self,
        id: SampleId,
        leaf: Subtree,
        work: &mut Work<'_, D, L>,
    ) -> Option<Separation<D::Cut>> {
        let x = work.samples.features(id);
        let until = self.known_until(leaf, id, work);
        let mut nearest = std::mem::take(&mut self.scratch.nearest);
        let found = if self.nearest_of_box(leaf, x, work.samples, &mut nearest) {
            self.first_separation_from(&nearest, None, x, until, work)
        } else {
            let witness = work.samples.features(self.structure().witness(leaf));
            self.first_separation_from(witness, leaf.record(), x, until, work)
        };
        self.scratch.nearest = nearest;
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
        until: f64,
        work: &mut Work<'_, D, L>,
    ) -> Option<Separation<D::Cut>> {
        // One process from time 0 serves all nodes of the path: their lives do not overlap (docs/theory.md, theorem 1, step 2).
        let mut candidates = CutsBetween::new(&self.cuts, x, witness, 0.0);
        for _ in 0..CANDIDATES_PER_LEVEL * (self.scratch.path.len() + 1) {
            let (time, cut) = candidates.next(&mut self.cuts, until, work.rng)?;
            let level = self.level_at(time);
            self.scratch.counts.candidates += 1;
            if !self.is_refuted(&cut, x, level, others, work.samples) {
                return Some(Separation { level, time, cut });
            }
            // A distribution that stores normals uses this one's place for the next candidate.
            self.cuts.release(&cut);
        }
        None
    }

    /// The time up to which it is known which cuts separate points of the leaf: its birth if they
    /// may not be cut, or if the redrawing update draws it anew; the budget if no cut ever does.
    fn known_until(&self, leaf: Subtree, id: SampleId, work: &Work<'_, D, L>) -> f64 {
        let birth = || self.birth_below(self.scratch.path.len());
        let Subtree::Leaf(leaf) = leaf else {
            // One point has no cuts between points: the cut between it and `x` is drawn by `join_sample`.
            return birth();
        };
        let leaf = &self.leaves[leaf];
        match work.settings.update {
            // Cuts after e are cuts of the leaf with `x` in it: `expose` draws them.
            Update::Conditional => leaf.exposed,
            // The points of the leaf stay together, so only cuts that part `x` from all of them come, up to the budget.
            Update::NewPointOnly if Self::may_cut_off(leaf, id, work) => self.budget,
            Update::NewPointOnly | Update::Redraw => birth(),
        }
    }

    /// Whether the points of the leaf and the sample `id` may be cut.
    fn may_cut_off(leaf: &Leaf, id: SampleId, work: &Work<'_, D, L>) -> bool {
        // A leaf that is not mixed has one target: any of its points tells it.
        let [target, of_leaf] = [id, leaf.center].map(|id| work.samples.target(id));
        let mixed = leaf.mixed || target != of_leaf;
        // The set that would be cut: the leaf together with the sample.
        work.settings.may_cut(leaf.points + 1, mixed)
    }

    /// The birth of what comes at `level` of the path: the cut time of the node above it.
    pub(crate) fn birth_below(&self, level: usize) -> f64 {
        let above = level.checked_sub(1).map(|level| self.scratch.path[level]);
        above.map_or(0.0, |turn| turn.time)
    }

    /// Where on the path the node is that lives at `time`.
    #[inline]
    fn level_at(&self, time: f64) -> usize {
        let path = &self.scratch.path;
        // Times increase down the path, and a node lives until just before its cut.
        path.partition_point(|turn| turn.time <= time)
    }

    /// Where what comes at `level` of the path hangs.
    pub(crate) fn parent_at(&self, level: usize) -> Parent {
        let above = level.checked_sub(1).map(|level| self.scratch.path[level]);
        above.map(|turn| (turn.node, turn.side))
    }

    /// A new parent takes the place of what is at that level; the sample gets a leaf of its own.
    fn insert_above(
        &mut self,
        separation: Separation<D::Cut>,
        leaf: Subtree,
        id: SampleId,
        work: &mut Work<'_, D, L>,
    ) {
        let Separation { level, time, cut } = separation;
        let old = self.scratch.path.get(level);
        let old = old.map_or(leaf, |turn| Subtree::Inner(turn.node));
        let side = self.cuts.side(&cut, work.samples.features(id));
        let node = Node::new(time, cut, side, Subtree::Sample(id), old);
        let node = self.nodes.insert(node);
        self.set_child(self.parent_at(level), Subtree::Inner(node));
        // The label model is given the path above the new parent.
        self.scratch.path.truncate(level);
        let sibling = old;
        let end = Joined::Alone {
            node,
            time,
            sibling,
        };
        self.joined(end, id, work);
        // A sample exposes the leaf beside it, too: the budget may have grown since a sample was there.
        if let Subtree::Leaf(leaf) = old {
            let side = side.opposite();
            self.scratch.path.push(Turn { node, time, side });
            self.expose_unless_kept_whole(leaf, work);
        }
    }

    /// Tells the label model.
    fn joined(&mut self, end: Joined, id: SampleId, work: &Work<'_, D, L>) {
        let path = steps(&self.nodes, &self.scratch.path);
        self.labels.joined(path, end, id, work.labels());
    }

    /// The sample joins the points of all nodes on its path, and its leaf is exposed to the budget.
    fn join(&mut self, leaf: Subtree, id: SampleId, work: &mut Work<'_, D, L>) {
        let level = self.scratch.path.len();
        let (parent, birth) = (self.parent_at(level), self.birth_below(level));
        let leaf = match leaf {
            Subtree::Leaf(leaf) => {
                self.join_leaf(leaf, id, work);
                leaf
            }
            Subtree::Sample(other) => match self.join_sample(parent, birth, [other, id], work) {
                Some(leaf) => leaf,
                None => return,
            },
            Subtree::Inner(_) => unreachable!("a path ends in a leaf"),
        };
        if work.settings.update == Update::Redraw {
            // Algorithm 4 of Fan et al., lines 4 to 6: the whole remaining budget is drawn again.
            self.leaves[leaf].exposed = birth;
        }
        self.expose_unless_kept_whole(leaf, work);
    }

    /// Exposes a leaf below the path to the budget, unless its points stay together.
    pub(crate) fn expose_unless_kept_whole(&mut self, leaf: LeafId, work: &mut Work<'_, D, L>) {
        if work.settings.update != Update::NewPointOnly {
            return self.expose(leaf, work);
        }
        let birth = self.birth_below(self.scratch.path.len());
        // A new parent may come as late as the budget, after the time up to which this leaf was known.
        let exposed = &mut self.leaves[leaf].exposed;
        *exposed = exposed.max(birth);
    }

    /// Two samples make a leaf, unless a cut separates them at once: then no leaf is made.
    fn join_sample(
        &mut self,
        parent: Parent,
        birth: f64,
        pair: [SampleId; 2],
        work: &mut Work<'_, D, L>,
    ) -> Option<LeafId> {
        let [a, b] = pair.map(|id| work.samples.features(id));
        let [target, other] = pair.map(|id| work.samples.target(id));
        let mut exposed = birth;
        if work.settings.may_cut(2, target != other) {
            // Drawn before a record is made: under an infinite budget any two different points are parted, and need none.
            let mut cuts = CutsBetween::new(&self.cuts, a, b, birth);
            if let Some((time, cut)) = cuts.next(&mut self.cuts, self.budget, work.rng) {
                let side = self.cuts.side(&cut, a);
                let [sibling, alone] = pair.map(Subtree::Sample);
                let node = self
                    .nodes
                    .insert(Node::new(time, cut, side, sibling, alone));
                self.set_child(parent, Subtree::Inner(node));
                let end = Joined::Alone {
                    node,
                    time,
                    sibling,
                };
                self.joined(end, pair[1], work);
                return None;
            }
            exposed = birth.max(self.budget);
        }
        let leaf = self.record_of(&pair, exposed, target != other);
        // `joined` tells the second sample, as it does for a leaf that was there before.
        let first = std::iter::once(pair[0]);
        self.labels.leaf_made(leaf, first, work.labels());
        self.set_child(parent, Subtree::Leaf(leaf));
        self.joined(Joined::Leaf(leaf), pair[1], work);
        Some(leaf)
    }

    fn join_leaf(&mut self, id: LeafId, sample: SampleId, work: &Work<'_, D, L>) {
        let samples = work.samples;
        let leaf: &mut Leaf = &mut self.leaves[id];
        // A list grows at its front: its end is not looked for.
        let mut first = Some(leaf.first);
        self.links.push(sample, &mut first);
        leaf.first = sample;
        leaf.points += 1;
        // While the leaf is not mixed all its targets are that of the center.
        leaf.mixed |= samples.target(sample) != samples.target(leaf.center);
        let (x, center) = (samples.features(sample), samples.features(leaf.center));
        // Extended, not measured: a smaller cube would take a pass over the points.
        leaf.radius = leaf.radius.max(largest_difference(x, center));
        self.scratch.boxes.extend(id, x);
        self.joined(Joined::Leaf(id), sample, work);
    }
}

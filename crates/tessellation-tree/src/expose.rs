//! Expose a leaf to the budget: the one primitive that draws cuts between points of a leaf.

use forest_core::{SampleId, SampleStore, TreeRng};

use crate::candidates::{CutsBetween, waiting_time};
use crate::node::{Leaf, LeafId, Node, Subtree};
use crate::scratch::Scratch;
use crate::tree::{Parent, Work};
use crate::{CutDistribution, LabelModel, Side, TessellationTree};

/// After so many candidates a feature in a row that hit the bounding box of a leaf but separate none
/// of its points, the points count as inseparable. A candidate of any distribution separates points
/// with a probability of about 1/d or more, so that only rounding makes this happen.
const MISSES_PER_FEATURE: usize = 64;

impl<D: CutDistribution, L: LabelModel> TessellationTree<D, L> {
    /// Draws everything that happens to `leaf`, and to the leaves it is cut into, up to the budget.
    pub(crate) fn expose(&mut self, parent: Parent, leaf: LeafId, work: &mut Work<'_, D, L>) {
        let mut waiting = std::mem::take(&mut self.scratch.leaves);
        waiting.push((parent, leaf));
        while let Some((parent, leaf)) = waiting.pop() {
            let Leaf { points, mixed, .. } = self.leaves[leaf];
            if !work.settings.may_cut(points, mixed) {
                continue;
            }
            let Some(first_cut) = self.first_cut(leaf, work) else {
                let exposed = &mut self.leaves[leaf].exposed;
                *exposed = exposed.max(self.budget);
                continue;
            };
            let node = self.split(parent, leaf, first_cut, work.samples);
            for side in [Side::Right, Side::Left] {
                if let Subtree::Leaf(leaf) = self.nodes[node].child(side) {
                    waiting.push((Some((node, side)), leaf));
                }
            }
        }
        self.scratch.leaves = waiting;
    }

    /// The first cut between points of the leaf after the time it is exposed to, within the budget.
    fn first_cut(&mut self, leaf: LeafId, work: &mut Work<'_, D, L>) -> Option<(f64, D::Cut)> {
        let Leaf {
            exposed,
            first,
            points,
            ..
        } = self.leaves[leaf];
        if exposed >= self.budget {
            return None;
        }
        if points > 2 {
            return self.first_cut_of_many(leaf, work.samples, work.rng);
        }
        let other = self.links.next(first)?;
        let (a, b) = (work.samples.features(first), work.samples.features(other));
        let mut cuts = CutsBetween::new(&self.cuts, a, b, exposed);
        cuts.next(&mut self.cuts, self.budget, work.rng)
    }

    /// The same for more than two points: candidates hit their bounding box.
    ///
    /// Before the points are looked at, candidates hit a cube around them, which is kept with the
    /// leaf: a leaf that is often visited by a slowly increasing budget is seldom looked at.
    fn first_cut_of_many(
        &mut self,
        leaf: LeafId,
        samples: &SampleStore<L::Task>,
        rng: &mut TreeRng,
    ) -> Option<(f64, D::Cut)> {
        let Leaf {
            exposed, radius, ..
        } = self.leaves[leaf];
        let bound = 2.0 * f64::from(radius) * self.unit_rate(samples.width());
        let mut time = exposed + waiting_time(bound, rng);
        if time >= self.budget {
            return None;
        }
        self.measure(leaf, samples);
        let rate = self
            .cuts
            .rate_within(&self.scratch.lower, &self.scratch.upper);
        // A candidate for the cube is one for the box with this probability. (With an infinite bound
        // no time has passed, and it is none.)
        let mut hits = rng.uniform() * bound < rate;
        for _ in 0..MISSES_PER_FEATURE * samples.width() {
            let cut = hits.then(|| self.draw_within_box(rate, rng)).flatten();
            if let Some(cut) = cut {
                if self.separates(&cut, leaf, samples) {
                    return Some((time, cut));
                }
                self.cuts.release(&cut);
            }
            time += waiting_time(rate, rng);
            if time >= self.budget {
                return None;
            }
            hits = true;
        }
        None
    }

    fn draw_within_box(&mut self, rate: f64, rng: &mut TreeRng) -> Option<D::Cut> {
        let Scratch { lower, upper, .. } = &self.scratch;
        self.cuts.draw_within(lower, upper, rate, rng)
    }

    /// Rate of the candidates that hit a cube of side 1.
    fn unit_rate(&mut self, features: usize) -> f64 {
        let cuts = &self.cuts;
        let rate = || cuts.rate_within(&vec![0.0; features], &vec![1.0; features]);
        *self.scratch.unit_rate.get_or_insert_with(rate)
    }

    /// Finds the bounding box of the leaf's points, and the cube around it.
    fn measure(&mut self, leaf: LeafId, samples: &SampleStore<L::Task>) {
        let Leaf { center, first, .. } = self.leaves[leaf];
        let center = samples.features(center);
        let (lower, upper) = (&mut self.scratch.lower, &mut self.scratch.upper);
        for corner in [&mut *lower, &mut *upper] {
            corner.clear();
            corner.extend_from_slice(center);
        }
        let mut next = Some(first);
        while let Some(id) = next {
            extend_box(lower, upper, samples.features(id));
            next = self.links.next(id);
        }
        let radius = largest_difference(upper, center).max(largest_difference(lower, center));
        self.leaves[leaf].radius = radius;
    }

    fn separates(&self, cut: &D::Cut, leaf: LeafId, samples: &SampleStore<L::Task>) -> bool {
        let side = |id| self.cuts.side(cut, samples.features(id));
        let first = self.leaves[leaf].first;
        let of_first = side(first);
        self.links.list(first).any(|id| side(id) != of_first)
    }

    /// Cuts `leaf` into two, born at that time. Costs a pass over its points.
    fn split(
        &mut self,
        parent: Parent,
        leaf: LeafId,
        (time, cut): (f64, D::Cut),
        samples: &SampleStore<L::Task>,
    ) -> crate::NodeId {
        let mut sides = std::mem::take(&mut self.scratch.sides);
        sides.iter_mut().for_each(Vec::clear);
        for id in self.links.list(self.leaves[leaf].first) {
            let side = self.cuts.side(&cut, samples.features(id));
            sides[side as usize].push(id);
        }
        let [left, right] = [0, 1].map(|side| self.side_of_split(&sides[side], time, samples));
        let node = self
            .nodes
            .insert(Node::new(time, cut, Side::Left, left, right));
        self.labels.node_made(node, Subtree::Leaf(leaf), samples);
        self.remove_leaf(leaf);
        self.set_child(parent, Subtree::Inner(node));
        self.scratch.sides = sides;
        node
    }

    fn side_of_split(
        &mut self,
        ids: &[SampleId],
        birth: f64,
        samples: &SampleStore<L::Task>,
    ) -> Subtree {
        if let [alone] = *ids {
            self.links.isolate(alone);
        }
        let side = self.leaf_of(ids, birth, samples);
        side.expect("a cut has points on both sides")
    }
}

/// At least the largest |aᵢ − bᵢ|.
pub(crate) fn largest_difference(a: &[f32], b: &[f32]) -> f32 {
    let differences = a.iter().zip(b).map(|(a, b)| (a - b).abs());
    // The subtraction may have rounded down.
    differences.fold(0.0, f32::max).next_up()
}

fn extend_box(lower: &mut [f32], upper: &mut [f32], x: &[f32]) {
    for ((low, high), &x) in lower.iter_mut().zip(upper).zip(x) {
        *low = low.min(x);
        *high = high.max(x);
    }
}

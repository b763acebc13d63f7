//! Expose a leaf to the budget: the one primitive that draws cuts between points of a leaf.

use std::ops::Range;

use forest_core::{Points, SampleId};

use crate::cuts::{CutsBetween, waiting_time};
use crate::learn::largest_difference;
use crate::structure::Structure;
use crate::structure::node::{
    Leaf, LeafId, Node, NodeId, Step, Subtree, birth_below, parent_below,
};
use crate::structure::work::{Made, Part, Scratch, Work};
use crate::{CutDistribution, Side, Update};

/// After this number of candidates a feature in a row that hit the bounding box of a leaf but separate none
/// of its points, the points count as inseparable. A candidate of any distribution separates points
/// with a probability of about 1/d or more, so that only rounding makes this happen.
pub const MISSES_PER_FEATURE: usize = 64;

/// Where the search for the first cut between some points begins.
#[derive(Clone, Copy, Debug)]
struct Start {
    time: f64,
    /// If there is a rate, that of the candidates that hit a cube around the points: one of them comes at this time.
    cube_rate: Option<f64>,
}

impl<D: CutDistribution> Structure<D> {
    /// Exposes a leaf to the budget, unless its points stay together. Returns the node that has taken the leaf's place
    /// if it was cut; `Scratch::made` then lists everything that was made of the leaf.
    pub(crate) fn expose(
        &mut self,
        leaf: LeafId,
        steps: &[Step],
        work: &mut Work<'_>,
    ) -> Option<NodeId> {
        if work.settings.update != Update::NewPointOnly {
            return self.draw_cuts(leaf, steps, work);
        }
        // A new parent may come as late as the budget, after the time up to which this leaf was known.
        let exposed = &mut self.leaves[leaf.index()].exposed;
        *exposed = exposed.max(birth_below(steps));
        None
    }

    /// Draws the cuts of a leaf below these steps, and of what it is cut into, up to the budget.
    pub(crate) fn draw_cuts(
        &mut self,
        id: LeafId,
        steps: &[Step],
        work: &mut Work<'_>,
    ) -> Option<NodeId> {
        let leaf = *self.leaf(id);
        // A tree without room becomes full when this sample is done: what it has no nodes for stays whole.
        let splittable = work.settings.splittable(leaf.points, leaf.mixed);
        if leaf.exposed >= self.budget || !splittable || !self.has_room(work.settings) {
            return None;
        }
        let Some(start) = self.first_hit_of_cube(&leaf, work) else {
            // No candidate hits the cube, so no cut hits the points: nothing else has to be read.
            self.leaves[id.index()].exposed = self.budget;
            return None;
        };
        self.scratch.ids.clear();
        self.scratch.ids.extend(self.links.list(leaf.first));
        self.scratch.made.clear();
        let all = 0..leaf.points as usize;
        let Some((time, cut)) = self.first_cut(all.clone(), start, work) else {
            // The points were measured anyway: the cube becomes as small as they allow.
            let radius = self.radius_of(all, work.points);
            let leaf = &mut self.leaves[id.index()];
            leaf.exposed = self.budget;
            leaf.center = self.scratch.ids[0];
            leaf.radius = radius;
            return None;
        };
        // First, so that its record makes room for those of the leaves below.
        self.remove_leaf(id);
        let whole = Part {
            parent: parent_below(steps),
            birth: leaf.exposed,
            ids: all,
        };
        let top = self.cut(whole, time, cut, work.points);
        self.expose_parts(work);
        Some(top)
    }

    /// Draws the first candidate that hits the cube around the points of a leaf, whose size is kept: so a leaf that is
    /// often visited is seldom looked at. `None` if it comes after the budget.
    fn first_hit_of_cube(&mut self, leaf: &Leaf, work: &mut Work<'_>) -> Option<Start> {
        // Two points are cut at the exact rate ρ without a box; a leaf without a radius is yet to be measured.
        if leaf.points == 2 || leaf.radius == f32::INFINITY {
            return Some(Start {
                time: leaf.exposed,
                cube_rate: None,
            });
        }
        let unit_rate = *self.scratch.unit_rate.get_or_insert_with(|| {
            let features = work.points.width();
            self.cuts
                .rate_within(&vec![0.0; features], &vec![1.0; features])
        });
        // Rates are proportional to length: the side of the cube times the rate of the unit cube.
        let rate = 2.0 * f64::from(leaf.radius) * unit_rate;
        let time = leaf.exposed + waiting_time(rate, work.rng);
        let cube_rate = Some(rate);
        (time < self.budget).then_some(Start { time, cube_rate })
    }

    /// Exposes the parts that wait: cuts each, or makes a leaf of it.
    fn expose_parts(&mut self, work: &mut Work<'_>) {
        // A stack, not recursion: as many cuts as there are points may hang in one chain.
        while let Some(part) = self.scratch.parts.pop() {
            let points = &self.scratch.ids[part.ids.clone()];
            if let [alone] = *points {
                // Its links are still those of the leaf that was cut.
                self.links.isolate(alone);
                self.set_child(part.parent, Subtree::Sample(alone));
                continue;
            }
            let mixed = work.differ(points);
            let splittable = work.settings.splittable(points.len() as u32, mixed);
            // What may not be cut was exposed to nothing: e = t₀.
            let mut exposed = part.birth;
            let mut radius = f32::INFINITY;
            if splittable && self.has_room(work.settings) {
                let start = Start {
                    time: part.birth,
                    cube_rate: None,
                };
                if let Some((time, cut)) = self.first_cut(part.ids.clone(), start, work) {
                    self.cut(part, time, cut, work.points);
                    continue;
                }
                exposed = self.budget;
                // `first_cut` has just measured these points, if they are more than two.
                radius = self.radius_of(part.ids.clone(), work.points);
            }
            let ids = std::mem::take(&mut self.scratch.ids);
            let points = &ids[part.ids.clone()];
            let leaf = self.record_of(points, exposed, mixed);
            self.leaves[leaf.index()].center = points[0];
            self.leaves[leaf.index()].radius = radius;
            self.scratch.ids = ids;
            self.set_child(part.parent, Subtree::Leaf(leaf));
            self.scratch.made.push(Made {
                subtree: Subtree::Leaf(leaf),
                ids: part.ids,
                left: 0,
            });
        }
    }

    /// Makes an inner node of a part; its two sides are parts that wait.
    fn cut(&mut self, part: Part, time: f64, cut: D::Cut, samples: Points<'_>) -> NodeId {
        let Range { start, end } = part.ids;
        let points = &mut self.scratch.ids[start..end];
        let mut left = 0;
        // By the `side` that also sends points down, so that a stored cut never contradicts its points.
        for place in 0..points.len() {
            if self.cuts.side(&cut, samples.features(points[place])) == Side::Left {
                // Order is not kept; a label model that needs the order of arrival sorts (`Aggregated::log_weight`).
                points.swap(left, place);
                left += 1;
            }
        }
        // The children are set when their parts are exposed.
        let later = Subtree::Sample(points[0]);
        let node = Node::new(time, cut, Side::Left, later, later);
        let node = self.insert_node(part.parent, node);
        self.scratch.made.push(Made {
            subtree: Subtree::Inner(node),
            ids: start..end,
            left,
        });
        // The left side is taken from the stack first: the order of draws is part of what a seed stands for.
        let middle = start + left;
        for (side, ids) in [(Side::Right, middle..end), (Side::Left, start..middle)] {
            self.scratch.parts.push(Part {
                parent: Some((node, side)),
                birth: time,
                ids,
            });
        }
        node
    }

    /// Returns the first cut between these points, two or more, within the budget.
    fn first_cut(
        &mut self,
        range: Range<usize>,
        start: Start,
        work: &mut Work<'_>,
    ) -> Option<(f64, D::Cut)> {
        let points = work.points;
        if let &[a, b] = &self.scratch.ids[range.clone()] {
            return self.first_between([a, b].map(|id| points.features(id)), start.time, work);
        }
        let Scratch {
            ids, lower, upper, ..
        } = &mut self.scratch;
        let ids = &ids[range];
        measure(ids, points, lower, upper);
        let rate = self.cuts.rate_within(lower, upper);
        let mut time = start.time;
        // A candidate for the cube is one for the box with this probability.
        let mut hits = start
            .cube_rate
            .is_some_and(|of_cube| work.rng.uniform() * of_cube < rate);
        for _ in 0..MISSES_PER_FEATURE * points.width() {
            if hits && let Some(cut) = self.cuts.draw_within([lower, upper], rate, work.rng) {
                let side = |id| self.cuts.side(&cut, points.features(id));
                let of_first = side(ids[0]);
                if ids.iter().any(|&id| side(id) != of_first) {
                    return Some((time, cut));
                }
                self.cuts.release(&cut);
            }
            time += waiting_time(rate, work.rng);
            if time >= self.budget {
                return None;
            }
            // From here on candidates come at the rate of the box, not of the cube.
            hits = true;
        }
        None
    }

    /// Returns the first cut between two points within the budget.
    // One copy of what is inlined where each sample comes: with three, `obsp` waits for instructions.
    #[inline(never)]
    pub(crate) fn first_between(
        &mut self,
        [a, b]: [&[f32]; 2],
        from: f64,
        work: &mut Work<'_>,
    ) -> Option<(f64, D::Cut)> {
        let mut cuts = CutsBetween::new(&self.cuts, a, b, from);
        cuts.next(&mut self.cuts, self.budget, work.rng)
    }

    /// Returns half the side of a cube around the first of these points, just measured; two need none.
    fn radius_of(&self, range: Range<usize>, samples: Points<'_>) -> f32 {
        if range.len() == 2 {
            return f32::INFINITY;
        }
        let center = samples.features(self.scratch.ids[range.start]);
        let below = largest_difference(&self.scratch.lower, center);
        below.max(largest_difference(&self.scratch.upper, center))
    }
}

/// Finds the bounding box of points.
fn measure(ids: &[SampleId], samples: Points<'_>, lower: &mut Vec<f32>, upper: &mut Vec<f32>) {
    for corner in [&mut *lower, &mut *upper] {
        corner.clear();
        corner.extend_from_slice(samples.features(ids[0]));
    }
    for &id in &ids[1..] {
        extend_box(lower, upper, samples.features(id));
    }
}

// A call of its own: the compiler then knows that the corners do not overlap, and uses vector instructions.
#[inline(never)]
fn extend_box(lower: &mut [f32], upper: &mut [f32], x: &[f32]) {
    for ((low, high), &x) in lower.iter_mut().zip(upper).zip(x) {
        *low = low.min(x);
        *high = high.max(x);
    }
}

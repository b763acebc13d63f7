//! Expose a leaf to the budget: the one primitive that draws cuts between points of a leaf.

use std::ops::Range;

use forest_core::{Points, SampleId, TreeRng};

use crate::change::division::{Division, Part};
use crate::change::work::Work;
use crate::cuts::{CutsBetween, waiting_time};
use crate::structure::Structure;
use crate::structure::node::{Leaf, LeafId, Node, NodeId, Subtree, Turn};
use crate::walks::path::{birth_below, parent_below};
use crate::{CutDistribution, Side, Update};

/// After this number of candidates a feature in a row that hit the bounding box of a leaf but separate none
/// of its points, the points count as inseparable. A candidate of any distribution separates points
/// with a probability of about 1/d or more, so that only rounding makes this happen.
pub const MISSES_PER_FEATURE: usize = 64;

/// The time from which cuts between points are drawn. If `bound` is given, a candidate that hits a cube
/// around the points, at this rate, comes just then.
#[derive(Clone, Copy, Debug)]
struct Start {
    time: f64,
    bound: Option<f64>,
}

/// Corners of a bounding box.
type Bounds<'a> = [&'a mut Vec<f32>; 2];

impl<D: CutDistribution> Structure<D> {
    /// Exposes a leaf below these turns to the budget, unless its points stay together. If it is cut, the division in memory
    /// has what it becomes, and the node of all its points is returned.
    pub(crate) fn expose(
        &mut self,
        leaf: LeafId,
        turns: &[Turn],
        work: &mut Work<'_>,
    ) -> Option<NodeId> {
        if work.rules.update != Update::NewPointOnly {
            return self.draw_cuts(leaf, turns, work);
        }
        // A new parent may come as late as the budget, after the time up to which this leaf was known.
        let exposed = &mut self.leaves[leaf].exposed;
        *exposed = exposed.max(birth_below(turns));
        None
    }

    /// Draws everything that happens to a leaf below these turns, and to the nodes it is cut into, up to the budget.
    pub(crate) fn draw_cuts(
        &mut self,
        leaf: LeafId,
        turns: &[Turn],
        work: &mut Work<'_>,
    ) -> Option<NodeId> {
        let Leaf {
            exposed,
            points,
            mixed,
            first,
            ..
        } = self.leaves[leaf];
        // A tree without room becomes full when this sample is done: what it has no nodes for stays whole.
        let may_cut = work.rules.may_cut(points, mixed) && self.has_room(&work.rules);
        if exposed >= self.budget || !may_cut {
            return None;
        }
        let Some(start) = self.first_hit_of_cube(leaf, work) else {
            // No candidate hits the cube, so no cut hits the points: nothing else has to be read.
            self.leaves[leaf].exposed = self.budget;
            return None;
        };
        work.memory.division.start(self.links.list(first));
        let all = 0..points as usize;
        let Some((time, cut)) = self.first_cut(all.clone(), start, work) else {
            // The points were measured anyway: the cube becomes as small as they allow.
            let division = &work.memory.division;
            let radius = radius_of(division, all, work.samples.points());
            let leaf = &mut self.leaves[leaf];
            (leaf.exposed, leaf.center, leaf.radius) = (self.budget, division.ids[0], radius);
            return None;
        };
        // First, so that its record makes room for those of the leaves below.
        self.remove_leaf(leaf);
        let part = Part {
            parent: parent_below(turns),
            range: all,
            birth: exposed,
        };
        self.cut_down(part, time, cut, work);
        Some(work.memory.division.top())
    }

    /// Before the points of a leaf are looked at, candidates hit a cube around them, whose size is kept
    /// with the leaf: one that is often visited by a slowly increasing budget is seldom looked at.
    /// `None` if no candidate comes within the budget.
    fn first_hit_of_cube(&mut self, leaf: LeafId, work: &mut Work<'_>) -> Option<Start> {
        let Leaf {
            exposed,
            radius,
            points,
            ..
        } = self.leaves[leaf];
        // Two points are cut at the exact rate ρ without a box; a leaf without a radius is yet to be measured.
        if points == 2 || radius == f32::INFINITY {
            return Some(Start {
                time: exposed,
                bound: None,
            });
        }
        // Rates are proportional to length: the side of the cube times the rate of the unit cube.
        let bound = 2.0 * f64::from(radius) * self.unit_rate(work.samples.width());
        let time = exposed + waiting_time(bound, work.rng);
        let start = Start {
            time,
            bound: Some(bound),
        };
        (time < self.budget).then_some(start)
    }

    /// Cuts the points of `part` by its first `cut`, and then the sides until the budget is reached.
    ///
    /// The points lie in one array, each node's side by side; leaves are made only of what is not cut.
    fn cut_down(&mut self, part: Part, time: f64, cut: D::Cut, work: &mut Work<'_>) {
        self.cut(part, time, cut, work);
        // A stack, not recursion: as many cuts as there are points may hang in one chain.
        while let Some(part) = work.memory.division.parts.pop() {
            let points = &work.memory.division.ids[part.range.clone()];
            if let [alone] = *points {
                // Its links are still those of the leaf that was cut.
                self.links.isolate(alone);
                self.set_child(part.parent, Subtree::Sample(alone));
                continue;
            }
            let mixed = work.samples.differ(points);
            // What may not be cut was exposed to nothing: e = t₀.
            let (mut exposed, mut radius) = (part.birth, f32::INFINITY);
            let may_cut = work.rules.may_cut(points.len() as u32, mixed);
            if may_cut && self.has_room(&work.rules) {
                let start = Start {
                    time: part.birth,
                    bound: None,
                };
                if let Some((time, cut)) = self.first_cut(part.range.clone(), start, work) {
                    self.cut(part, time, cut, work);
                    continue;
                }
                // `first_cut` has just measured these points, if they are more than two.
                let division = &work.memory.division;
                radius = radius_of(division, part.range.clone(), work.samples.points());
                exposed = self.budget;
            }
            let division = &mut work.memory.division;
            let points = &division.ids[part.range.clone()];
            let leaf = self.record_of(points, exposed, mixed);
            (self.leaves[leaf].center, self.leaves[leaf].radius) = (points[0], radius);
            self.set_child(part.parent, Subtree::Leaf(leaf));
            division.leaf_made(leaf, part.range);
        }
    }

    /// Makes an inner node of a part; its sides are the next parts.
    fn cut(&mut self, part: Part, time: f64, cut: D::Cut, work: &mut Work<'_>) {
        let (division, samples) = (&mut work.memory.division, work.samples.points());
        let points = &mut division.ids[part.range.clone()];
        // By the `side` that also sends points down, so that a stored cut never contradicts its points.
        let left = partition(points, |id| {
            self.cuts.side(&cut, samples.features(id)) == Side::Left
        });
        // The children are set when their parts are done.
        let later = Subtree::Sample(points[0]);
        let node = Node::new(time, cut, Side::Left, later, later);
        let node = self.nodes.insert(node);
        self.set_child(part.parent, Subtree::Inner(node));
        let Range { start, end } = part.range;
        division.node_made(node, start..end, left);
        // The left side is taken from the stack first: the order of draws is part of what a seed stands for.
        for (side, range) in [
            (Side::Right, start + left..end),
            (Side::Left, start..start + left),
        ] {
            division.parts.push(Part {
                parent: Some((node, side)),
                range,
                birth: time,
            });
        }
    }

    /// Returns the first cut between these points, two or more, within the budget. More than two are measured.
    fn first_cut(
        &mut self,
        range: Range<usize>,
        start: Start,
        work: &mut Work<'_>,
    ) -> Option<(f64, D::Cut)> {
        let Division {
            ids, lower, upper, ..
        } = &mut work.memory.division;
        let points = work.samples.points();
        let &[a, b] = &ids[range.clone()] else {
            return self.first_cut_of_many(&ids[range], start, [lower, upper], points, work.rng);
        };
        let (a, b) = (points.features(a), points.features(b));
        let mut cuts = CutsBetween::new(&self.cuts, a, b, start.time);
        cuts.next(&mut self.cuts, self.budget, work.rng)
    }

    /// The same for more than two points: candidates hit their bounding box.
    fn first_cut_of_many(
        &mut self,
        ids: &[SampleId],
        start: Start,
        [lower, upper]: Bounds<'_>,
        samples: Points<'_>,
        rng: &mut TreeRng,
    ) -> Option<(f64, D::Cut)> {
        measure(ids, samples, [lower, upper]);
        let rate = self.cuts.rate_within(lower, upper);
        let mut time = start.time;
        // A candidate for the cube is one for the box with this probability.
        let hits_box = |bound: f64| rng.uniform() * bound < rate;
        let mut hits = start.bound.is_some_and(hits_box);
        for _ in 0..MISSES_PER_FEATURE * samples.width() {
            let draw = || self.cuts.draw_within(lower, upper, rate, rng);
            if let Some(cut) = hits.then(draw).flatten() {
                if self.separates(&cut, ids, samples) {
                    return Some((time, cut));
                }
                self.cuts.release(&cut);
            }
            time += waiting_time(rate, rng);
            if time >= self.budget {
                return None;
            }
            // From here on candidates come at the rate of the box, not of the cube.
            hits = true;
        }
        None
    }

    /// Returns the rate of the candidates that hit a cube of side 1.
    fn unit_rate(&mut self, features: usize) -> f64 {
        let cuts = &self.cuts;
        let rate = || cuts.rate_within(&vec![0.0; features], &vec![1.0; features]);
        *self.cache.unit_rate.get_or_insert_with(rate)
    }

    fn separates(&self, cut: &D::Cut, ids: &[SampleId], samples: Points<'_>) -> bool {
        let side = |id| self.cuts.side(cut, samples.features(id));
        let of_first = side(ids[0]);
        ids.iter().any(|&id| side(id) != of_first)
    }
}

/// Finds the bounding box of points.
fn measure(ids: &[SampleId], samples: Points<'_>, [lower, upper]: Bounds<'_>) {
    for corner in [&mut *lower, &mut *upper] {
        corner.clear();
        corner.extend_from_slice(samples.features(ids[0]));
    }
    for &id in &ids[1..] {
        extend_box(lower, upper, samples.features(id));
    }
}

/// Returns half the side of a cube around the first of these points, whose box was just measured; two
/// points need none.
fn radius_of(division: &Division, range: Range<usize>, samples: Points<'_>) -> f32 {
    if range.len() == 2 {
        return f32::INFINITY;
    }
    let center = samples.features(division.ids[range.start]);
    let corners = [&division.lower, &division.upper];
    corners
        .map(|corner| largest_difference(corner, center))
        .into_iter()
        .fold(0.0, f32::max)
}

/// Brings those that lie left before the others; returns their number.
fn partition(ids: &mut [SampleId], is_left: impl Fn(SampleId) -> bool) -> usize {
    let mut left = 0;
    for place in 0..ids.len() {
        if is_left(ids[place]) {
            // Order is not kept; a label model that needs the order of arrival sorts (`Aggregated::log_weight`).
            ids.swap(left, place);
            left += 1;
        }
    }
    left
}

/// At least the largest |aᵢ − bᵢ|.
pub(crate) fn largest_difference(a: &[f32], b: &[f32]) -> f32 {
    let differences = a.iter().zip(b).map(|(a, b)| (a - b).abs());
    // The subtraction may have rounded down.
    differences.fold(0.0, f32::max).next_up()
}

// A call of its own: the compiler then knows that the corners do not overlap, and uses vector instructions.
#[inline(never)]
fn extend_box(lower: &mut [f32], upper: &mut [f32], x: &[f32]) {
    for ((low, high), &x) in lower.iter_mut().zip(upper).zip(x) {
        *low = low.min(x);
        *high = high.max(x);
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

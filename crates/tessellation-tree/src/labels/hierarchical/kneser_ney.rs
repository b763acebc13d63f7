//! Classification: class probabilities smoothed along the path (Lakshminarayanan, Roy, Teh 2014, section 4).
//!
//! The class probabilities G_j of a node come from a normalised stable process with base G_parent(j) and
//! discount d_j = exp(−γ·(T_j − t_parent)). Their posterior means are approximated by *interpolated Kneser–Ney*: a
//! node passes each of its classes to its parent once.
//!
//! | paper | here |
//! |---|---|
//! | γ = 10·D | [`discount`](crate::LabelSettings::discount)·D |
//! | c_jk, customers: samples of a leaf; of an inner node, its children that have class k | derived |
//! | tab_jk = min(c_jk, 1) | derived |
//! | G_jk = (c_jk − d_j·tab_jk + d_j·tab_j·G_parent,k) / c_j, uniform above the root | [`LabelModel::predict`] |
//! | the node that branches off above j: the same with E\[d\] for d_j | `Departure::mean_discount` |
//!
//! What is stored of a node are the counts n_jk of its samples. A child on the path has n_ck of them and the
//! other child the rest, so that c_jk is known without looking at it, and samples can be taken out again.
//!
//! A prediction Σ_j w_j·G̃_j over all places where the point may leave is linear in every G_j. So it is summed from the
//! leaf up: a node's classes get their terms, and one number, the weight of G_parent, passes to the parent. Costs
//! `O(classes that the node has)` a level, not `O(classes)`.

use forest_core::{Arena, ClassSpace, Classification, LabelSummary, SampleId};
use serde::{Deserialize, Serialize};

use super::{Boxes, Classes, Departure, Passage, set};
use crate::{
    BranchCounts, ClassCounts, ClassSummary, InnerNode, Joined, LabelModel, LeafId, Path, Place,
    Step, Subtree,
};

/// Interpolated Kneser–Ney smoothing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct KneserNey {
    counts: ClassCounts,
    nodes: Arena<ClassSummary>,
    leaves: Arena<ClassSummary>,
    boxes: Boxes,
}

/// Weights on the class probabilities of a node and those of its parent that do not concern single classes.
const NEGLIGIBLE: f64 = 1e-18;

impl KneserNey {
    /// Adds the contribution of a node whose class probabilities have this `weight`, and returns the weight of its
    /// parent's; `seen` are the counts of the child below.
    fn contribute(
        &self,
        place: Place,
        departure: Departure,
        weight: f64,
        seen: &mut [u32],
        context: Classes<'_>,
        probabilities: &mut [f64],
    ) -> f64 {
        let summary = self.summary(place.subtree, context);
        // c_jk of an inner node: one for each child that has the class; the child beside the path has count − seen.
        let customers = |count: u32, seen: u32| match place.sibling {
            None => count,
            Some(_) => u32::from(seen > 0) + u32::from(count > seen),
        };
        let mut all = 0.0;
        let mut tables = 0.0;
        for (class, count) in self.counts.counts(&summary) {
            all += f64::from(customers(count, seen[class]));
            // tab_jk = 1: a node passes each of its classes to its parent once.
            tables += 1.0;
        }
        let gamma = context.settings.discount.unwrap_or(10.0) * context.samples.width() as f64;
        // d_j of the node's own life; that of a branch is a mean over the time of its cut.
        let mut discount = 1.0;
        // Where γ is 0 nothing is forgotten, even in a life without end, of which the product would be NaN.
        if gamma > 0.0 {
            discount = libm::exp(-gamma * (place.end - place.birth));
        }
        let mut discounted = 0.0;
        if departure.rate > 0.0 {
            discounted = departure.probability * departure.mean_discount(gamma);
        }
        let of_tables = context.settings.branch_counts == BranchCounts::Tables;
        let branch_customers = if of_tables { tables } else { all };
        let of_own = weight / all;
        let of_branch = departure.probability / branch_customers;
        // Each class that came pays the discount once, however large its count.
        let less = of_own * discount + discounted / branch_customers;
        for (class, count) in self.counts.counts(&summary) {
            let own = f64::from(customers(count, seen[class]));
            let branch = if of_tables { 1.0 } else { own };
            probabilities[class] += of_own * own + of_branch * branch - less;
            // For the parent, whose child on the path this node is.
            seen[class] = count;
        }
        // What was taken from the classes goes to the parent's probabilities: the sum stays 1.
        less * tables
    }

    fn summary(&self, subtree: Subtree, context: Classes<'_>) -> ClassSummary {
        match subtree {
            Subtree::Inner(node) => self.nodes[node.index()],
            Subtree::Leaf(leaf) => self.leaves[leaf.index()],
            Subtree::Sample(id) => ClassSummary::of_one(context.samples.target(id)),
        }
    }

    fn summarize(&mut self, ids: &[SampleId], context: Classes<'_>) -> ClassSummary {
        let mut summary = ClassSummary::default();
        for &id in ids {
            self.counts.add(&mut summary, context.samples.target(id));
        }
        summary
    }
}

impl LabelModel for KneserNey {
    const AXIS_ALIGNED: bool = true;

    type Task = Classification;

    fn leaf_made(&mut self, leaf: LeafId, samples: &[SampleId], context: Classes<'_>) {
        let summary = self.summarize(samples, context);
        set(&mut self.leaves, leaf.index(), summary);
        self.boxes
            .leaf_made(leaf, samples, context.samples.points());
    }

    fn removed(&mut self, place: Subtree) {
        match place {
            Subtree::Leaf(leaf) => self.counts.release(&mut self.leaves[leaf.index()]),
            Subtree::Inner(node) => self.counts.release(&mut self.nodes[node.index()]),
            Subtree::Sample(_) => {}
        }
    }

    fn joined(&mut self, path: &[Step], end: Joined, id: SampleId, context: Classes<'_>) {
        let class = context.samples.target(id);
        match end {
            Joined::Leaf(leaf) => self.counts.add(&mut self.leaves[leaf.index()], class),
            Joined::Alone { node, sibling, .. } => {
                let of_sibling = self.summary(sibling, context);
                let mut summary = self.counts.copy(&of_sibling);
                self.counts.add(&mut summary, class);
                set(&mut self.nodes, node.index(), summary);
            }
        }
        for step in path {
            self.counts.add(&mut self.nodes[step.node().index()], class);
        }
        self.boxes.joined(path, end, id, context.samples.points());
    }

    fn node_made(&mut self, node: InnerNode, ids: &mut [SampleId], _: usize, context: Classes<'_>) {
        let summary = self.summarize(ids, context);
        set(&mut self.nodes, node.node.index(), summary);
        self.boxes
            .unite(node.node, node.children, context.samples.points());
    }

    fn path_left(&mut self, path: &[Step], below: Subtree, id: SampleId, context: Classes<'_>) {
        for step in path {
            let counts = &mut self.nodes[step.node().index()];
            self.counts.remove(counts, context.samples.target(id));
        }
        self.boxes.path_left(path, below, context.samples.points());
    }

    fn predict(&self, path: &Path<'_>, context: Classes<'_>, accumulator: &mut [f64]) {
        Passage::with(|passage| {
            self.boxes.pass(path, context.samples.points(), passage);
            let departures = &passage.departures;
            let seen = &mut passage.seen;
            accumulator.fill(0.0);
            seen.clear();
            seen.resize(accumulator.len(), 0);
            let mut weight = passage.stays;
            for (level, &departure) in departures.iter().enumerate().rev() {
                let place = path.place(level);
                weight = self.contribute(place, departure, weight, seen, context, accumulator);
                // A departure further up has weight of its own, however little comes from below.
                let mut above = departures[..level].iter();
                if weight < NEGLIGIBLE && !above.any(|departure| departure.rate > 0.0) {
                    break;
                }
            }
            // Above the root all classes are equally probable.
            let uniform = weight / accumulator.len() as f64;
            accumulator.iter_mut().for_each(|cell| *cell += uniform);
            context.settings.vote.cast(accumulator);
        });
    }

    fn widen(&mut self, features: usize) {
        self.boxes.widen(features);
    }

    fn add_labels(&self, leaf: LeafId, sum: &mut LabelSummary) {
        for (class, count) in self.counts.counts(&self.leaves[leaf.index()]) {
            sum.add_class(class as u32, u64::from(count));
        }
    }

    fn bytes(&self) -> usize {
        self.counts.bytes() + self.nodes.bytes() + self.leaves.bytes() + self.boxes.bytes()
    }

    fn room(&self, features: usize, classes: &ClassSpace) -> Option<[usize; 2]> {
        let summaries = self.nodes.iter().chain(self.leaves.iter());
        let room = [self.leaves.len(), self.nodes.len()];
        let shaped = self.counts.is_shaped(summaries, classes.known());
        shaped.then(|| self.boxes.room(room, features))
    }
}

//! The forest of Saffari et al. evaluates its tests only when one may be good enough: a slow tree that evaluates all of
//! them after every point grows the same leaves and predicts the same, bit for bit.

use super::paper::histogram::{Classes, Histogram, Numbers};
use super::paper::{Fringe, Node, find, poisson};
use crate::{SaffariSettings, SaffariTree};
use forest_core::{Classification, OnlineTree, Regression, TreeRng};
use forest_testing::conformance::{ConformanceTask, Stream};

#[derive(Default)]
struct Leaf<H: Histogram> {
    depth: u32,
    labels: H,
    /// Points since the tests were drawn.
    points: u32,
    tests: Option<Fringe<H>>,
}

struct SlowTree<H: Histogram> {
    settings: SaffariSettings,
    rng: TreeRng,
    nodes: Vec<Node>,
    leaves: Vec<Leaf<H>>,
}

impl<H: Histogram> SlowTree<H> {
    fn learn(&mut self, x: &[f32], y: H::Label) {
        let weight = poisson(1.0, &mut self.rng);
        if weight == 0 {
            return;
        }
        let (node, index) = find(&self.nodes, x);
        let settings = &self.settings;
        let leaf = &mut self.leaves[index];
        (0..weight).for_each(|_| leaf.labels.add(y));
        if leaf.depth >= settings.max_depth {
            return;
        }
        let count = settings.tests as usize;
        let draw = || Fringe::new(count, x.len(), &mut self.rng);
        let tests = leaf.tests.get_or_insert_with(draw);
        tests.create_until(settings.m, x, y);
        leaf.points += weight as u32;
        for split in &mut tests.splits {
            let side = split.side(x);
            (0..weight).for_each(|_| split.structure[side].add(y));
            split.estimation[side] = split.structure[side].clone();
        }
        let enough = leaf.points >= settings.min_samples;
        if enough && tests.should_split(1.0, settings.min_gain) {
            self.split(node, index);
        }
    }

    fn split(&mut self, node: usize, index: usize) {
        let depth = self.leaves[index].depth + 1;
        let mut tests = self.leaves[index].tests.take().unwrap();
        let split = tests.splits.swap_remove(tests.best_split(1.0));
        let left = self.nodes.len();
        let children = [left, left + 1];
        let leaves = [index, self.leaves.len()];
        self.nodes.extend(leaves.map(Node::Leaf));
        self.nodes[node] = Node::Split(split.dimension, split.threshold, children);
        let [left, right] = split.structure.map(|labels| Leaf {
            depth,
            labels,
            ..Leaf::default()
        });
        self.leaves[index] = left;
        self.leaves.push(right);
    }
}

/// Trees of the crate, each beside the same tree grown slowly.
fn compare<H: Histogram>(settings: &SaffariSettings, stream: &Stream<H::Task>)
where
    H::Task: ConformanceTask,
{
    let forest = super::taught::<SaffariTree<H::Task>>(3, 7, settings, stream, stream.len());
    let context = forest.context();
    let mut leaves = 0;
    for (number, tree) in forest.trees().enumerate() {
        let mut slow = SlowTree::<H> {
            settings: settings.clone(),
            rng: TreeRng::new(7, number),
            nodes: vec![Node::Leaf(0)],
            leaves: vec![Leaf::default()],
        };
        for (row, &label) in stream.features.rows().into_iter().zip(&stream.targets) {
            slow.learn(&row.to_vec(), label);
        }
        assert_eq!(tree.footprint().nodes, slow.nodes.len());
        for row in stream.features.rows() {
            let row = row.to_vec();
            let labels = &slow.leaves[find(&slow.nodes, &row).1].labels;
            labels.assert_vote(tree, &row, &context);
        }
        leaves += slow.leaves.len();
    }
    assert!(leaves > 20, "{settings:?}: {leaves} leaves are too few");
}

/// Returns the defaults, an early minimum, no minimum of gain, few thresholds.
fn settings() -> [SaffariSettings; 4] {
    let default = SaffariSettings::default;
    let [mut early, mut free, mut few] = [default(), default(), default()];
    (early.min_samples, early.min_gain) = (3, 0.3);
    free.min_gain = 0.0;
    (few.tests, few.m, few.min_samples) = (1, 1, 10);
    [default(), early, free, few]
}

/// Some labels are noise, so that leaves wait long for a gain; numbers are whole, so that their sums are exact in any
/// order.
#[test]
fn leaves_are_split_when_the_best_test_is_good_enough() {
    for (index, settings) in settings().iter().enumerate() {
        let mut stream = Stream::<Classification>::uniform(3000, 3, index as u64);
        for label in stream.targets.iter_mut().step_by(3) {
            *label = (*label + 1) % 3;
        }
        compare::<Classes>(settings, &stream);
        let mut stream = Stream::<Regression>::uniform(2000, 3, index as u64);
        for y in &mut stream.targets {
            *y = (10.0 * *y).round();
        }
        compare::<Numbers>(settings, &stream);
    }
}

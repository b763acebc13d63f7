//! The forest of Saffari et al. evaluates its tests only when one may be good enough: a slow tree that
//! evaluates all of them after every point grows the same leaves and predicts the same, bit for bit.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use crate::paper::histogram::{Classes, Histogram, Numbers};
use crate::paper::{Fringe, Node, poisson};
use forest_core::{
    Classification, Forest, ForestSettings, OnlineLearner, OnlineTree, Regression, Schema, TreeRng,
};
use forest_testing::conformance::{ConformanceTask, Stream};
use stream_rf::{SaffariSettings, SaffariTree};

const TREES: usize = 3;

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

fn leaf<H: Histogram>(depth: u32, labels: H) -> Leaf<H> {
    let (points, tests) = (0, None);
    Leaf {
        depth,
        labels,
        points,
        tests,
    }
}

impl<H: Histogram> SlowTree<H> {
    fn new(settings: SaffariSettings, rng: TreeRng) -> Self {
        Self {
            settings,
            rng,
            nodes: vec![Node::Leaf(0)],
            leaves: vec![leaf(0, H::default())],
        }
    }

    fn find(&self, x: &[f32]) -> (usize, usize) {
        let mut here = 0;
        loop {
            match self.nodes[here] {
                Node::Leaf(leaf) => return (here, leaf),
                Node::Split(d, threshold, children) => {
                    here = children[usize::from(x[d] > threshold)];
                }
            }
        }
    }

    fn learn(&mut self, x: &[f32], y: H::Label) {
        let weight = poisson(1.0, &mut self.rng);
        if weight == 0 {
            return;
        }
        let (node, index) = self.find(x);
        let (settings, leaf) = (&self.settings, &mut self.leaves[index]);
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
        let (left, right) = (self.nodes.len(), self.leaves.len());
        let depth = self.leaves[index].depth + 1;
        let mut tests = self.leaves[index].tests.take().unwrap();
        let split = tests.splits.swap_remove(tests.best_split(1.0));
        let children = [left, left + 1];
        self.nodes.extend([Node::Leaf(index), Node::Leaf(right)]);
        self.nodes[node] = Node::Split(split.dimension, split.threshold, children);
        let [left, right] = split.structure;
        self.leaves[index] = leaf(depth, left);
        self.leaves.push(leaf(depth, right));
    }
}

/// Trees of the crate, each beside the same tree grown slowly: how many leaves they have.
fn grow<H: Histogram>(settings: &SaffariSettings, stream: &Stream<H::Task>) -> usize
where
    H::Task: ConformanceTask,
{
    let schema = Schema::new(stream.features.ncols()).unwrap();
    let mut forest = Forest::<SaffariTree<H::Task>>::new(
        schema,
        settings.clone(),
        ForestSettings::default().with_trees(TREES).with_seed(7),
    )
    .unwrap();
    stream.teach(&mut forest, 0, stream.len()).unwrap();
    forest.check_invariants().unwrap();
    let (context, mut leaves) = (forest.context(), 0);
    for (number, tree) in forest.trees().enumerate() {
        let mut slow = SlowTree::<H>::new(settings.clone(), TreeRng::new(7, number));
        for (row, &label) in stream.features.rows().into_iter().zip(&stream.targets) {
            slow.learn(&row.to_vec(), label);
        }
        assert_eq!(tree.footprint().nodes, slow.nodes.len());
        let mut accumulator =
            vec![0.0; SaffariTree::<H::Task>::accumulator_width(&context.outputs)];
        for row in stream.features.rows() {
            let row = row.to_vec();
            tree.vote(&row, &context, &mut accumulator);
            let labels = &slow.leaves[slow.find(&row).1].labels;
            let pairs = accumulator
                .iter()
                .zip(labels.accumulator(accumulator.len()));
            pairs.for_each(|(a, b)| assert!((a - b).abs() < 1e-12, "{a} and {b}"));
        }
        leaves += slow.leaves.len();
    }
    leaves
}

/// Returns the defaults, an early minimum, no minimum of gain, few thresholds.
fn settings() -> [SaffariSettings; 4] {
    let default = SaffariSettings::default;
    let early = SaffariSettings {
        min_samples: 3,
        min_gain: 0.3,
        ..default()
    };
    let free = SaffariSettings {
        min_gain: 0.0,
        ..default()
    };
    let few = SaffariSettings {
        tests: 1,
        m: 1,
        min_samples: 10,
        ..default()
    };
    [default(), early, free, few]
}

/// Some labels are noise, so that leaves wait long for a gain.
#[test]
fn classes_are_split_when_the_best_test_is_good_enough() {
    for (index, settings) in settings().iter().enumerate() {
        let mut stream = Stream::<Classification>::uniform(3000, 3, index as u64);
        for label in stream.targets.iter_mut().step_by(3) {
            *label = (*label + 1) % 3;
        }
        let leaves = grow::<Classes>(settings, &stream);
        assert!(
            leaves > 20,
            "settings {index}: {leaves} leaves are too few for a test"
        );
    }
}

/// Numbers are whole, so that their sums are exact in any order.
#[test]
fn numbers_are_split_when_the_best_test_is_good_enough() {
    for (index, settings) in settings().iter().enumerate() {
        let mut stream = Stream::<Regression>::uniform(2000, 3, index as u64);
        for y in &mut stream.targets {
            *y = (10.0 * *y).round();
        }
        let leaves = grow::<Numbers>(settings, &stream);
        assert!(
            leaves > 20,
            "settings {index}: {leaves} leaves are too few for a test"
        );
    }
}

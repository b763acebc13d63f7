//! The distribution of ties, and where a walk may end.

use forest_core::{SampleId, TreeRng};
use forest_testing::statistics::has_frequencies;

use super::*;
use crate::Metric;
use crate::distances::Scratch;

/// A tree that all points are added to, one after another.
struct Growing {
    nodes: BoundaryTree,
    samples: Samples<f64>,
    scratch: Scratch,
}

impl Growing {
    /// Creates a tree of its root.
    fn from(root: &[f32]) -> Self {
        let mut nodes = BoundaryTree::default();
        nodes.add_root(SampleId::new(0));
        let mut samples = Samples::new(Metric::Manhattan, root.len(), 0);
        samples.append(1, root, &[]);
        let scratch = Scratch::default();
        Self {
            nodes,
            samples,
            scratch,
        }
    }

    /// Adds a point where the walk ends; returns its parent.
    fn add(
        &mut self,
        point: &[f32],
        limit: ChildLimit,
        mut below: impl FnMut(usize) -> usize,
    ) -> NodeId {
        let sample = SampleId::new(self.samples.len());
        self.samples.append(1, point, &[]);
        let mut distances = Distances::new(&self.samples, point, &mut self.scratch);
        let found = walk(&self.nodes, limit, &mut distances, &mut below);
        let parent = found.unwrap().node;
        self.nodes.add_child(parent, sample);
        parent
    }
}

/// The paper's equidistant tree of four nodes: the parents of the third and the fourth, with their
/// probability. At a node with `q` children, each of the `q` + 1 candidates is as likely.
const EQUIDISTANT: [((usize, usize), f64); 6] = [
    ((0, 0), 1.0 / 6.0),
    ((0, 1), 1.0 / 6.0),
    ((0, 2), 1.0 / 6.0),
    ((1, 0), 1.0 / 4.0),
    ((1, 1), 1.0 / 8.0),
    ((1, 2), 1.0 / 8.0),
];

/// Probability with which the test fails by chance.
const LEVEL: f64 = 1e-3;

/// p-value of trees of four equal points, which are equidistant, that break ties with `below`.
fn equidistant(mut below: impl FnMut(usize) -> usize) -> f64 {
    const TREES: usize = 20_000;
    let mut counts = [0; 6];
    for _ in 0..TREES {
        let mut tree = Growing::from(&[0.0]);
        let parents = [(); 3].map(|()| tree.add(&[0.0], ChildLimit::Unlimited, &mut below).index());
        let shape = (parents[1], parents[2]);
        let case = EQUIDISTANT.iter().position(|case| case.0 == shape);
        counts[case.unwrap()] += 1;
    }
    has_frequencies(&counts, &EQUIDISTANT.map(|(_, probability)| probability))
}

#[test]
fn ties_are_broken_uniformly() {
    let mut rng = TreeRng::new(11, 0);
    assert!(equidistant(|n| rng.below(n)) > LEVEL);
}

#[test]
fn the_law_test_rejects_biased_ties() {
    let mut rng = TreeRng::new(11, 0);
    let coin = equidistant(|n| rng.below(2).min(n - 1));
    let off_by_one = equidistant(|n| rng.below(n + 1).min(n - 1));
    let first_wins = equidistant(|_| 0);
    let last_wins = equidistant(|n| n - 1);
    for p_value in [coin, off_by_one, last_wins, first_wins] {
        assert!(p_value < LEVEL, "{p_value}");
    }
}

#[test]
fn no_draw_is_made_without_a_tie() {
    // The second feature distinguishes points whose first one is equal.
    let point = |id: u16| [f32::from((id * 31) % 127), 1e-3 * f32::from(id)];
    let mut tree = Growing::from(&point(0));
    for id in 1..500 {
        tree.add(&point(id), ChildLimit::AtMost(3), |_| panic!("a draw"));
    }
}

#[test]
fn a_full_node_is_never_found_and_never_overfull() {
    for most in [2, 3, 7] {
        let (mut rng, limit) = (TreeRng::new(u64::from(most), 0), ChildLimit::AtMost(most));
        let mut tree = Growing::from(&[7.0]);
        for _ in 0..2000 {
            let point = [rng.below(300) as f32];
            let parent = tree.add(&point, limit, |n| rng.below(n));
            assert!(limit.allows(tree.nodes.children(parent).len()));
        }
    }
}

#[test]
fn a_full_root_with_equal_points_passes_the_query_on() {
    let (mut tree, mut rng) = (Growing::from(&[1.0]), TreeRng::new(1, 0));
    for _ in 1..100 {
        tree.add(&[1.0], ChildLimit::AtMost(2), |n| rng.below(n));
    }
    assert_eq!(tree.nodes.children(NodeId::ROOT).len(), 2);
    assert_eq!(tree.nodes.len(), 100);
}

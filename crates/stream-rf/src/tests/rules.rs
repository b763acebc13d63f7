//! α(d) and β(d) are kept along a long run, and no leaf of a bounded fringe waits for ever.

use super::paper::histogram::{Classes, Histogram};
use super::paper::{Node, PaperTree, find};
use crate::{StreamClassifier, StreamSettings, StreamTree};
use forest_core::{Classification, OnlineLearner, TreeRng};
use forest_testing::conformance::Stream;
use ndarray::Array2;

/// Leaves here are split by the β rule more often than by gain.
fn settings() -> StreamSettings {
    StreamSettings {
        tau: 0.4,
        alpha: super::growth(5.0, 1.1),
        beta: super::growth(30.0, 1.1),
        ..StreamSettings::default()
    }
}

/// Uniform rows with three labels at random.
fn noise(rows: usize, seed: u64) -> Stream<Classification> {
    let mut rng = TreeRng::new(seed, 1);
    let features = Array2::from_shape_fn((rows, 2), |_| rng.uniform() as f32);
    let mut stream = Stream::labelled(features);
    stream.targets.fill_with(|| rng.below(3) as u32);
    stream
}

#[test]
fn alpha_and_beta_are_kept_along_a_long_run() {
    const ROWS: usize = 60_000;
    let (settings, stream) = (settings(), noise(ROWS, 1));
    let (alpha, beta) = (settings.alpha, settings.beta);
    let mut slow = PaperTree::<Classes>::new(settings.clone(), TreeRng::new(5, 0));
    let (mut splits, mut forced) = (0, 0);
    for (row, &label) in stream.features.rows().into_iter().zip(&stream.targets) {
        let x = row.to_vec();
        let (node, leaf) = find(&slow.nodes, &x);
        let is_due = slow.leaves[leaf].votes.points() >= beta.at(slow.leaves[leaf].depth);
        match slow.learn(&x, label) {
            Some(true) => {
                let Node::Split(_, _, children) = slow.nodes[node] else {
                    panic!("a split")
                };
                for child in children {
                    let Node::Leaf(leaf) = slow.nodes[child] else {
                        panic!("a new leaf")
                    };
                    let leaf = &slow.leaves[leaf];
                    assert!(leaf.votes.points() >= alpha.at(leaf.depth - 1));
                }
                (splits, forced) = (splits + 1, forced + usize::from(is_due));
            }
            // A structure point that has left its leaf whole: the leaf was not due, or could not be split.
            Some(false) => {
                let leaf = &slow.leaves[leaf];
                let is_due = leaf.votes.points() >= beta.at(leaf.depth);
                assert!(!is_due || !leaf.can_split(alpha.at(leaf.depth)));
            }
            None => {}
        }
    }
    assert!(splits > 200 && 2 * forced > splits, "{forced} of {splits}");
    let forest = super::taught::<StreamTree<_>>(1, 5, &settings, &stream, ROWS);
    slow.assert_same(forest.trees().next().unwrap());
}

/// Returns the nodes that are leaves.
fn leaves(forest: &StreamClassifier) -> Vec<usize> {
    let nodes = &forest.trees().next().unwrap().nodes.nodes;
    let is_leaf = |&node: &usize| matches!(nodes[node], crate::nodes::Node::Leaf(_));
    (0..nodes.len()).filter(is_leaf).collect()
}

/// Proposition 15 and what follows from it: whatever leaves there are, all are split in the end,
/// though only five at a time collect statistics.
#[test]
fn every_leaf_of_a_bounded_fringe_is_split_in_the_end() {
    let (settings, stream) = (super::with_fringe(5, &settings()), noise(300_000, 2));
    let mut forest = super::taught::<StreamTree<_>>(1, 6, &settings, &stream, 4000);
    let early = leaves(&forest);
    stream.teach(&mut forest, 4000, stream.len()).unwrap();
    forest.check_invariants().unwrap();
    let late = leaves(&forest);
    let left = early.iter().filter(|leaf| late.contains(leaf)).count();
    assert!(
        early.len() > 10 && left == 0,
        "{left} of {} leaves",
        early.len()
    );
}

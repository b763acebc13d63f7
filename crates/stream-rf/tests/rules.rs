//! α(d) and β(d) are kept along a long run, and no leaf of a bounded fringe waits for ever.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use crate::paper::histogram::{Classes, Histogram};
use crate::paper::{Node, PaperTree};
use forest_core::{Classification, ForestSettings, OnlineLearner, Schema, TreeRng};
use forest_testing::conformance::Stream;
use ndarray::Array2;
use stream_rf::{FringeLimit, Growth, NodeView, StreamClassifier, StreamSettings};

/// Leaves here are split by the β rule more often than by gain.
fn settings() -> StreamSettings {
    let growth = |scale| Growth { scale, base: 1.1 };
    StreamSettings {
        tau: 0.4,
        alpha: growth(5.0),
        beta: growth(30.0),
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

/// After a structure point that has left its leaf whole: the leaf was not due.
fn assert_not_due(tree: &PaperTree<Classes>, node: usize) {
    let Node::Leaf(leaf) = tree.nodes[node] else {
        panic!("a leaf")
    };
    let leaf = &tree.leaves[leaf];
    let due = leaf.votes.points() >= tree.settings.beta.at(leaf.depth);
    assert!(!due || !leaf.can_split(tree.settings.alpha.at(leaf.depth)));
}

/// After a split: each child has the estimation points that its parent's depth asks for.
fn assert_grown(tree: &PaperTree<Classes>, node: usize) {
    let Node::Split(_, _, children) = tree.nodes[node] else {
        panic!("a split")
    };
    for child in children {
        let Node::Leaf(leaf) = tree.nodes[child] else {
            panic!("a new leaf")
        };
        let leaf = &tree.leaves[leaf];
        assert!(leaf.votes.points() >= tree.settings.alpha.at(leaf.depth - 1));
    }
}

#[test]
fn alpha_and_beta_are_kept_along_a_long_run() {
    const ROWS: usize = 60_000;
    let (settings, stream) = (settings(), noise(ROWS, 1));
    let mut slow = PaperTree::<Classes>::new(settings.clone(), TreeRng::new(5, 0));
    let (mut splits, mut forced) = (0, 0);
    for (row, &label) in stream.features.rows().into_iter().zip(&stream.targets) {
        let x = row.to_vec();
        let (node, leaf) = slow.find(&x);
        let estimation_points = slow.leaves[leaf].votes.points();
        let due = estimation_points >= settings.beta.at(slow.leaves[leaf].depth);
        match slow.learn(&x, label) {
            Some(true) => {
                assert_grown(&slow, node);
                (splits, forced) = (splits + 1, forced + usize::from(due));
            }
            Some(false) => assert_not_due(&slow, node),
            None => {}
        }
    }
    assert!(splits > 200 && 2 * forced > splits, "{forced} of {splits}");
    let mut forest = forest(settings, 5);
    stream.teach(&mut forest, 0, ROWS).unwrap();
    slow.assert_same(forest.trees().next().unwrap());
}

fn forest(settings: StreamSettings, seed: u64) -> StreamClassifier {
    StreamClassifier::new(
        Schema::new(2).unwrap(),
        settings,
        ForestSettings::default().with_trees(1).with_seed(seed),
    )
    .unwrap()
}

/// Returns the nodes that are leaves.
fn leaves(forest: &StreamClassifier) -> Vec<usize> {
    let nodes = forest.trees().next().unwrap().nodes().enumerate();
    let leaf = |view: &NodeView| matches!(view, NodeView::Leaf { .. });
    nodes
        .filter_map(|(node, view)| leaf(&view).then_some(node))
        .collect()
}

/// Proposition 15 and what follows from it: whatever leaves there are, all are split in the end,
/// though only five at a time collect statistics.
#[test]
fn every_leaf_of_a_bounded_fringe_is_split_in_the_end() {
    let settings = StreamSettings {
        fringe: FringeLimit::AtMost(5),
        ..settings()
    };
    let mut forest = forest(settings, 6);
    let stream = noise(300_000, 2);
    stream.teach(&mut forest, 0, 4_000).unwrap();
    let early = leaves(&forest);
    stream.teach(&mut forest, 4_000, stream.len()).unwrap();
    forest.check_invariants().unwrap();
    let late = leaves(&forest);
    let left = early.iter().filter(|leaf| late.contains(leaf)).count();
    assert!(
        early.len() > 10,
        "{} leaves are too few for a test",
        early.len()
    );
    assert_eq!(left, 0, "of {} leaves", early.len());
}

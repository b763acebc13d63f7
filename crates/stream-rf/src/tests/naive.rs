//! The binned statistics are the paper's bookkeeping: a slow tree that follows Algorithms 1 to 10 to the letter, with
//! two histograms for every candidate child, grows the same partition and predicts the same, bit for bit.

use super::paper::histogram::{Classes, Histogram, Numbers};
use super::paper::{PaperTree, find};
use crate::{StreamSettings, StreamTree, Vote};
use forest_core::{Classification, Regression, TreeRng};
use forest_testing::conformance::{ConformanceTask, Stream};

const TREES: usize = 3;

fn settings() -> Vec<StreamSettings> {
    let default = StreamSettings::default();
    let few = StreamSettings {
        m: 2,
        lambda: 0.5,
        alpha: super::growth(1.0, 1.2),
        beta: super::growth(50.0, 1.2),
        ..default.clone()
    };
    let forced = StreamSettings {
        tau: 5.0,
        m: 5,
        beta: super::growth(20.0, 1.1),
        ..default.clone()
    };
    let hurried = StreamSettings {
        tau: 0.0,
        alpha: super::growth(0.5, 1.0),
        ..default.clone()
    };
    let streams = StreamSettings {
        structure: 0.2,
        ..default.clone()
    };
    let mut all = vec![default, few, forced, hurried, streams];
    all.extend(super::settings_of_the_paper());
    // Votes are compared as they are counted.
    for settings in &mut all {
        settings.vote = Vote::Frequencies;
    }
    all
}

/// Three random dimensions, one with few values; labels that depend on them, and noise.
fn stream(rows: usize, seed: u64) -> Stream<Classification> {
    let mut stream = Stream::<Classification>::uniform(rows, 3, seed);
    let mut rng = TreeRng::new(seed, 1);
    let mut column = stream.features.column_mut(1);
    column.mapv_inplace(|value| (value * 3.0).round());
    for label in &mut stream.targets {
        if rng.below(4) == 0 {
            *label = rng.below(6) as u32;
        }
    }
    stream
}

/// Trees of the crate, each beside the same tree grown slowly: their leaves, and how often one was given up.
fn grow<H: Histogram>(settings: &StreamSettings, stream: &Stream<H::Task>) -> (usize, usize)
where
    H::Task: ConformanceTask,
{
    let forest = super::taught::<StreamTree<H::Task>>(TREES, 7, settings, stream, stream.len());
    let queries = Stream::<Classification>::uniform(200, 3, 99);
    let mut leaves = 0;
    let mut given_up = 0;
    for (number, tree) in forest.trees().enumerate() {
        let mut slow = PaperTree::<H>::new(settings.clone(), TreeRng::new(7, number));
        for (row, &label) in stream.features.rows().into_iter().zip(&stream.targets) {
            slow.learn(&row.to_vec(), label);
        }
        slow.assert_same(tree);
        for row in queries.features.rows() {
            let row = row.to_vec();
            let labels = &slow.leaves[find(&slow.nodes, &row).1].votes;
            labels.assert_vote(tree, &row, &forest.context());
        }
        leaves += slow.leaves.len();
        given_up += slow.given_up;
    }
    (leaves, given_up)
}

#[test]
fn the_partition_and_the_predictions_are_those_of_the_paper() {
    for (index, settings) in settings().into_iter().enumerate() {
        let stream = stream(4000, index as u64);
        let (leaves, _) = grow::<Classes>(&settings, &stream);
        assert!(leaves > 20, "settings {index}: {leaves} leaves are too few");
        for limit in [1, 2, 5, 20] {
            grow::<Classes>(&super::with_fringe(limit, &settings), &stream);
        }
    }
}

/// With a dimension a leaf and a small β, leaves are soon due that have drawn the dimension with few values.
#[test]
fn so_they_are_where_leaves_are_given_up() {
    for fringe in [Some(3), None] {
        let settings = StreamSettings {
            lambda: 0.0,
            alpha: super::growth(2.0, 1.1),
            beta: super::growth(20.0, 1.1),
            fringe,
            ..StreamSettings::default()
        };
        let (_, given_up) = grow::<Classes>(&settings, &stream(6000, 70));
        assert!(given_up > 10, "{given_up} leaves are too few for a test");
    }
}

/// Numbers are whole, so that their sums are exact in any order.
#[test]
fn numbers_are_split_where_most_variance_is_explained() {
    for seed in 0..5 {
        let mut stream = Stream::<Regression>::uniform(1500, 3, seed);
        for y in &mut stream.targets {
            *y = (100.0 * *y).round();
        }
        grow::<Numbers>(&StreamSettings::default(), &stream);
    }
}

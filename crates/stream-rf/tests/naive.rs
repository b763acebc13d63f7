//! The binned statistics are the paper's bookkeeping: a slow tree that follows Algorithms 1 to 10 to
//! the letter, with two histograms for every candidate child, grows the same partition and predicts
//! the same, bit for bit.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use crate::paper::PaperTree;
use crate::paper::histogram::{Classes, Histogram, Numbers};
use forest_core::{
    Classification, ForestSettings, OnlineLearner, OnlineTree, Regression, Schema, TreeRng,
};
use forest_testing::conformance::Stream;
use stream_rf::{
    FringeLimit, Growth, StreamClassifier, StreamRegressor, StreamSettings, StreamTree, Vote,
};

const TREES: usize = 3;

fn settings() -> Vec<StreamSettings> {
    let default = StreamSettings::default();
    let few = StreamSettings {
        m: 2,
        lambda: 0.5,
        alpha: Growth {
            scale: 1.0,
            base: 1.2,
        },
        beta: Growth {
            scale: 50.0,
            base: 1.2,
        },
        ..default.clone()
    };
    let forced = StreamSettings {
        tau: 5.0,
        m: 5,
        beta: Growth {
            scale: 20.0,
            base: 1.1,
        },
        ..default.clone()
    };
    let hurried = StreamSettings {
        tau: 0.0,
        alpha: Growth {
            scale: 0.5,
            base: 1.0,
        },
        ..default.clone()
    };
    let streams = StreamSettings {
        structure: 0.2,
        ..default.clone()
    };
    let paper = [crate::mixture_of_gaussians(), crate::usps()];
    let mut all = vec![default, few, forced, hurried, streams];
    all.extend(paper);
    // Votes are compared as they are counted.
    all.iter_mut()
        .for_each(|settings| settings.vote = Vote::Frequencies);
    all
}

/// Three random dimensions, one with few values; labels that depend on them, and noise.
fn stream(rows: usize, seed: u64) -> Stream<Classification> {
    let mut stream = Stream::<Classification>::uniform(rows, 3, seed);
    let mut rng = TreeRng::new(seed, 1);
    for (mut row, label) in stream
        .features
        .rows_mut()
        .into_iter()
        .zip(&mut stream.targets)
    {
        row[1] = (row[1] * 3.0).round();
        if rng.below(4) == 0 {
            *label = rng.below(6) as u32;
        }
    }
    stream
}

/// Three trees of the crate, each beside the same tree grown slowly: their leaves, and how often one
/// was given up.
fn grow(settings: &StreamSettings, stream: &Stream<Classification>) -> (usize, usize) {
    let schema = Schema::new(3).unwrap();
    let mut forest = StreamClassifier::new(
        schema,
        settings.clone(),
        ForestSettings::default().with_trees(TREES).with_seed(7),
    )
    .unwrap();
    stream.teach(&mut forest, 0, stream.len()).unwrap();
    forest.check_invariants().unwrap();
    let (mut leaves, mut given_up) = (0, 0);
    for (number, tree) in forest.trees().enumerate() {
        let mut slow = PaperTree::<Classes>::new(settings.clone(), TreeRng::new(7, number));
        for (row, &label) in stream.features.rows().into_iter().zip(&stream.targets) {
            slow.learn(&row.to_vec(), label);
        }
        slow.assert_same(tree);
        assert_same_predictions(&forest, tree, &slow);
        leaves += slow.leaves.len();
        given_up += slow.given_up;
    }
    (leaves, given_up)
}

fn assert_same_predictions(
    forest: &StreamClassifier,
    tree: &StreamTree<Classification>,
    slow: &PaperTree<Classes>,
) {
    let queries = Stream::<Classification>::uniform(200, 3, 99);
    let context = forest.context();
    let mut accumulator = vec![0.0; forest.schema().width()];
    for row in queries.features.rows() {
        let row = row.to_vec();
        tree.vote(&row, &context, &mut accumulator);
        let leaf = &slow.leaves[slow.find(&row).1];
        assert_eq!(accumulator, leaf.votes.accumulator(accumulator.len()));
    }
}

#[test]
fn the_partition_and_the_predictions_are_those_of_the_paper() {
    for (index, settings) in settings().into_iter().enumerate() {
        let (leaves, _) = grow(&settings, &stream(4000, index as u64));
        assert!(
            leaves > 20,
            "settings {index}: {leaves} leaves are too few for a test"
        );
    }
}

#[test]
fn so_they_are_with_a_bounded_fringe() {
    for (index, settings) in settings().into_iter().enumerate() {
        for limit in [1, 2, 5, 20] {
            let fringe = FringeLimit::AtMost(limit);
            let settings = StreamSettings {
                fringe,
                ..settings.clone()
            };
            grow(&settings, &stream(4000, index as u64));
        }
    }
}

/// With a dimension a leaf and a small β, leaves are soon due that have drawn the dimension with
/// few values.
#[test]
fn so_they_are_where_leaves_are_given_up() {
    let growth = |scale| Growth { scale, base: 1.1 };
    for limit in [FringeLimit::AtMost(3), FringeLimit::Unlimited] {
        let settings = StreamSettings {
            lambda: 0.0,
            alpha: growth(2.0),
            beta: growth(20.0),
            fringe: limit,
            ..StreamSettings::default()
        };
        let (_, given_up) = grow(&settings, &stream(6000, 70));
        assert!(given_up > 10, "{given_up} leaves are too few for a test");
    }
}

#[test]
fn a_fringe_that_is_never_full_is_an_unlimited_one() {
    let stream = stream(3000, 50);
    let nodes = |fringe| {
        let settings = StreamSettings {
            fringe,
            ..StreamSettings::default()
        };
        let schema = Schema::new(3).unwrap();
        let mut forest = StreamClassifier::new(
            schema,
            settings,
            ForestSettings::default().with_trees(TREES).with_seed(8),
        )
        .unwrap();
        stream.teach(&mut forest, 0, 3000).unwrap();
        let nodes = |tree: &StreamTree<Classification>| tree.nodes().collect::<Vec<_>>();
        forest.trees().map(nodes).collect::<Vec<_>>()
    };
    assert_eq!(
        nodes(FringeLimit::Unlimited),
        nodes(FringeLimit::AtMost(3000))
    );
}

/// Numbers are whole, so that their sums are exact in any order.
#[test]
fn numbers_are_split_where_most_variance_is_explained() {
    let settings = StreamSettings::default();
    for seed in 0..5 {
        let stream = Stream::<Regression>::uniform(1500, 3, seed);
        let targets: Vec<f64> = stream.targets.iter().map(|y| (100.0 * y).round()).collect();
        let schema = Schema::new(3).unwrap();
        let mut forest = StreamRegressor::new(
            schema,
            settings.clone(),
            ForestSettings::default().with_trees(TREES).with_seed(7),
        )
        .unwrap();
        forest.learn(stream.features.view(), &targets).unwrap();
        for (number, tree) in forest.trees().enumerate() {
            let mut slow = PaperTree::<Numbers>::new(settings.clone(), TreeRng::new(7, number));
            for (row, &y) in stream.features.rows().into_iter().zip(&targets) {
                slow.learn(&row.to_vec(), y);
            }
            slow.assert_same(tree);
        }
    }
}

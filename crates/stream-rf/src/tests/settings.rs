//! Settings that break a rule are refused by name; those of the paper are accepted; and what the
//! forest of Saffari et al. is set to do, it does.

use crate::{FeatureSource, SaffariSettings, SaffariTree, StreamSettings, StreamTree};
use forest_core::{Classification, OnlineLearner, OnlineTree, Schema, Settings};
use forest_testing::conformance::Stream;

/// Returns the parameter that changed settings of points of three numbers are refused for.
fn refused<S: Settings<Classification> + Default>(change: fn(&mut S)) -> &'static str {
    let (mut settings, schema) = (S::default(), Schema::new(3).unwrap());
    change(&mut settings);
    settings.check(&schema).unwrap_err().parameter
}

const PAIRS: FeatureSource = FeatureSource::PixelPairs { variance: 75.0 };

#[test]
fn a_broken_rule_is_reported_by_name() {
    type Change = fn(&mut StreamSettings);
    let cases: [(Change, &str); 12] = [
        (|s| s.lambda = f64::INFINITY, "lambda"),
        (|s| s.m = 0, "m"),
        (|s| s.m = 256, "m"),
        (|s| s.tau = f64::NAN, "tau"),
        (|s| s.alpha.scale = 0.0, "alpha"),
        (|s| s.alpha.base = 0.99, "alpha_base"),
        (|s| s.beta.scale = 0.5, "beta"),
        (|s| s.beta.base = 1.0, "beta"),
        (|s| s.structure = 1.0, "structure"),
        (|s| s.structure = 0.0, "structure"),
        (|s| s.fringe = Some(0), "fringe"),
        (|s| s.features = PAIRS, "features"),
    ];
    for (change, parameter) in cases {
        assert_eq!(refused(change), parameter);
    }
    assert_eq!(refused::<SaffariSettings>(|s| s.tests = 0), "tests");
    assert_eq!(refused::<SaffariSettings>(|s| s.tests = 1_000_001), "tests");
    assert_eq!(refused::<SaffariSettings>(|s| s.m = 0), "m");
    assert_eq!(
        refused::<SaffariSettings>(|s| s.min_gain = -1.0),
        "min_gain"
    );
}

/// Returns whether ten trees vote for one class each.
fn votes_are_whole(settings: &StreamSettings, width: usize) -> bool {
    let stream = Stream::<Classification>::uniform(600, width, 1);
    let forest = super::taught::<StreamTree<_>>(10, 1, settings, &stream, 600);
    let predictions = forest.predict(stream.features.view()).unwrap();
    let mut votes = predictions.iter().map(|share| 10.0 * share);
    votes.all(|votes| (votes - votes.round()).abs() < 1e-9)
}

#[test]
fn trees_of_the_paper_vote_for_one_class_each() {
    let [mixture, usps] = super::settings_of_the_paper();
    assert!(votes_are_whole(&mixture, 2) && votes_are_whole(&usps, 2));
    let mut pairs = mixture;
    pairs.features = PAIRS;
    assert!(votes_are_whole(&pairs, 25));
    assert!(
        !votes_are_whole(&StreamSettings::default(), 2),
        "averages pass"
    );
}

#[test]
fn the_trees_of_saffari_keep_to_depth_and_points() {
    let nodes = |change: fn(&mut SaffariSettings), rows| {
        let mut settings = SaffariSettings::default();
        change(&mut settings);
        let stream = Stream::<Classification>::uniform(rows, 2, 1);
        let forest = super::taught::<SaffariTree<_>>(20, 1, &settings, &stream, rows);
        let nodes = forest.trees().map(|tree| tree.footprint().nodes);
        nodes.max().unwrap()
    };
    assert_eq!(nodes(|s| s.max_depth = 2, 3000), 7);
    assert_eq!(nodes(|s| s.max_depth = 0, 500), 1);
    assert_eq!(nodes(|s| s.min_samples = 1000, 800), 1);
    assert_eq!(nodes(|s| s.min_samples = 1000, 1300), 3);
}

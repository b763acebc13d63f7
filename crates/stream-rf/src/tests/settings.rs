//! Settings that break a rule are refused by name; and what the forest of Saffari et al. is set to do, it does.

use crate::{FeatureSource, SaffariSettings, SaffariTree, StreamSettings};
use forest_core::{Classification, OnlineTree, Schema, Settings};
use forest_testing::conformance::Stream;

/// Returns the parameter that changed settings of points of three numbers are refused for.
fn refused<S: Settings<Classification> + Default>(change: fn(&mut S)) -> &'static str {
    let mut settings = S::default();
    change(&mut settings);
    let schema = Schema::new(3).unwrap();
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
    let gain = refused::<SaffariSettings>(|s| s.min_gain = -1.0);
    assert_eq!(gain, "min_gain");
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

//! Settings that break a rule are refused by name; those of the paper are accepted; and what the
//! forest of Saffari et al. is set to do, it does.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use forest_core::{Classification, OnlineLearner, OnlineTree as _, Schema, Settings};
use forest_testing::conformance::{Stream, forests};
use stream_rf::{
    FeatureSource, FringeLimit, SaffariSettings, SaffariTree, StreamSettings, StreamTree,
};

/// Returns the parameter that `settings` of points of three numbers are refused for.
fn refused(settings: &impl Settings<Classification>) -> &'static str {
    let schema = Schema::<Classification>::new(3).unwrap();
    settings.check(&schema).unwrap_err().parameter
}

#[test]
fn a_broken_rule_is_reported_by_name() {
    let stream = |change: fn(&mut StreamSettings)| {
        let mut settings = StreamSettings::default();
        change(&mut settings);
        refused(&settings)
    };
    assert_eq!(stream(|s| s.lambda = f64::INFINITY), "lambda");
    assert_eq!(stream(|s| s.m = 0), "m");
    assert_eq!(stream(|s| s.m = 256), "m");
    assert_eq!(stream(|s| s.tau = f64::NAN), "tau");
    assert_eq!(stream(|s| s.alpha.scale = 0.0), "alpha");
    assert_eq!(stream(|s| s.alpha.base = 0.99), "alpha_base");
    assert_eq!(stream(|s| s.beta.scale = 0.5), "beta");
    assert_eq!(stream(|s| s.beta.base = 1.0), "beta");
    assert_eq!(stream(|s| s.structure = 1.0), "structure");
    assert_eq!(stream(|s| s.structure = 0.0), "structure");
    assert_eq!(stream(|s| s.fringe = FringeLimit::AtMost(0)), "fringe");
    assert_eq!(stream(|s| s.features = PAIRS), "features");
    let saffari = |change: fn(&mut SaffariSettings)| {
        let mut settings = SaffariSettings::default();
        change(&mut settings);
        refused(&settings)
    };
    assert_eq!(saffari(|s| s.tests = 0), "tests");
    assert_eq!(saffari(|s| s.tests = 1_000_001), "tests");
    assert_eq!(saffari(|s| s.m = 0), "m");
    assert_eq!(saffari(|s| s.min_gain = -1.0), "min_gain");
}

const PAIRS: FeatureSource = FeatureSource::PixelPairs { variance: 75.0 };

/// Returns the shares of the votes of ten trees, for each class.
fn shares(settings: StreamSettings, width: usize) -> Vec<f64> {
    let schema = Schema::new(width).unwrap();
    let mut forest = forests::<StreamTree<Classification>>(10, settings)(schema, 1);
    let stream = Stream::<Classification>::uniform(600, width, 1);
    stream.teach(&mut forest, 0, 600).unwrap();
    let predictions = forest.predict(stream.features.view()).unwrap();
    predictions.into_iter().collect()
}

#[test]
fn trees_of_the_paper_vote_for_one_class_each() {
    let whole = |share: &f64| (10.0 * share - (10.0 * share).round()).abs() < 1e-9;
    assert!(shares(crate::mixture_of_gaussians(), 2).iter().all(whole));
    assert!(shares(crate::usps(), 2).iter().all(whole));
    let pairs = StreamSettings {
        vote: forest_core::Vote::Majority,
        features: PAIRS,
        ..StreamSettings::default()
    };
    assert!(shares(pairs, 25).iter().all(whole));
    let default = shares(StreamSettings::default(), 2);
    assert!(!default.iter().all(whole), "averages pass");
}

/// Most nodes of a tree after `rows` samples.
fn nodes(settings: SaffariSettings, rows: usize) -> usize {
    let schema = Schema::new(2).unwrap();
    let mut forest = forests::<SaffariTree<Classification>>(20, settings)(schema, 1);
    let stream = Stream::<Classification>::uniform(rows, 2, 1);
    stream.teach(&mut forest, 0, rows).unwrap();
    forest.check_invariants().unwrap();
    forest
        .trees()
        .map(|tree| tree.footprint().nodes)
        .max()
        .unwrap()
}

#[test]
fn the_trees_of_saffari_keep_to_depth_and_points() {
    let default = SaffariSettings::default;
    let shallow = SaffariSettings {
        max_depth: 2,
        ..default()
    };
    assert_eq!(nodes(shallow, 3000), 7);
    let rooted = SaffariSettings {
        max_depth: 0,
        ..default()
    };
    assert_eq!(nodes(rooted, 500), 1);
    let patient = SaffariSettings {
        min_samples: 1000,
        ..default()
    };
    assert_eq!((nodes(patient.clone(), 800), nodes(patient, 1300)), (1, 3));
}

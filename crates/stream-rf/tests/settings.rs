//! Settings that break a rule are refused by name; those of the paper are accepted; and what the
//! forest of Saffari et al. is set to do, it does.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use forest_core::{Classification, OnlineLearner, Schema, Settings};
use forest_testing::conformance::{Stream, forests};
use stream_rf::{
    Axes, FeatureSpace, FringeLimit, PixelPairs, SaffariSettings, SaffariTree, StreamSettings,
    StreamTree,
};

/// Returns the parameter that `change` makes the default settings be refused for.
fn refused(change: impl FnOnce(&mut StreamSettings)) -> &'static str {
    let mut settings = StreamSettings::<Axes>::default();
    change(&mut settings);
    let schema = Schema::<Classification>::new(3).unwrap();
    settings.check(&schema).unwrap_err().parameter
}

#[test]
fn a_broken_rule_is_reported_by_name() {
    assert_eq!(refused(|s| s.lambda = f64::INFINITY), "lambda");
    assert_eq!(refused(|s| s.lambda = -1.0), "lambda");
    assert_eq!(refused(|s| s.m = 0), "m");
    assert_eq!(refused(|s| s.m = 256), "m");
    assert_eq!(refused(|s| s.tau = f64::NAN), "tau");
    assert_eq!(refused(|s| s.alpha.scale = 0.0), "alpha");
    assert_eq!(refused(|s| s.alpha.base = 0.99), "alpha_base");
    assert_eq!(refused(|s| s.beta.scale = 0.5), "beta");
    assert_eq!(refused(|s| s.beta.base = 1.0), "beta");
    assert_eq!(refused(|s| s.streams.structure = 0.6), "structure");
    assert_eq!(refused(|s| s.streams.estimation = 0.0), "estimation");
    assert_eq!(refused(|s| s.fringe = FringeLimit::AtMost(0)), "fringe");
}

#[test]
fn pixel_pairs_need_a_window() {
    let settings = StreamSettings::<PixelPairs>::default();
    let window = Schema::<Classification>::new(25).unwrap();
    settings.check(&window).unwrap();
    let plane = Schema::<Classification>::new(2).unwrap();
    let error = settings.check(&plane);
    assert_eq!(error.unwrap_err().parameter, "features");
}

/// Returns the shares of the votes of ten trees, for each class.
fn shares<S: FeatureSpace>(settings: StreamSettings<S>, width: usize) -> Vec<f64> {
    let schema = Schema::new(width).unwrap();
    let mut forest = forests::<StreamTree<Classification, S>>(10, settings)(schema, 1);
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
    let pairs = StreamSettings::<PixelPairs> {
        vote: forest_core::Vote::Majority,
        ..StreamSettings::default()
    };
    assert!(shares(pairs, 25).iter().all(whole));
    let default = shares(StreamSettings::<Axes>::default(), 2);
    assert!(!default.iter().all(whole), "averages pass");
}

/// Most nodes of a tree after `rows` samples.
fn nodes(settings: SaffariSettings, rows: usize) -> usize {
    let schema = Schema::new(2).unwrap();
    let mut forest = forests::<SaffariTree<Classification>>(20, settings)(schema, 1);
    let stream = Stream::<Classification>::uniform(rows, 2, 1);
    stream.teach(&mut forest, 0, rows).unwrap();
    forest.check_invariants().unwrap();
    forest.trees().map(|tree| tree.len()).max().unwrap()
}

#[test]
fn the_trees_of_saffari_keep_to_depth_and_points() {
    let default = SaffariSettings::<Axes>::default;
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

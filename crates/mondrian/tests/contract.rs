//! Mondrian forests keep the properties of the contract, whatever their settings.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use forest_core::{OnlineLearner, Regression, Schema};
use forest_testing::conformance;
use label_models::{AggregatedClasses, AggregatedMeans, ClassFrequencies, LeafMeans};
use mondrian::{MondrianSettings, MondrianTree, fixed, increasing};
use tessellation_tree::{LabelSettings, Pause, Update};

fn settings<L: LabelSettings>() -> Vec<MondrianSettings<L>> {
    vec![
        fixed(f64::INFINITY),
        MondrianSettings {
            pause: Pause::Never,
            ..fixed(f64::INFINITY)
        },
        MondrianSettings {
            max_uncut: 3,
            ..fixed(40.0)
        },
        increasing(20.0, 3),
        MondrianSettings {
            update: Update::Redraw,
            max_uncut: 3,
            ..increasing(1.0, 3)
        },
        MondrianSettings {
            update: Update::NewPointOnly,
            pause: Pause::WhileLabelsAgree,
            ..fixed(f64::INFINITY)
        },
    ]
}

#[test]
fn classification_keeps_the_laws() {
    conformance::check_forests::<MondrianTree<ClassFrequencies>>(7, settings()).unwrap();
}

#[test]
fn regression_keeps_the_laws() {
    conformance::check_forests::<MondrianTree<LeafMeans>>(7, settings()).unwrap();
}

#[test]
fn mixtures_of_prunings_keep_the_laws() {
    conformance::check_forests::<MondrianTree<AggregatedClasses>>(7, settings()).unwrap();
    conformance::check_forests::<MondrianTree<AggregatedMeans>>(7, settings()).unwrap();
}

#[test]
fn golden_predictions_are_pinned() {
    let stream = conformance::Stream::<Regression>::uniform(200, 3, 1);
    let build = conformance::forests::<MondrianTree<LeafMeans>>(2, fixed(3.0));
    let mut forest = build(Schema::new(3).unwrap(), 7);
    stream.teach(&mut forest, 0, 200).unwrap();
    let prediction = forest.predict_one(&[0.5, 0.5, 0.5]).unwrap();
    assert_eq!(
        (prediction, forest.footprint().nodes),
        (vec![0.5642229222468643], 150)
    );
}

//! BSP-Forests keep the properties of the contract, whatever their settings.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use forest_core::{OnlineLearner, Regression, Schema};
use forest_testing::conformance;
use label_models::{ClassFrequencies, LeafMeans};
use obsp::{BspSettings, BspTree, PairSettings, PairWeights, exact, fixed, redraw};
use tessellation_tree::{LabelSettings, Pause};

fn settings<L: LabelSettings>() -> Vec<BspSettings<L>> {
    vec![
        exact(20.0, 3),
        fixed(f64::INFINITY),
        BspSettings {
            max_uncut: 1,
            pause: Pause::WhileLabelsAgree,
            ..fixed(f64::INFINITY)
        },
        BspSettings {
            max_uncut: 1,
            ..fixed(40.0)
        },
        redraw(1.0, 3),
        BspSettings {
            cuts: PairSettings {
                rate: 1.0,
                weights: PairWeights::Equal,
            },
            ..redraw(2.0, 3)
        },
    ]
}

#[test]
fn classification_keeps_the_laws() {
    conformance::check_forests::<BspTree<ClassFrequencies>>(7, settings()).unwrap();
}

#[test]
fn regression_keeps_the_laws() {
    conformance::check_forests::<BspTree<LeafMeans>>(7, settings()).unwrap();
}

#[test]
fn golden_predictions_are_pinned() {
    let stream = conformance::Stream::<Regression>::uniform(200, 3, 1);
    let build = conformance::forests::<BspTree<LeafMeans>>(2, fixed(3.0));
    let mut forest = build(Schema::new(3).unwrap(), 7);
    stream.teach(&mut forest, 0, 200).unwrap();
    let prediction = forest.predict_one(&[0.5, 0.5, 0.5]).unwrap();
    assert_eq!(
        (prediction, forest.footprint().nodes),
        (vec![1.290380407030843], 264)
    );
}

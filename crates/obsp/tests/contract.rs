//! BSP-Forests keep the laws of the contract, whatever their settings.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use forest_core::{Classification, ForestSettings, OnlineLearner, Regression, Schema};
use forest_testing::conformance;
use obsp::{
    BspClassifier, BspRegressor, BspSettings, PairSettings, PairWeights, exact, fixed, redraw,
};
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
    for settings in settings() {
        let build = |schema: Schema<Classification>, seed| {
            BspClassifier::new(
                schema,
                settings.clone(),
                ForestSettings {
                    trees: 7,
                    seed,
                    ..ForestSettings::default()
                },
            )
            .expect("settings are valid")
        };
        conformance::check(&build).unwrap_or_else(|broken| panic!("{settings:?}: {broken}"));
    }
}

#[test]
fn regression_keeps_the_laws() {
    for settings in settings() {
        let build = |schema: Schema<Regression>, seed| {
            BspRegressor::new(
                schema,
                settings.clone(),
                ForestSettings {
                    trees: 7,
                    seed,
                    ..ForestSettings::default()
                },
            )
            .expect("settings are valid")
        };
        conformance::check(&build).unwrap_or_else(|broken| panic!("{settings:?}: {broken}"));
    }
}

#[test]
fn golden_predictions_are_pinned() {
    let stream = conformance::Stream::<Regression>::uniform(200, 3, 1);
    let mut forest = BspRegressor::new(
        Schema::new(3).unwrap(),
        fixed(3.0),
        ForestSettings {
            trees: 2,
            seed: 7,
            ..ForestSettings::default()
        },
    )
    .unwrap();
    stream.teach(&mut forest, 0, 200).unwrap();
    let answer = forest.predict_one(&[0.5, 0.5, 0.5]).unwrap();
    assert_eq!(
        (answer, forest.footprint().nodes),
        (vec![1.290380407030843], 264)
    );
}

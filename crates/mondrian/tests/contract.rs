//! Mondrian forests keep the laws of the contract, whatever their settings.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use forest_core::{Classification, ForestSettings, OnlineLearner, Regression, Schema};
use forest_testing::conformance;
use mondrian::{MondrianClassifier, MondrianRegressor, MondrianSettings, fixed, increasing};
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
    ]
}

#[test]
fn classification_keeps_the_laws() {
    for settings in settings() {
        let build = |schema: Schema<Classification>, seed| {
            MondrianClassifier::new(
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
            MondrianRegressor::new(
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
    let mut forest = MondrianRegressor::new(
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
        (vec![0.6865471383254673], 136)
    );
}

//! Mondrian forests keep the laws of the contract, whatever their settings.

use forest_core::{Classification, Regression, Schema, laws};
use mondrian::{MondrianClassifier, MondrianRegressor, MondrianSettings, fixed, increasing};
use tessellation_tree::{Pause, Update};

fn settings() -> Vec<MondrianSettings> {
    vec![
        fixed(f64::INFINITY),
        MondrianSettings {
            pause: Pause::WhileLabelsAgree,
            ..fixed(f64::INFINITY)
        },
        MondrianSettings {
            min_points: 3,
            ..fixed(40.0)
        },
        increasing(20.0, 3),
        MondrianSettings {
            update: Update::Redraw,
            min_points: 3,
            ..increasing(1.0, 3)
        },
    ]
}

#[test]
fn classification_keeps_the_laws() {
    for settings in settings() {
        let plant = |schema: Schema<Classification>, seed| {
            MondrianClassifier::new(schema, settings.clone(), 7, seed).expect("settings are valid")
        };
        laws::check(&plant).unwrap_or_else(|broken| panic!("{settings:?}: {broken}"));
    }
}

#[test]
fn regression_keeps_the_laws() {
    for settings in settings() {
        let plant = |schema: Schema<Regression>, seed| {
            MondrianRegressor::new(schema, settings.clone(), 7, seed).expect("settings are valid")
        };
        laws::check(&plant).unwrap_or_else(|broken| panic!("{settings:?}: {broken}"));
    }
}

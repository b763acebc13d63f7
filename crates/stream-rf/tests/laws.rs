//! Every law of the contract, for both tasks and for settings at the edges.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use forest_core::{Classification, Regression, Schema, laws};
use stream_rf::{FringeLimit, StreamClassifier, StreamRegressor, StreamSettings, Streams};

/// The defaults, the paper's settings, a fringe of one leaf, and streams of odd shares.
fn variants() -> Vec<StreamSettings> {
    let default = StreamSettings::default();
    let narrow = StreamSettings {
        fringe: FringeLimit::AtMost(1),
        ..default.clone()
    };
    let small = StreamSettings {
        fringe: FringeLimit::AtMost(7),
        m: 3,
        ..default.clone()
    };
    let streams = StreamSettings {
        streams: Streams {
            structure: 0.3,
            estimation: 0.6,
        },
        ..default.clone()
    };
    vec![
        default,
        StreamSettings::mixture_of_gaussians(),
        narrow,
        small,
        streams,
    ]
}

fn classifier(
    settings: StreamSettings,
    trees: usize,
) -> impl Fn(Schema<Classification>, u64) -> StreamClassifier {
    move |schema, seed| StreamClassifier::new(schema, settings.clone(), trees, seed).unwrap()
}

fn regressor(
    settings: StreamSettings,
    trees: usize,
) -> impl Fn(Schema<Regression>, u64) -> StreamRegressor {
    move |schema, seed| StreamRegressor::new(schema, settings.clone(), trees, seed).unwrap()
}

#[test]
fn classifiers_keep_every_law() {
    for settings in variants() {
        eprintln!("{settings:?}");
        laws::check(&classifier(settings, 10)).unwrap();
    }
}

#[test]
fn regressors_keep_every_law() {
    for settings in variants() {
        eprintln!("{settings:?}");
        laws::check(&regressor(settings, 10)).unwrap();
    }
}

//! Every law of the contract, for both tasks and for settings at the edges.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use forest_core::{Classification, ForestSettings, Regression, Schema};
use forest_testing::conformance;
use stream_rf::{
    Axes, FringeLimit, SaffariClassifier, SaffariRegressor, SaffariSettings, StreamChoice,
    StreamClassifier, StreamRegressor, StreamSettings, Streams,
};

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
            ..Streams::default()
        },
        ..default.clone()
    };
    let per_row = StreamSettings {
        streams: Streams {
            choice: StreamChoice::PerRow,
            ..Streams::default()
        },
        ..default.clone()
    };
    vec![
        per_row,
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
    move |schema, seed| {
        StreamClassifier::new(
            schema,
            settings.clone(),
            ForestSettings {
                trees,
                seed,
                ..ForestSettings::default()
            },
        )
        .unwrap()
    }
}

fn regressor(
    settings: StreamSettings,
    trees: usize,
) -> impl Fn(Schema<Regression>, u64) -> StreamRegressor {
    move |schema, seed| {
        StreamRegressor::new(
            schema,
            settings.clone(),
            ForestSettings {
                trees,
                seed,
                ..ForestSettings::default()
            },
        )
        .unwrap()
    }
}

#[test]
fn classifiers_keep_every_law() {
    for settings in variants() {
        eprintln!("{settings:?}");
        conformance::check(&classifier(settings, 10)).unwrap();
    }
}

#[test]
fn regressors_keep_every_law() {
    for settings in variants() {
        eprintln!("{settings:?}");
        conformance::check(&regressor(settings, 10)).unwrap();
    }
}

fn saffari_variants() -> Vec<SaffariSettings> {
    let default = SaffariSettings::<Axes>::default();
    let eager = SaffariSettings {
        tests: 2,
        m: 1,
        min_samples: 2,
        min_gain: 0.0,
        ..default.clone()
    };
    let shallow = SaffariSettings {
        max_depth: 3,
        ..default.clone()
    };
    vec![default, eager, shallow]
}

#[test]
fn the_forest_of_saffari_keeps_every_law() {
    for settings in saffari_variants() {
        eprintln!("{settings:?}");
        let classifier = |schema, seed| {
            SaffariClassifier::new(
                schema,
                settings.clone(),
                ForestSettings {
                    trees: 10,
                    seed,
                    ..ForestSettings::default()
                },
            )
            .unwrap()
        };
        conformance::check::<Classification, _>(&classifier).unwrap();
        let regressor = |schema, seed| {
            SaffariRegressor::new(
                schema,
                settings.clone(),
                ForestSettings {
                    trees: 10,
                    seed,
                    ..ForestSettings::default()
                },
            )
            .unwrap()
        };
        conformance::check::<Regression, _>(&regressor).unwrap();
    }
}

#[test]
fn snapshots_go_on_as_if_never_stopped() {
    fn save(forest: &impl serde::Serialize) -> Vec<u8> {
        registry::snapshot::encode_value(forest).unwrap()
    }
    for settings in variants() {
        let build = classifier(settings.clone(), 7);
        let load = |bytes: &[u8]| registry::snapshot::decode_value(bytes).unwrap();
        conformance::a_snapshot_goes_on(&build, &save, &load).unwrap();
        conformance::the_same_bytes(&build, &save).unwrap();
        let build = regressor(settings, 7);
        let load = |bytes: &[u8]| registry::snapshot::decode_value(bytes).unwrap();
        conformance::a_snapshot_goes_on(&build, &save, &load).unwrap();
        conformance::the_same_bytes(&build, &save).unwrap();
    }
}

//! The laws of forest-core, for every algorithm and task, in more than one setting.
#![allow(clippy::unwrap_used, reason = "helpers of tests may panic, too")]

mod common;

use forest_core::conformance::{self, Broken, ConformanceTask};
use online_forests::snapshot::{self, Codec};
use online_forests::{Algorithm, Classification, Facade, ForestSettings, Regression, Schema};

/// The law's factory.
fn build<T: Facade>(algorithm: &Algorithm) -> impl Fn(Schema<T>, u64) -> T::Any + Sync {
    move |schema, seed| {
        algorithm
            .build(
                schema,
                ForestSettings {
                    trees: 3,
                    seed,
                    ..ForestSettings::default()
                },
            )
            .unwrap()
    }
}

/// Every law but [`conformance::the_prior_is_beaten`], which the prior cannot keep.
fn all_but_the_prior<T: ConformanceTask + Facade>(algorithm: &Algorithm) -> Result<(), Broken> {
    let build = &build::<T>(algorithm);
    conformance::batch_is_rows(build)?;
    conformance::test_then_train_is_rows(build)?;
    conformance::threads_are_invisible(build)?;
    conformance::prediction_changes_nothing(build)?;
    conformance::bad_input_is_harmless(build)?;
    conformance::predictions_are_well_formed(build)?;
    conformance::classes_may_appear(build)?;
    conformance::odd_streams_survive(build)?;
    conformance::invariants_hold_after_every_sample(build)
}

fn laws_of_snapshots<T: ConformanceTask + Facade>(
    algorithm: &Algorithm,
    codec: Codec,
) -> Result<(), Broken> {
    let build = &build::<T>(algorithm);
    let save = |learner: &T::Any| snapshot::to_bytes(learner, codec).unwrap();
    let load = |bytes: &[u8]| snapshot::from_bytes::<T::Any>(bytes).unwrap();
    conformance::a_snapshot_goes_on(build, &save, &load)?;
    conformance::the_same_bytes(build, &save)
}

/// The cosine cannot tell points of one direction apart, which the law of the prior asks for.
fn sees_directions_alone(algorithm: &Algorithm) -> bool {
    algorithm.given().any(|given| given == ("metric", "cosine"))
}

fn every_law<T: ConformanceTask + Facade>(algorithm: &Algorithm) -> Result<(), Broken> {
    if algorithm.is_baseline() || sees_directions_alone(algorithm) {
        all_but_the_prior::<T>(algorithm)?;
    } else {
        conformance::check(&build::<T>(algorithm))?;
    }
    laws_of_snapshots::<T>(algorithm, Codec::Bincode)?;
    laws_of_snapshots::<T>(algorithm, Codec::Postcard)
}

fn every_algorithm_keeps_every_law<T: ConformanceTask + Facade>() {
    for algorithm in common::every::<T>() {
        let kept = every_law::<T>(&algorithm);
        assert!(kept.is_ok(), "{algorithm} for {}: {kept:?}", T::NAME);
    }
}

#[test]
fn every_classifier_keeps_every_law() {
    every_algorithm_keeps_every_law::<Classification>();
}

#[test]
fn every_regressor_keeps_every_law() {
    every_algorithm_keeps_every_law::<Regression>();
}

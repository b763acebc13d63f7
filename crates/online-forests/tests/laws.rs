//! The laws of forest-core, for every algorithm and task, in more than one setting.
#![allow(clippy::unwrap_used, reason = "helpers of tests may panic, too")]

mod common;

use forest_core::laws::{self, Broken, LawTask};
use online_forests::snapshot::{self, Codec};
use online_forests::{Algorithm, Classification, Facade, ForestSettings, Regression, Schema};

/// The law's factory.
fn build<T: Facade>(algorithm: &Algorithm) -> impl Fn(Schema<T>, u64) -> T::Any + Sync {
    move |schema, seed| {
        algorithm
            .build(schema, ForestSettings { trees: 3, seed })
            .unwrap()
    }
}

/// Every law but [`laws::the_prior_is_beaten`], which the prior cannot keep.
fn all_but_the_prior<T: LawTask + Facade>(algorithm: &Algorithm) -> Result<(), Broken> {
    let build = &build::<T>(algorithm);
    laws::batch_is_rows(build)?;
    laws::test_then_train_is_rows(build)?;
    laws::threads_are_invisible(build)?;
    laws::prediction_changes_nothing(build)?;
    laws::bad_input_is_harmless(build)?;
    laws::predictions_are_well_formed(build)?;
    laws::classes_may_appear(build)?;
    laws::odd_streams_survive(build)?;
    laws::invariants_hold_after_every_sample(build)
}

fn laws_of_snapshots<T: LawTask + Facade>(
    algorithm: &Algorithm,
    codec: Codec,
) -> Result<(), Broken> {
    let build = &build::<T>(algorithm);
    let save = |learner: &T::Any| snapshot::to_bytes(learner, codec).unwrap();
    let load = |bytes: &[u8]| snapshot::from_bytes::<T::Any>(bytes).unwrap();
    laws::a_snapshot_goes_on(build, &save, &load)?;
    laws::the_same_bytes(build, &save)
}

/// The cosine cannot tell points of one direction apart, which the law of the prior asks for.
fn sees_directions_alone(algorithm: &Algorithm) -> bool {
    algorithm.given().any(|given| given == ("metric", "cosine"))
}

fn every_law<T: LawTask + Facade>(algorithm: &Algorithm) -> Result<(), Broken> {
    if algorithm.is_baseline() || sees_directions_alone(algorithm) {
        all_but_the_prior::<T>(algorithm)?;
    } else {
        laws::check(&build::<T>(algorithm))?;
    }
    laws_of_snapshots::<T>(algorithm, Codec::Bincode)?;
    laws_of_snapshots::<T>(algorithm, Codec::Postcard)
}

fn every_algorithm_keeps_every_law<T: LawTask + Facade>() {
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

//! What every learner must do, as checks that are functions of a factory.
//!
//! A factory makes a learner for a schema and a seed; [`check`] runs every check on what it makes, and
//! each can be run alone; [`check_forests`] does so for forests with several settings. A check returns [`Broken`] rather than panicking, so that a test
//! can also show that it *would* fail.
//!
//! | check | in words |
//! |---|---|
//! | [`batch_is_rows`] | learning a batch = learning its rows, bit for bit |
//! | [`test_then_train_is_rows`] | so is predicting and learning in one call |
//! | [`predicting_is_row_by_row`] | so is predicting |
//! | [`large_batches_are_small_ones`] | 10,000 rows in one call, more than any learner takes at a time, are the same rows in small batches: learned, predicted, or both |
//! | [`large_trees_are_small_ones`] | a tree that no cache holds learns and predicts many rows in one call as one after another; not part of [`check`], since it takes seconds |
//! | [`threads_are_invisible`] | one, two, three or five threads give the same bits |
//! | [`a_seed_is_a_result`] | the same seed and stream give the same predictions |
//! | [`prediction_changes_nothing`] | a learner that has predicted = one that has not |
//! | [`bad_input_is_harmless`] | refused with an error that names the place, and the learner is unchanged |
//! | [`a_refusal_leaves_the_same_bytes`] | the same, of everything that a snapshot holds |
//! | [`layouts_are_invisible`] | row-major, column-major, reversed or with strides: the same |
//! | [`predictions_are_well_formed`] | probabilities are probabilities, means are finite, also before the first sample |
//! | [`classes_may_appear`] | a row is as wide as the classes known |
//! | [`odd_streams_survive`] | constant features, duplicates, one class, one feature, huge and tiny values, extreme targets |
//! | [`invariants_hold_after_every_sample`] | the data never contradict themselves |
//! | [`the_prior_is_beaten`] | features help: better than majority or mean |
//! | [`a_snapshot_resumes`] | saved in the middle and loaded = never stopped |
//! | [`the_same_bytes`] | the same seed and stream give the same snapshot |
//!
//! ```
//! use forest_core::{Prior, Regression};
//! use forest_testing::conformance;
//!
//! conformance::batch_is_rows::<Regression, _>(&|schema, _seed| Prior::new(schema))?;
//! # Ok::<(), conformance::Broken>(())
//! ```

mod batches;
mod determinism;
mod forests;
mod input;
mod predictions;
mod refusals;
mod snapshots;
mod stream;
mod survival;

use thiserror::Error;

use forest_core::{OnlineLearner, Schema};

pub use batches::{
    batch_is_rows, large_batches_are_small_ones, large_trees_are_small_ones,
    predicting_is_row_by_row, test_then_train_is_rows,
};
pub use determinism::{a_seed_is_a_result, prediction_changes_nothing, threads_are_invisible};
pub use forests::{check_forests, forests};
pub use input::{bad_input_is_harmless, layouts_are_invisible};
pub use predictions::{classes_may_appear, predictions_are_well_formed, the_prior_is_beaten};
pub use refusals::a_refusal_leaves_the_same_bytes;
pub use snapshots::{a_snapshot_resumes, altered, the_same_bytes};
pub use stream::{ConformanceTask, Stream};
pub use survival::{invariants_hold_after_every_sample, odd_streams_survive};

/// A check that a learner failed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{check}` does not hold: {how}")]
pub struct Broken {
    /// Its name.
    pub check: &'static str,
    /// What was seen.
    pub how: String,
}

impl Broken {
    fn require(holds: bool, check: &'static str, how: impl FnOnce() -> String) -> Result<(), Self> {
        if holds {
            Ok(())
        } else {
            Err(Self { check, how: how() })
        }
    }
}

/// Runs every check that needs no snapshot, except for [`large_batches_are_small_ones`], which takes as long as all of them; those that
/// do are called with their own functions.
///
/// # Errors
/// The first that fails.
pub fn check<T: ConformanceTask, L: OnlineLearner<Task = T>>(
    build: &(impl Fn(Schema<T>, u64) -> L + Sync),
) -> Result<(), Broken> {
    check_all_but_the_prior(build)?;
    the_prior_is_beaten(build)
}

/// Runs every check but [`the_prior_is_beaten`], which the prior itself cannot pass.
///
/// # Errors
/// The first that fails.
pub fn check_all_but_the_prior<T: ConformanceTask, L: OnlineLearner<Task = T>>(
    build: &(impl Fn(Schema<T>, u64) -> L + Sync),
) -> Result<(), Broken> {
    batch_is_rows(build)?;
    test_then_train_is_rows(build)?;
    predicting_is_row_by_row(build)?;
    threads_are_invisible(build)?;
    a_seed_is_a_result(build)?;
    prediction_changes_nothing(build)?;
    bad_input_is_harmless(build)?;
    layouts_are_invisible(build)?;
    predictions_are_well_formed(build)?;
    classes_may_appear(build)?;
    odd_streams_survive(build)?;
    invariants_hold_after_every_sample(build)
}

fn schema<T: ConformanceTask>(features: usize) -> Schema<T> {
    Schema::new(features).expect("checks use at least one feature")
}

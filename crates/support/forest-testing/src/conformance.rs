//! What every learner must do, as checks that are functions of a factory.
//!
//! A factory makes a learner for a schema and a seed; [`check`] runs every check that needs no snapshot on what it
//! makes, [`check_forests`] on forests with several settings.
//!
//! A batch is its rows; threads, seeds and memory layouts are invisible; bad input is refused and leaves no trace;
//! predictions are well formed at any moment of any stream; invariants hold after every sample; features help; and a
//! snapshot resumes. Not part of [`check`], since they take as long as all others: [`large_batches_are_small_ones`] and
//! [`large_trees_are_small_ones`].
//!
//! ```
//! use forest_core::{Prior, Regression};
//! use forest_testing::conformance;
//!
//! conformance::check_all_but_the_prior::<Regression, _>(&|schema, _seed| Prior::new(schema))?;
//! # Ok::<(), conformance::Broken>(())
//! ```

mod factory;
mod input;
mod predictions;
mod rows;
mod stream;

use forest_core::{OnlineLearner, OnlineTree, Schema, TreeRng};

pub use factory::{Broken, forests};
use factory::{Build, Built, schema};
pub use input::a_refusal_leaves_the_same_bytes;
pub use rows::{large_batches_are_small_ones, large_trees_are_small_ones};
use stream::prediction_bits;
pub use stream::{ConformanceTask, Stream};

/// A check, which panics where it fails.
type Check<T> = fn(&Build<'_, T>);

/// Runs every check that needs no snapshot.
///
/// # Errors
/// Returns the first that fails.
pub fn check<T: ConformanceTask, L: OnlineLearner<Task = T> + 'static>(
    build: &(impl Fn(Schema<T>, u64) -> L + Sync),
) -> Result<(), Broken> {
    check_all_but_the_prior(build)?;
    let build = |schema, seed| Box::new(build(schema, seed)) as Built<T>;
    Broken::catch("the_prior_is_beaten", || {
        predictions::the_prior_is_beaten(&build);
    })
}

/// Runs every such check but `the_prior_is_beaten`, which the prior itself cannot pass.
///
/// # Errors
/// Returns the first that fails.
pub fn check_all_but_the_prior<T: ConformanceTask, L: OnlineLearner<Task = T> + 'static>(
    build: &(impl Fn(Schema<T>, u64) -> L + Sync),
) -> Result<(), Broken> {
    let build = |schema, seed| Box::new(build(schema, seed)) as Built<T>;
    let checks: [(&str, Check<T>); 12] = [
        ("batch_is_rows", rows::batch_is_rows),
        ("test_then_train_is_rows", rows::test_then_train_is_rows),
        ("predicting_is_row_by_row", rows::predicting_is_row_by_row),
        ("threads_are_invisible", rows::threads_are_invisible),
        ("a_seed_is_a_result", rows::a_seed_is_a_result),
        (
            "prediction_changes_nothing",
            rows::prediction_changes_nothing,
        ),
        ("bad_input_is_harmless", input::bad_input_is_harmless),
        ("layouts_are_invisible", input::layouts_are_invisible),
        ("predictions_are_well_formed", predictions::are_well_formed),
        ("classes_may_appear", predictions::classes_may_appear),
        ("odd_streams_survive", predictions::odd_streams_survive),
        ("invariants_hold", predictions::invariants_hold),
    ];
    let mut checks = checks.into_iter();
    checks.try_for_each(|(name, run)| Broken::catch(name, || run(&build)))
}

/// Runs [`check`] on forests of each number of trees with each of `variants`.
///
/// # Errors
/// Returns the first that fails, and with which settings.
pub fn check_forests<K: OnlineTree<Task: ConformanceTask>>(
    trees: usize,
    variants: impl IntoIterator<Item = K::Settings>,
) -> Result<(), Broken> {
    for settings in variants {
        check(&forests::<K>(trees, settings.clone())).map_err(|broken| Broken {
            how: format!("{} (with {settings:?})", broken.how),
            ..broken
        })?;
    }
    Ok(())
}

/// Rows of the streams that are saved.
const ROWS: usize = 300;

/// Checks that a learner saved and loaded in mid-stream ends with the predictions and bytes of one never stopped.
///
/// # Errors
/// Returns an error if a bit differs.
pub fn a_snapshot_resumes<T: ConformanceTask, L: OnlineLearner<Task = T>>(
    build: &impl Fn(Schema<T>, u64) -> L,
    save: &impl Fn(&L) -> Vec<u8>,
    load: &impl Fn(&[u8]) -> L,
) -> Result<(), Broken> {
    let stream = Stream::<T>::uniform(ROWS, 3, 23);
    let mut never_stopped = build(schema(3), 24);
    stream.feed(&mut never_stopped, 0, ROWS);
    let seen = |learner: &L| (prediction_bits(learner), save(learner));
    Broken::catch("a_snapshot_resumes", || {
        for middle in [0, 1, 2, 60, 299] {
            let mut stopped = build(schema(3), 24);
            stream.feed(&mut stopped, 0, middle);
            let mut loaded = load(&save(&stopped));
            stream.feed(&mut loaded, middle, ROWS);
            let same = seen(&loaded) == seen(&never_stopped);
            assert!(same, "stopped after {middle}: predictions or bytes differ");
        }
    })
}

/// Checks that the same seed and stream give the same snapshot, byte for byte, however the stream was cut.
///
/// # Errors
/// Returns an error if a byte differs.
pub fn the_same_bytes<T: ConformanceTask, L: OnlineLearner<Task = T>>(
    build: &impl Fn(Schema<T>, u64) -> L,
    save: &impl Fn(&L) -> Vec<u8>,
) -> Result<(), Broken> {
    let stream = Stream::<T>::uniform(ROWS, 3, 25);
    let learned = |step: usize| {
        let mut learner = build(schema(3), 26);
        for start in (0..ROWS).step_by(step) {
            stream.feed(&mut learner, start, ROWS.min(start + step));
        }
        save(&learner)
    };
    Broken::catch("the_same_bytes", || {
        let same = learned(ROWS) == learned(ROWS) && learned(ROWS) == learned(7);
        assert!(same, "two runs with one seed save other bytes");
    })
}

/// Returns these bytes, one or more, with up to three of them replaced.
#[must_use]
pub fn altered(bytes: &[u8], rng: &mut TreeRng) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..1 + rng.below(3) {
        let at = rng.below(bytes.len());
        bytes[at] = match rng.below(3) {
            0 => rng.below(256) as u8,
            1 => bytes[at].wrapping_add(1),
            _ => bytes[at].wrapping_sub(1),
        };
    }
    bytes
}

//! Footprints state what is allocated: to a tenth, as they promise, and in fact to a few kilobytes.
//!
//! Everything runs on one thread, since what other threads allocate is not counted; so no test depends on them.

use crate::common;
use forest_testing::conformance::{ConformanceTask, Stream};
use online_forests::{
    Algorithm, AnyLearner, Classification, ForestSettings, OnlineLearner, Regression, Schema,
    threads,
};

/// Bytes that are allocated besides what a footprint counts, whatever the size of the forest: the forest itself and its
/// settings. An array that is left out is seen if it is larger, where a tenth of a large forest would hide it.
const FIXED: u64 = 6 * 1024;

/// Rows for a mixture, which holds many learners: with all rows the few of them would take half of the time.
const MIXTURE_ROWS: usize = 3_000;

/// Numbers of rows, of features, and of rows of a batch.
const SIZES: [(usize, usize, usize); 3] = [(8_000, 3, 8_000), (2_000, 8, 1), (3_000, 5, 700)];

fn learned<T: ConformanceTask>(
    algorithm: &Algorithm,
    (rows, width, batch): (usize, usize, usize),
) -> AnyLearner<T> {
    let stream = Stream::<T>::uniform(rows, width, 3);
    let forest = ForestSettings::default().with_trees(3).with_seed(11);
    let schema = Schema::new(width).unwrap();
    let mut learner = algorithm.build(schema, forest).unwrap();
    let is_mixture = !learner.members().is_empty();
    let rows = rows.min(if is_mixture { MIXTURE_ROWS } else { rows });
    for start in (0..rows).step_by(batch) {
        let end = rows.min(start + batch);
        stream.teach(&mut learner, start, end).unwrap();
    }
    learner
}

fn footprint_is_what_is_allocated<T: ConformanceTask>(
    algorithm: &Algorithm,
    size: (usize, usize, usize),
) {
    let mut learner = None;
    let counted = allocation_counter::measure(|| learner = Some(learned::<T>(algorithm, size)));
    let learner = learner.unwrap();
    let allocated = counted.bytes_current;
    let stated = learner.footprint().bytes;
    let off = allocated.abs_diff(stated as i64);
    // A mixture holds two learners a member.
    let inside = 2 * learner.members().len() as u64;
    assert!(
        off <= (1 + inside) * FIXED,
        "{algorithm}, {size:?} rows, features and rows of a batch: {allocated} bytes are allocated, {stated} stated"
    );
}

fn every_footprint_is_right<T: ConformanceTask>() {
    threads::alone(|| {
        for algorithm in common::every::<T>() {
            for size in SIZES {
                // Working memory belongs to the thread, not to the learner: a first learner makes it.
                drop(learned::<T>(&algorithm, size));
                footprint_is_what_is_allocated::<T>(&algorithm, size);
            }
        }
    });
}

#[test]
fn footprints_of_classifiers_are_what_is_allocated() {
    every_footprint_is_right::<Classification>();
}

#[test]
fn footprints_of_regressors_are_what_is_allocated() {
    every_footprint_is_right::<Regression>();
}

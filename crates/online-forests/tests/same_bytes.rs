//! The same rows give the same snapshot, whatever the number of threads and the size of the batches.

use forest_testing::conformance::{ConformanceTask, Stream};
use online_forests::{
    Algorithm, Classification, ForestSettings, NamedTask, Regression, Schema, snapshot, threads,
};

const ROWS: usize = 1200;

/// Returns the snapshot after all rows, in batches of `batch`, on `threads` threads.
fn bytes<T: NamedTask + ConformanceTask>(
    algorithm: &Algorithm,
    stream: &Stream<T>,
    batch: usize,
    threads: usize,
) -> Vec<u8> {
    let settings = ForestSettings::default().with_trees(5).with_seed(11);
    let learn = || {
        let mut learner = algorithm
            .build::<T>(Schema::new(3).unwrap(), settings)
            .unwrap();
        for start in (0..ROWS).step_by(batch) {
            let end = ROWS.min(start + batch);
            stream.teach(&mut learner, start, end).unwrap();
        }
        snapshot::to_bytes(&learner).unwrap()
    };
    threads::with_threads(threads, learn).unwrap()
}

/// Sizes of batches and numbers of threads beside one row at a time on one thread. Small batches are not shared out.
const OTHERS: [(usize, usize); 6] = [(1, 8), (7, 2), (1000, 1), (1000, 2), (1000, 8), (1000, 64)];

fn every_algorithm_learns_the_same<T: NamedTask + ConformanceTask>() {
    let stream = Stream::<T>::uniform(ROWS, 3, 5);
    for algorithm in Algorithm::all().filter(Algorithm::supports::<T>) {
        let expected = bytes(&algorithm, &stream, 1, 1);
        for (batch, threads) in OTHERS {
            let same = bytes(&algorithm, &stream, batch, threads) == expected;
            assert!(
                same,
                "{algorithm}, batches of {batch}, {threads} threads: another snapshot"
            );
        }
    }
}

#[test]
fn every_classifier_learns_the_same() {
    every_algorithm_learns_the_same::<Classification>();
}

#[test]
fn every_regressor_learns_the_same() {
    every_algorithm_learns_the_same::<Regression>();
}

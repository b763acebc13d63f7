//! A batch is its rows one after another, and a seed is a result, whatever the threads and predictions.

use forest_core::{OnlineLearner, PredictionRows, Schema, threads::with_threads};

use super::stream::{prediction_bits, prediction_bits_at, queries};
use super::{Broken, Build, Built, ConformanceTask, Stream, schema};

const ROWS: usize = 300;
const WIDTH: usize = 3;

pub(super) fn batch_is_rows<T: ConformanceTask>(build: &Build<'_, T>) {
    let stream = Stream::<T>::uniform(ROWS, WIDTH, 1);
    let learned = |sizes: &[usize]| {
        let mut learner = build(schema(WIDTH), 5);
        let mut start = 0;
        for size in sizes.iter().cycle() {
            let end = ROWS.min(start + size);
            stream.feed(&mut *learner, start, end);
            start = end;
            if end == ROWS {
                break;
            }
        }
        (prediction_bits(&*learner), counts(&*learner))
    };
    let expected = learned(&[1]);
    for sizes in [&[ROWS][..], &[1, 2, 7, 64, 3]] {
        assert!(learned(sizes) == expected, "batches of {sizes:?} differ");
    }
}

fn counts<L: OnlineLearner + ?Sized>(learner: &L) -> ((usize, usize), u64) {
    (learner.footprint().counts(), learner.samples_seen())
}

pub(super) fn test_then_train_is_rows<T: ConformanceTask>(build: &Build<'_, T>) {
    let stream = Stream::<T>::uniform(ROWS, WIDTH, 2);
    let mut whole = build(schema(WIDTH), 6);
    let mut single = build(schema(WIDTH), 6);
    let together = whole.predict_then_learn(stream.features.view(), &stream.targets);
    let together = together.expect("the stream is acceptable");
    for (row, &target) in stream.targets.iter().enumerate() {
        let features = stream.features.row(row).to_vec();
        let alone = single.predict_one(&features);
        let same = alone.is_ok_and(|alone| together.row(row) == alone);
        assert!(same, "row {row} is predicted differently");
        let learned = single.learn_one(&features, target);
        learned.expect("the row is acceptable");
    }
    let same = prediction_bits(&*whole) == prediction_bits(&*single);
    assert!(same, "the learners differ afterwards");
}

/// Predicts more rows than a thread takes at a time, in a prime number: a wrong row at the border of a share shows.
pub(super) fn predicting_is_row_by_row<T: ConformanceTask>(build: &Build<'_, T>) {
    let mut learner = build(schema(WIDTH), 8);
    Stream::<T>::uniform(ROWS, WIDTH, 3).feed(&mut *learner, 0, ROWS);
    let queries = queries(&*learner, 1009);
    let together = prediction_bits_at(&*learner, queries.view());
    let width = learner.schema().width();
    for (row, together) in together.chunks_exact(width).enumerate() {
        let alone = prediction_bits_at(&*learner, queries.slice(ndarray::s![row..=row, ..]));
        assert!(alone == together, "row {row} is predicted differently");
    }
}

/// More rows than any learner takes at a time (a forest learns 4,096), and not a multiple of any of these.
const LARGE: usize = 10_000;

/// Rows of a small batch: no divisor of a block.
const SMALL: usize = 617;

/// Checks that 10,000 rows in one call are 10,000 rows in small batches, whether they are learned, predicted, or
/// predicted and then learned. The checks of small batches hold those to single rows.
///
/// # Errors
/// Returns the first row that is predicted differently, or a learner that differs afterwards.
pub fn large_batches_are_small_ones<T: ConformanceTask, L: OnlineLearner<Task = T>>(
    build: &impl Fn(Schema<T>, u64) -> L,
) -> Result<(), Broken> {
    let stream = Stream::<T>::uniform(LARGE, 2, 41);
    let mut learned = build(schema(2), 12);
    let mut tested = build(schema(2), 12);
    let mut small = build(schema(2), 12);
    let batches = || {
        let starts = (0..LARGE).step_by(SMALL);
        starts.map(|start| stream.part(start, LARGE.min(start + SMALL)))
    };
    let test = |learner: &mut L, (rows, targets): (_, &[T::Target])| -> PredictionRows {
        let tested = learner.predict_then_learn(rows, targets);
        tested.expect("the stream is acceptable")
    };
    Broken::catch("large_batches_are_small_ones", || {
        let (rows, targets) = stream.part(0, LARGE);
        stream.feed(&mut learned, 0, LARGE);
        let at_once = test(&mut tested, (rows, targets));
        let mut at_once = at_once.iter().enumerate();
        for batch in batches() {
            let alone = test(&mut small, batch);
            for (alone, (row, at_once)) in alone.iter().zip(at_once.by_ref()) {
                assert!(at_once == alone, "row {row} is tested differently");
            }
        }
        let bits = batches().map(|(rows, _)| prediction_bits_at(&small, rows));
        let expected: Vec<u64> = bits.flatten().collect();
        for (learner, how) in [(learned, "learned"), (tested, "tested and learned")] {
            assert_eq!(counts(&learner), counts(&small), "{how} at once");
            let same = prediction_bits_at(&learner, rows) == expected;
            assert!(same, "rows {how} at once are predicted differently");
        }
    })
}

/// A node or so for each sample, of 20 bytes or more: above `forest_core::LARGER_THAN_A_CACHE`.
const IN_A_TREE: usize = 150_000;

/// Checks that a forest of 150,000 rows learns and predicts 300 more in one call as one after another.
///
/// # Errors
/// Returns an error if a bit differs.
pub fn large_trees_are_small_ones<T: ConformanceTask, L: OnlineLearner<Task = T> + Clone>(
    build: &impl Fn(Schema<T>, u64) -> L,
) -> Result<(), Broken> {
    let all = IN_A_TREE + ROWS;
    let stream = Stream::<T>::uniform(all, WIDTH, 47);
    let mut together = build(schema(WIDTH), 13);
    stream.feed(&mut together, 0, IN_A_TREE);
    let mut alone = together.clone();
    stream.feed(&mut together, IN_A_TREE, all);
    (IN_A_TREE..all).for_each(|row| stream.feed(&mut alone, row, row + 1));
    Broken::catch("large_trees_are_small_ones", || {
        assert_eq!(counts(&together), counts(&alone));
        let found = prediction_bits_at(&together, stream.part(IN_A_TREE, all).0);
        let single = |row| prediction_bits_at(&alone, stream.part(row, row + 1).0);
        let expected: Vec<u64> = (IN_A_TREE..all).flat_map(single).collect();
        assert!(found == expected, "rows in one call differ");
    })
}

/// Rows of which no number of threads is a divisor, with enough work for every call to be shared out.
const SHARED: usize = 503;

fn learned<T: ConformanceTask>(build: &Build<'_, T>, stream: &Stream<T>) -> Built<T> {
    let mut learner = build(schema(WIDTH), 7);
    stream.feed(&mut *learner, 0, SHARED);
    learner
}

pub(super) fn threads_are_invisible<T: ConformanceTask>(build: &Build<'_, T>) {
    let stream = Stream::<T>::uniform(SHARED, WIDTH, 3);
    let run = |threads| {
        let work = || {
            let mut learner = learned(build, &stream);
            let tested = learner.predict_then_learn(stream.features.view(), &stream.targets);
            let predictions = prediction_bits_at(&*learner, queries(&*learner, 1009).view());
            (tested.expect("the stream is acceptable"), predictions)
        };
        with_threads(threads, work).expect("threads can be started")
    };
    let expected = run(1);
    for threads in [2, 3, 5] {
        assert!(run(threads) == expected, "{threads} threads differ");
    }
}

pub(super) fn a_seed_is_a_result<T: ConformanceTask>(build: &Build<'_, T>) {
    let stream = Stream::<T>::uniform(SHARED, WIDTH, 4);
    let one = learned(build, &stream);
    let two = learned(build, &stream);
    let same = prediction_bits(&*one) == prediction_bits(&*two);
    assert!(same, "two runs with one seed differ");
    assert_eq!(one.footprint(), two.footprint());
}

pub(super) fn prediction_changes_nothing<T: ConformanceTask>(build: &Build<'_, T>) {
    let stream = Stream::<T>::uniform(SHARED, WIDTH, 4);
    let mut asked = build(schema(WIDTH), 7);
    for start in (0..SHARED).step_by(25) {
        let twice = prediction_bits(&*asked) == prediction_bits(&*asked);
        assert!(twice, "after {start} samples one row gets two predictions");
        stream.feed(&mut *asked, start, SHARED.min(start + 25));
    }
    let same = prediction_bits(&*asked) == prediction_bits(&*learned(build, &stream));
    assert!(same, "a learner that has predicted continues differently");
}

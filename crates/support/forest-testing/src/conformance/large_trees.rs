//! A tree that no cache holds asks for memory before it reads it, which changes nothing.

use forest_core::{OnlineLearner, Schema};

use super::stream::prediction_bits_at;
use super::{Broken, ConformanceTask, Stream, schema};

/// Trees that hold samples have a node or so for each, of 20 bytes or more: together above `forest_core::LARGER_THAN_A_CACHE`.
const ROWS: usize = 150_000;
/// Rows that are learned at once or one after another: several times as many as walk ahead together.
const MORE: usize = 300;
const WIDTH: usize = 3;

/// Checks that a forest of 150,000 rows learns 300 more in one call as one after another, and predicts them in one call as one after another.
///
/// # Errors
/// If a bit differs.
pub fn large_trees_are_small_ones<T: ConformanceTask, L: OnlineLearner<Task = T> + Clone>(
    build: &impl Fn(Schema<T>, u64) -> L,
) -> Result<(), Broken> {
    let check = "large_trees_are_small_ones";
    let stream = Stream::<T>::uniform(ROWS + MORE, WIDTH, 47);
    let sound = "the stream is acceptable";
    let mut together = build(schema(WIDTH), 13);
    stream.teach(&mut together, 0, ROWS).expect(sound);
    let mut alone = together.clone();
    stream.teach(&mut together, ROWS, ROWS + MORE).expect(sound);
    let rows = (ROWS..ROWS + MORE).map(|row| (row, row + 1));
    for (start, end) in rows.clone() {
        stream.teach(&mut alone, start, end).expect(sound);
    }
    let counts = |learner: &L| (learner.footprint().counts(), learner.samples_seen());
    Broken::require(counts(&together) == counts(&alone), check, || {
        format!("after {MORE} rows in one call it holds others than after single rows")
    })?;
    let found = prediction_bits_at(&together, stream.part(ROWS, ROWS + MORE).0);
    let predicted = rows.map(|(start, end)| prediction_bits_at(&alone, stream.part(start, end).0));
    let expected = predicted.collect::<Vec<_>>().concat();
    Broken::require(found == expected, check, || {
        format!("{MORE} rows in one call differ from single rows")
    })
}

//! A batch larger than every block that a learner works in is its rows one after another, too.

use forest_core::{OnlineLearner, PredictionRows, Schema};

use super::stream::prediction_bits_at;
use super::{Broken, ConformanceTask, Stream, schema};

/// More rows than any learner takes at a time (a forest learns 4,096), and not a multiple of any of these.
const ROWS: usize = 10_000;
const WIDTH: usize = 2;

/// Rows of a small batch: no divisor of a block.
const SMALL: usize = 617;

/// Checks that 10,000 rows in one call are 10,000 rows in small batches, whether they are learned, predicted, or predicted and then learned.
///
/// [`batch_is_rows`](super::batch_is_rows), [`test_then_train_is_rows`](super::test_then_train_is_rows) and
/// [`predicting_is_row_by_row`](super::predicting_is_row_by_row) hold small batches to single rows.
///
/// # Errors
/// The first row that is predicted differently, or a learner that differs afterwards.
pub fn large_batches_are_small_ones<T: ConformanceTask, L: OnlineLearner<Task = T>>(
    build: &impl Fn(Schema<T>, u64) -> L,
) -> Result<(), Broken> {
    let check = "large_batches_are_small_ones";
    let stream = Stream::<T>::uniform(ROWS, WIDTH, 41);
    let [mut learned, mut tested, mut small] = [(); 3].map(|()| build(schema(WIDTH), 12));
    let sound = "the stream is acceptable";
    stream.teach(&mut learned, 0, ROWS).expect(sound);
    let (rows, targets) = stream.part(0, ROWS);
    let at_once = tested.predict_then_learn(rows, targets).expect(sound);
    let expected = tested_in_small_batches(&mut small, &stream);
    let differs = (0..ROWS).find(|&row| at_once.row(row) != expected.row(row));
    Broken::require(differs.is_none(), check, || {
        format!("row {differs:?} of {ROWS} is predicted differently before it is learned")
    })?;
    let expected = predicted_in_small_batches(&small, &stream);
    for (learner, how) in [(learned, "learned"), (tested, "tested and learned")] {
        let counts = |learner: &L| (learner.footprint().counts(), learner.samples_seen());
        Broken::require(counts(&learner) == counts(&small), check, || {
            format!("a learner that has {how} {ROWS} rows at once holds others")
        })?;
        let (found, width) = (prediction_bits_at(&learner, rows), learner.schema().width());
        let differs = (0..found.len()).find(|&cell| found[cell] != expected[cell]);
        Broken::require(differs.is_none(), check, || {
            let row = differs.map(|cell| cell / width);
            format!("row {row:?} of {ROWS}, {how} at once, is predicted differently")
        })?;
    }
    Ok(())
}

/// First rows of small batches, and the rows behind the last.
fn small_batches() -> impl Iterator<Item = (usize, usize)> {
    let starts = (0..ROWS).step_by(SMALL);
    starts.map(|start| (start, ROWS.min(start + SMALL)))
}

fn tested_in_small_batches<T: ConformanceTask, L: OnlineLearner<Task = T>>(
    learner: &mut L,
    stream: &Stream<T>,
) -> PredictionRows {
    let mut predictions = PredictionRows::default();
    for (start, end) in small_batches() {
        let (rows, targets) = stream.part(start, end);
        let predicted = learner.predict_then_learn(rows, targets);
        for row in predicted.expect("the stream is acceptable").iter() {
            predictions.push(row.len()).copy_from_slice(row);
        }
    }
    predictions
}

fn predicted_in_small_batches<T: ConformanceTask, L: OnlineLearner<Task = T>>(
    learner: &L,
    stream: &Stream<T>,
) -> Vec<u64> {
    let batches = small_batches();
    let predicted =
        batches.map(|(start, end)| prediction_bits_at(learner, stream.part(start, end).0));
    predicted.collect::<Vec<_>>().concat()
}

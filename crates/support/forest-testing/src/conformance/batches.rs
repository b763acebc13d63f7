//! A batch is its rows one after another.

use ndarray::s;

use super::stream::{prediction_bits, prediction_bits_at, queries};
use super::{Broken, ConformanceTask, Stream, schema};
use forest_core::{OnlineLearner, PredictionRows, Schema};

const ROWS: usize = 300;
const WIDTH: usize = 3;
const QUERIES: usize = 1009;

/// Sizes of the batches that the stream is cut into, again and again.
const SIZES: [usize; 5] = [1, 2, 7, 64, 3];

fn cuts() -> Vec<(usize, usize)> {
    let mut cuts = Vec::new();
    let mut start = 0;
    for size in SIZES.iter().cycle() {
        if start == ROWS {
            break;
        }
        let end = ROWS.min(start + size);
        cuts.push((start, end));
        start = end;
    }
    cuts
}

/// Checks that learning a whole stream at once, in uneven batches and row by row leaves the same learner.
///
/// # Errors
/// If predictions, nodes or stored samples differ.
pub fn batch_is_rows<T: ConformanceTask, L: OnlineLearner<Task = T>>(
    build: &impl Fn(Schema<T>, u64) -> L,
) -> Result<(), Broken> {
    let check = "batch_is_rows";
    let stream = Stream::<T>::uniform(ROWS, WIDTH, 1);
    let learned = |cuts: &[(usize, usize)]| {
        let mut learner = build(schema(WIDTH), 5);
        for &(start, end) in cuts {
            stream
                .teach(&mut learner, start, end)
                .expect("the stream is acceptable");
        }
        let held = learner.footprint().counts();
        (prediction_bits(&learner), held, learner.samples_seen())
    };
    let rows: Vec<_> = (0..ROWS).map(|row| (row, row + 1)).collect();
    let expected = learned(&rows);
    for cuts in [vec![(0, ROWS)], cuts()] {
        let batches = cuts.len();
        let same = learned(&cuts) == expected;
        Broken::require(same, check, || {
            format!("{ROWS} rows in {batches} batches differ")
        })?;
    }
    Ok(())
}

/// Checks that testing then training in one call gives, for every row, the prediction made just before.
///
/// # Errors
/// If a row, or the learner afterwards, differs in a bit.
pub fn test_then_train_is_rows<T: ConformanceTask, L: OnlineLearner<Task = T>>(
    build: &impl Fn(Schema<T>, u64) -> L,
) -> Result<(), Broken> {
    let check = "test_then_train_is_rows";
    let stream = Stream::<T>::uniform(ROWS, WIDTH, 2);
    let (mut whole, mut single) = (build(schema(WIDTH), 6), build(schema(WIDTH), 6));
    let together = whole.predict_then_learn(stream.features.view(), &stream.targets);
    let together = together.expect("the stream is acceptable");
    let alone = row_by_row(&mut single, &stream);
    let differs = (0..ROWS).find(|&row| together.row(row) != alone.row(row));
    Broken::require(differs.is_none(), check, || {
        format!("row {differs:?} is predicted differently")
    })?;
    let same = prediction_bits(&whole) == prediction_bits(&single);
    Broken::require(same, check, || "the learners differ afterwards".into())
}

/// Checks that predicting many rows in one call gives the same bits as predicting each alone.
///
/// The rows are more than a thread takes at a time and their number divides by nothing, so that a
/// wrong row at the border of a thread's share shows.
///
/// # Errors
/// The first row that is predicted differently.
pub fn predicting_is_row_by_row<T: ConformanceTask, L: OnlineLearner<Task = T>>(
    build: &impl Fn(Schema<T>, u64) -> L,
) -> Result<(), Broken> {
    let check = "predicting_is_row_by_row";
    let stream = Stream::<T>::uniform(ROWS, WIDTH, 3);
    let mut learner = build(schema(WIDTH), 8);
    stream
        .teach(&mut learner, 0, ROWS)
        .expect("the stream is acceptable");
    let queries = queries(&learner, QUERIES);
    let together = prediction_bits_at(&learner, queries.view());
    let width = learner.schema().width();
    for (row, together) in together.chunks_exact(width).enumerate() {
        let alone = prediction_bits_at(&learner, queries.slice(s![row..=row, ..]));
        Broken::require(alone == together, check, || {
            format!("row {row} of {QUERIES} is predicted differently")
        })?;
    }
    Ok(())
}

fn row_by_row<T: ConformanceTask, L: OnlineLearner<Task = T>>(
    learner: &mut L,
    stream: &Stream<T>,
) -> PredictionRows {
    let mut predictions = PredictionRows::default();
    for (row, &target) in stream.features.rows().into_iter().zip(&stream.targets) {
        let row = row.to_vec();
        let prediction = learner.predict_one(&row).expect("the row is acceptable");
        predictions
            .push(prediction.len())
            .copy_from_slice(&prediction);
        learner
            .learn_one(&row, target)
            .expect("the row is acceptable");
    }
    predictions
}

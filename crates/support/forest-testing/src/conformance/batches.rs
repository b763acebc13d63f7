//! A batch is its rows one after another.

use forest_core::{OnlineLearner, PredictionRows, Schema};
use ndarray::s;

use super::stream::{prediction_bits, prediction_bits_at, queries};
use super::{Broken, ConformanceTask, Stream, schema};

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
            stream.feed(&mut learner, start, end);
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
    stream.feed(&mut learner, 0, ROWS);
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

/// More rows than any learner takes at a time (a forest learns 4,096), and not a multiple of any of these.
const LARGE: usize = 10_000;

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
    let stream = Stream::<T>::uniform(LARGE, 2, 41);
    let [mut learned, mut tested, mut small] = [(); 3].map(|()| build(schema(2), 12));
    let sound = "the stream is acceptable";
    stream.feed(&mut learned, 0, LARGE);
    let (rows, targets) = stream.part(0, LARGE);
    let at_once = tested.predict_then_learn(rows, targets).expect(sound);
    let expected = tested_in_small_batches(&mut small, &stream);
    let differs = (0..LARGE).find(|&row| at_once.row(row) != expected.row(row));
    Broken::require(differs.is_none(), check, || {
        format!("row {differs:?} of {LARGE} is predicted differently before it is learned")
    })?;
    let expected = predicted_in_small_batches(&small, &stream);
    for (learner, how) in [(learned, "learned"), (tested, "tested and learned")] {
        let counts = |learner: &L| (learner.footprint().counts(), learner.samples_seen());
        Broken::require(counts(&learner) == counts(&small), check, || {
            format!("a learner that has {how} {LARGE} rows at once holds others")
        })?;
        let (found, width) = (prediction_bits_at(&learner, rows), learner.schema().width());
        let differs = (0..found.len()).find(|&cell| found[cell] != expected[cell]);
        Broken::require(differs.is_none(), check, || {
            let row = differs.map(|cell| cell / width);
            format!("row {row:?} of {LARGE}, {how} at once, is predicted differently")
        })?;
    }
    Ok(())
}

/// First rows of small batches, and the rows behind the last.
fn small_batches() -> impl Iterator<Item = (usize, usize)> {
    let starts = (0..LARGE).step_by(SMALL);
    starts.map(|start| (start, LARGE.min(start + SMALL)))
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

/// Trees that hold samples have a node or so for each, of 20 bytes or more: together above `forest_core::LARGER_THAN_A_CACHE`.
const IN_A_TREE: usize = 150_000;
/// Rows that are learned at once or one after another: several times as many as walk ahead together.
const MORE: usize = 300;

/// Checks that a forest of 150,000 rows learns 300 more in one call as one after another, and predicts them in one call as one after another.
///
/// # Errors
/// If a bit differs.
pub fn large_trees_are_small_ones<T: ConformanceTask, L: OnlineLearner<Task = T> + Clone>(
    build: &impl Fn(Schema<T>, u64) -> L,
) -> Result<(), Broken> {
    let check = "large_trees_are_small_ones";
    let stream = Stream::<T>::uniform(IN_A_TREE + MORE, WIDTH, 47);
    let mut together = build(schema(WIDTH), 13);
    stream.feed(&mut together, 0, IN_A_TREE);
    let mut alone = together.clone();
    stream.feed(&mut together, IN_A_TREE, IN_A_TREE + MORE);
    let rows = (IN_A_TREE..IN_A_TREE + MORE).map(|row| (row, row + 1));
    for (start, end) in rows.clone() {
        stream.feed(&mut alone, start, end);
    }
    let counts = |learner: &L| (learner.footprint().counts(), learner.samples_seen());
    Broken::require(counts(&together) == counts(&alone), check, || {
        format!("after {MORE} rows in one call it holds others than after single rows")
    })?;
    let found = prediction_bits_at(&together, stream.part(IN_A_TREE, IN_A_TREE + MORE).0);
    let predicted = rows.map(|(start, end)| prediction_bits_at(&alone, stream.part(start, end).0));
    let expected = predicted.collect::<Vec<_>>().concat();
    Broken::require(found == expected, check, || {
        format!("{MORE} rows in one call differ from single rows")
    })
}

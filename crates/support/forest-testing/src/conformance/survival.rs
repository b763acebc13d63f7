//! Streams that break careless geometry.

use ndarray::Array2;

use super::predictions::malformed;
use super::{Broken, ConformanceTask, Stream, schema};
use forest_core::{OnlineLearner, Schema};

/// Returns a stream with a peculiarity, and its name.
fn odd_streams<T: ConformanceTask>() -> Vec<(&'static str, Stream<T>)> {
    let base = Stream::<T>::uniform(150, 3, 15).features;
    let map = |f: &dyn Fn(usize, usize, f32) -> f32| {
        let at = |(row, column): (usize, usize)| f(row, column, base[[row, column]]);
        Stream::labelled(Array2::from_shape_fn((150, 3), at))
    };
    let mut one_target = map(&|_, _, value| value);
    one_target.targets.fill(T::target(&[0.9, 0.0, 0.0]));
    vec![
        (
            "a constant feature",
            map(&|_, column, value| if column == 1 { 0.25 } else { value }),
        ),
        ("constant features", map(&|_, _, _| 0.25)),
        ("duplicates", map(&|row, column, _| base[[row % 4, column]])),
        (
            "collinear points",
            map(&|row, column, _| base[[row, 0]] * (column + 1) as f32),
        ),
        ("one target", one_target),
        ("one feature", Stream::uniform(150, 1, 16)),
        ("tiny values", map(&|_, _, value| value * 1e-30)),
        ("huge values", map(&|_, _, value| (value - 0.5) * 1e30)),
        (
            "extreme values",
            map(&|row, _, value| if row % 2 == 0 { f32::MAX } else { -value }),
        ),
        (
            "tiny beside huge",
            map(&|_, column, value| value * [1e-30, 1.0, 1e30][column]),
        ),
        ("conflicting targets", conflicting()),
        ("one extreme target", extreme_targets(&base, |_| 1)),
        ("two extreme targets", extreme_targets(&base, |row| row % 2)),
        (
            "seldom an extreme target",
            extreme_targets(&base, |row| usize::from(row % 50 == 7)),
        ),
    ]
}

/// Returns these rows, row number `row` with extreme target number `which(row)`.
fn extreme_targets<T: ConformanceTask>(
    features: &Array2<f32>,
    which: impl Fn(usize) -> usize,
) -> Stream<T> {
    let mut stream = Stream::labelled(features.clone());
    for (row, target) in stream.targets.iter_mut().enumerate() {
        *target = T::extremes()[which(row)];
    }
    stream
}

/// Two equal points with different targets, again and again.
fn conflicting<T: ConformanceTask>() -> Stream<T> {
    let mut stream = Stream::labelled(Array2::from_elem((100, 2), 0.5));
    for target in stream.targets.iter_mut().step_by(2) {
        *target = T::target(&[0.9, 0.0]);
    }
    stream
}

/// Checks that a learner takes every odd stream, keeps its invariants and still makes well-formed predictions.
///
/// # Errors
/// If it refuses one, contradicts itself, or makes a malformed prediction.
pub fn odd_streams_survive<T: ConformanceTask, L: OnlineLearner<Task = T>>(
    build: &impl Fn(Schema<T>, u64) -> L,
) -> Result<(), Broken> {
    let check = "odd_streams_survive";
    for (name, stream) in odd_streams::<T>() {
        let mut learner = build(schema(stream.features.ncols()), 17);
        let taken = stream.teach(&mut learner, 0, stream.len());
        Broken::require(taken.is_ok(), check, || format!("{name}: {taken:?}"))?;
        let sound = learner.check_invariants();
        Broken::require(sound.is_ok(), check, || format!("{name}: {sound:?}"))?;
        let odd = malformed(&learner, stream.features.view());
        Broken::require(odd.is_none(), check, || {
            format!("{name}: the prediction {odd:?}")
        })?;
    }
    Ok(())
}

/// Checks that the learner's data never contradict themselves, whatever has arrived so far.
///
/// # Errors
/// The first contradiction, and after how many samples.
pub fn invariants_hold_after_every_sample<T: ConformanceTask, L: OnlineLearner<Task = T>>(
    build: &impl Fn(Schema<T>, u64) -> L,
) -> Result<(), Broken> {
    let check = "invariants_hold_after_every_sample";
    let stream = Stream::<T>::uniform(120, 3, 18);
    let mut learner = build(schema(3), 19);
    for row in 0..stream.len() {
        stream.feed(&mut learner, row, row + 1);
        let sound = learner.check_invariants();
        Broken::require(sound.is_ok(), check, || {
            format!("after {} samples: {sound:?}", row + 1)
        })?;
    }
    Ok(())
}

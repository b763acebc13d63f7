//! What a prediction looks like, at any moment of any stream.

use forest_core::{OnlineLearner, Prior};
use ndarray::{Array2, ArrayView2, Axis};

use super::{Build, ConformanceTask, Stream, schema};

/// Checks that probabilities lie in [0, 1] and sum to 1, and means are finite: at any moment, near the data and far
/// from them.
pub(super) fn are_well_formed<T: ConformanceTask>(build: &Build<'_, T>) {
    let stream = Stream::<T>::uniform(200, 2, 10);
    let mut far = Stream::<T>::uniform(20, 2, 11).features;
    far.mapv_inplace(|value| (value - 0.5) * 1e6);
    let mut learner = build(schema(2), 12);
    let mut start = 0;
    for end in [1, 2, 3, 10, 50, 200] {
        for queries in [stream.features.view(), far.view()] {
            assert_eq!(malformed(&*learner, queries), None, "after {start} samples");
        }
        stream.feed(&mut *learner, start, end);
        start = end;
    }
}

/// Returns the first prediction that is malformed, or not as wide as the schema says.
fn malformed<T: ConformanceTask>(
    learner: &dyn OnlineLearner<Task = T>,
    queries: ArrayView2<'_, f32>,
) -> Option<Vec<f64>> {
    let predictions = learner.predict(queries).expect("the rows are acceptable");
    let width = learner.schema().width();
    let mut rows = predictions.outer_iter().map(|row| row.to_vec());
    rows.find(|row| row.len() != width || !T::is_prediction(row))
}

/// Checks that a row is as wide as the classes known when it is made, whether they were stated or have appeared.
pub(super) fn classes_may_appear<T: ConformanceTask>(build: &Build<'_, T>) {
    let features = Stream::<T>::uniform(90, 2, 13).features;
    let mut order: Vec<usize> = (0..90).collect();
    order.sort_by(|&a, &b| features[[a, 0]].total_cmp(&features[[b, 0]]));
    let stream = Stream::<T>::labelled(features.select(Axis(0), &order));
    let mut learner = build(schema(2), 14);
    let predictions = learner.predict_then_learn(stream.features.view(), &stream.targets);
    let predictions = predictions.expect("the stream is acceptable");
    let mut known = schema::<T>(2).outputs();
    for (row, &target) in predictions.iter().zip(&stream.targets) {
        let right = row.len() == T::width(&known) && T::is_prediction(row);
        assert!(right, "{row:?} when {known:?} was known");
        known = T::admit(known, target);
    }
    assert_eq!(learner.schema().outputs(), known, "the schema lags behind");
}

/// Checks that on a stream whose first feature determines the target the loss on fresh points is less than half of the
/// baseline's.
pub(super) fn the_prior_is_beaten<T: ConformanceTask>(build: &Build<'_, T>) {
    let train = Stream::<T>::uniform(1500, 2, 20);
    let test = Stream::<T>::uniform(500, 2, 21);
    let mut learner = build(schema(2), 22);
    let mut prior = Prior::<T>::new(schema(2));
    train.feed(&mut *learner, 0, train.len());
    train.feed(&mut prior, 0, train.len());
    let loss = test.mean_loss(&*learner);
    let prior = test.mean_loss(&prior);
    assert!(loss < 0.5 * prior, "loss {loss:.4}, the prior's {prior:.4}");
}

/// Returns streams that break careless geometry, and their names.
fn odd_streams<T: ConformanceTask>() -> Vec<(&'static str, Stream<T>)> {
    let base = Stream::<T>::uniform(150, 3, 15).features;
    let map = |f: &dyn Fn(usize, usize, f32) -> f32| {
        let at = |(row, column): (usize, usize)| f(row, column, base[[row, column]]);
        Stream::labelled(Array2::from_shape_fn((150, 3), at))
    };
    // Row number `row` has extreme target number `which(row)`.
    let extreme = |which: &dyn Fn(usize) -> usize| Stream {
        features: base.clone(),
        targets: (0..150).map(|row| T::extremes()[which(row)]).collect(),
    };
    let mut one_target = map(&|_, _, value| value);
    one_target.targets.fill(T::target(&[0.9, 0.0, 0.0]));
    let mut conflicting = Stream::labelled(Array2::from_elem((100, 2), 0.5));
    for target in conflicting.targets.iter_mut().step_by(2) {
        *target = T::target(&[0.9, 0.0]);
    }
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
        ("conflicting targets", conflicting),
        ("one extreme target", extreme(&|_| 1)),
        ("two extreme targets", extreme(&|row| row % 2)),
        (
            "seldom an extreme target",
            extreme(&|row| usize::from(row % 50 == 7)),
        ),
    ]
}

/// Checks that a learner takes every odd stream, keeps its invariants and still makes well-formed predictions.
pub(super) fn odd_streams_survive<T: ConformanceTask>(build: &Build<'_, T>) {
    for (name, stream) in odd_streams::<T>() {
        let mut learner = build(schema(stream.features.ncols()), 17);
        let taken = stream.teach(&mut *learner, 0, stream.len());
        let sound = learner.check_invariants();
        assert_eq!((taken, sound), (Ok(()), Ok(())), "{name}");
        assert_eq!(malformed(&*learner, stream.features.view()), None, "{name}");
    }
}

/// Checks that the learner's data never contradict themselves, whatever has arrived so far.
pub(super) fn invariants_hold<T: ConformanceTask>(build: &Build<'_, T>) {
    let stream = Stream::<T>::uniform(120, 3, 18);
    let mut learner = build(schema(3), 19);
    for row in 0..stream.len() {
        stream.feed(&mut *learner, row, row + 1);
        assert_eq!(learner.check_invariants(), Ok(()), "after row {row}");
    }
}

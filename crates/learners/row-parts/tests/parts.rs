//! Which rows a part learns, and what all parts predict together.

use forest_core::{Classification, Footprint, OnlineLearner, Regression, Schema, TreeRng};
use forest_testing::conformance::{ConformanceTask, Stream};
use ndarray::array;
use registry::{BaseLearner, NamedTask};

use crate::{forest, learner};

const PARTS: usize = 3;
const ROWS: usize = 100;

type Base<T> = BaseLearner<T, 3>;

/// Learners that are built apart, with the seeds of the parts.
fn apart<T: NamedTask>(base: &str, schema: Schema<T>, seed: u64) -> Vec<Base<T>> {
    let build = |part| {
        let own = TreeRng::new(seed, part).bits();
        BaseLearner::build(base, schema, forest(own)).unwrap()
    };
    (0..PARTS).map(build).collect()
}

/// Returns the mean of the predictions of those that have learned a row; before, the prior of the task.
fn mean<T: ConformanceTask + NamedTask>(parts: &[Base<T>], row: &[f32], width: usize) -> Vec<f64> {
    let mut sum = vec![0.0; width];
    let voters = parts.iter().filter(|part| part.get().samples_seen() > 0);
    let voters: Vec<_> = voters.collect();
    if voters.is_empty() {
        T::prior_prediction(&mut sum);
        return sum;
    }
    for part in &voters {
        let prediction = part.get().predict_one(row).unwrap();
        sum.iter_mut()
            .zip(prediction)
            .for_each(|(sum, vote)| *sum += vote);
    }
    sum.iter().map(|sum| sum / voters.len() as f64).collect()
}

fn the_prediction_is_the_mean<T: ConformanceTask + NamedTask>(base: &str) {
    let stream = Stream::<T>::uniform(ROWS, 2, 3);
    let schema = Schema::<T>::new(2).unwrap();
    let mut together = learner(schema, (base, PARTS as u32), 4);
    let mut parts = apart(base, schema, 4);
    let rows = stream.features.view();
    let predictions = together.predict_then_learn(rows, &stream.targets).unwrap();
    for (row, features) in rows.rows().into_iter().enumerate() {
        let features = features.to_slice().unwrap();
        let prediction = predictions.row(row);
        let expected = mean(&parts, features, prediction.len());
        assert_eq!(prediction, expected, "{base}, row {row}");
        let part = parts[row % PARTS].get_mut();
        part.learn_one(features, stream.targets[row]).unwrap();
    }
    let trees = parts.iter().map(|part| part.get().trees());
    assert_eq!(together.trees(), trees.sum::<usize>());
    let footprints = parts.iter().map(|part| part.get().footprint());
    let sum: Footprint = footprints.sum();
    assert_eq!(together.footprint().counts(), sum.counts());
}

#[test]
fn predictions_are_the_mean_of_parts_that_learned_every_third_row() {
    for base in [
        "mondrian",
        "amf",
        "mondrian:window=10",
        "mondrian:window=10;budget=5;min_points=2",
    ] {
        the_prediction_is_the_mean::<Classification>(base);
        the_prediction_is_the_mean::<Regression>(base);
    }
}

/// The first part alone has seen the second class.
#[test]
fn a_class_that_a_part_has_not_seen_has_probability_0_there() {
    let mut learner = learner::<Classification>(Schema::new(1).unwrap(), ("majority", 2), 0);
    assert_eq!(learner.predict_one(&[0.5]).unwrap(), [0.0; 0]);
    learner.learn_one(&[0.5], 1).unwrap();
    assert_eq!(learner.predict_one(&[0.5]).unwrap(), [0.0, 1.0]);
    learner.learn(array![[0.5], [0.5]].view(), &[0, 1]).unwrap();
    assert_eq!(learner.predict_one(&[0.5]).unwrap(), [0.5, 0.5]);
    assert_eq!(learner.samples_seen(), 3);
}

/// With a window in the base, the latest rows of the stream are held, and no others.
#[test]
fn windows_of_parts_are_a_window_of_the_stream() {
    let stream = Stream::<Regression>::uniform(ROWS, 2, 3);
    let mut whole = learner(
        Schema::new(2).unwrap(),
        ("mondrian:window=10", PARTS as u32),
        4,
    );
    stream.teach(&mut whole, 0, ROWS).unwrap();
    assert_eq!(whole.footprint().stored_samples, 10 * PARTS);
}

/// Parts have seeds of their own: with the same rows they are not the same.
#[test]
fn parts_draw_their_own_numbers() {
    let stream = Stream::<Regression>::uniform(ROWS, 2, 3);
    let mut parts = apart::<Regression>("mondrian", Schema::new(2).unwrap(), 4);
    let predictions = parts.iter_mut().map(|part| {
        stream.teach(part.get_mut(), 0, ROWS).unwrap();
        part.get().predict_one(&[0.3, 0.6]).unwrap()
    });
    let predictions: Vec<_> = predictions.collect();
    assert!(
        predictions[0] != predictions[1]
            && predictions[1] != predictions[2]
            && predictions[0] != predictions[2]
    );
}

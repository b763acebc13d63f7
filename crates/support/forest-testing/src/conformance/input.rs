//! Bad input is refused, and the learner is unchanged; how good input lies in memory does not matter.

use forest_core::{FeatureValues, InputError, OnlineLearner, Schema};
use ndarray::{Array2, ArrayView2, ShapeBuilder, array, s};

use super::stream::{prediction_bits, prediction_bits_at, queries};
use super::{Broken, Build, Built, ConformanceTask, Stream, schema};

/// Checks that NaN, infinities, a wrong width, too few targets and impossible targets are refused, wherever in a batch
/// they are, by every entrance and in every memory layout; nothing of the batch is learned.
pub(super) fn bad_input_is_harmless<T: ConformanceTask>(build: &Build<'_, T>) {
    let stream = Stream::<T>::uniform(120, 2, 8);
    let mut tried = build(schema(2), 9);
    let mut spared = build(schema(2), 9);
    for start in (0..120).step_by(40) {
        bad_values_are_refused(&mut tried);
        bad_targets_are_refused(&mut tried);
        bad_shapes_are_refused(&mut tried);
        for learner in [&mut tried, &mut spared] {
            stream.feed(&mut **learner, start, start + 40);
        }
    }
    let counts = |learner: &Built<T>| (learner.footprint().counts(), learner.samples_seen());
    let seen = |learner: &Built<T>| (prediction_bits(&**learner), counts(learner));
    assert!(seen(&tried) == seen(&spared), "a refusal left a trace");
}

fn good_rows() -> Array2<f32> {
    array![[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]]
}

fn good_targets<T: ConformanceTask>() -> Vec<T::Target> {
    vec![T::target(&[0.5, 0.5]); 3]
}

/// Panics unless `what` was refused with an error that starts like this.
fn assert_refused<R>(result: Result<R, InputError>, what: &str, start: &str) {
    match result {
        Err(error) => {
            let said = error.to_string();
            assert!(said.starts_with(start), "{what} is reported as: {said}");
        }
        Ok(_) => unreachable!("{what} was accepted"),
    }
}

/// Panics unless both verbs that learn refuse a batch with an error that starts like this.
fn assert_batch_refused<T: ConformanceTask>(
    learner: &mut Built<T>,
    rows: ArrayView2<'_, f32>,
    targets: &[T::Target],
    what: &str,
    start: &str,
) {
    assert_refused(learner.learn(rows, targets), what, start);
    assert_refused(learner.predict_then_learn(rows, targets), what, start);
}

/// Tries a value that is not finite, at every place of a batch and of a single row.
fn bad_values_are_refused<T: ConformanceTask>(learner: &mut Built<T>) {
    let targets = good_targets::<T>();
    let takes_missing = learner.feature_values() != FeatureValues::Numbers;
    for ((row, feature), _) in good_rows().indexed_iter() {
        for value in [f32::INFINITY, f32::NEG_INFINITY, f32::NAN] {
            if value.is_nan() && takes_missing {
                continue;
            }
            let mut rows = good_rows();
            rows[[row, feature]] = value;
            let what = format!("{value} in row {row}, feature {feature}");
            let start = format!("row {row}, feature {feature}: ");
            for layout in layouts(&rows) {
                assert_batch_refused(learner, layout.view(), &targets, &what, &start);
                assert_refused(learner.predict(layout.view()), &what, &start);
            }
            let row = rows.row(row).to_vec();
            let start = format!("row 0, feature {feature}: ");
            assert_refused(learner.predict_one(&row), &what, &start);
            assert_refused(learner.learn_one(&row, targets[0]), &what, &start);
        }
    }
}

/// Tries each target that the task refuses, in every row.
fn bad_targets_are_refused<T: ConformanceTask>(learner: &mut Built<T>) {
    let rows = good_rows();
    for target in T::refused() {
        for row in 0..3 {
            let mut targets = good_targets::<T>();
            targets[row] = target;
            let what = format!("the target {target:?} in row {row}");
            let start = format!("row {row}: ");
            assert_batch_refused(learner, rows.view(), &targets, &what, &start);
        }
        let learned = learner.learn_one(&[0.1, 0.2], target);
        assert_refused(learned, "a single target", "row 0: ");
    }
}

/// Tries a row that is too narrow or too wide, and fewer or more targets than rows.
fn bad_shapes_are_refused<T: ConformanceTask>(learner: &mut Built<T>) {
    let targets = good_targets::<T>();
    for width in [0, 1, 3] {
        let rows = Array2::from_elem((3, width), 0.1);
        let row = vec![0.1; width];
        let what = format!("a width of {width}");
        let start = "a row has ";
        assert_batch_refused(learner, rows.view(), &targets, &what, start);
        assert_refused(learner.predict(rows.view()), &what, start);
        assert_refused(learner.predict_one(&row), &what, start);
        assert_refused(learner.learn_one(&row, targets[0]), &what, start);
    }
    for count in [2, 4] {
        let rows = Array2::from_elem((count, 2), 0.1);
        let what = format!("3 targets for {count} rows");
        assert_batch_refused(learner, rows.view(), &targets, &what, &what);
    }
}

/// A matrix in one memory layout: what a view of it shows is the same in all.
struct Layout {
    memory: Array2<f32>,
    step: isize,
}

impl Layout {
    fn view(&self) -> ArrayView2<'_, f32> {
        self.memory.slice(s![..;self.step, ..;self.step])
    }
}

/// Returns `rows` in row-major and column-major order, reversed, and spread out with NaN in between.
fn layouts(rows: &Array2<f32>) -> [Layout; 4] {
    let columns = Array2::from_shape_fn(rows.dim().f(), |at| rows[at]);
    let reversed = rows.slice(s![..;-1, ..;-1]).to_owned();
    let (n, d) = rows.dim();
    let mut spread = Array2::from_elem((2 * n, 2 * d), f32::NAN);
    spread.slice_mut(s![..;2, ..;2]).assign(rows);
    let all = [(rows.clone(), 1), (columns, 1), (reversed, -1), (spread, 2)];
    all.map(|(memory, step)| Layout { memory, step })
}

/// Checks that the same matrix in another memory layout is learned and predicted the same.
pub(super) fn layouts_are_invisible<T: ConformanceTask>(build: &Build<'_, T>) {
    let stream = Stream::<T>::uniform(120, 3, 28);
    let mut expected = None;
    for (number, layout) in layouts(&stream.features).iter().enumerate() {
        let mut learner = build(schema(3), 29);
        let tested = learner.predict_then_learn(layout.view(), &stream.targets);
        let learned = learner.learn(layout.view(), &stream.targets);
        let questions = &layouts(&queries(&*learner, 60))[number];
        let predictions = prediction_bits_at(&*learner, questions.view());
        let seen = (tested, learned, predictions);
        let same = *expected.get_or_insert_with(|| seen.clone()) == seen;
        assert!(same, "layout {number} is learned or predicted differently");
    }
}

/// Checks that a batch whose first rows are good, with a target that the learner may not have seen yet, and whose last
/// is refused leaves the snapshot unchanged, byte for byte: before the first row, early in a stream and later.
///
/// # Errors
/// Returns an error if a batch is accepted, or a byte differs.
pub fn a_refusal_leaves_the_same_bytes<T: ConformanceTask, L: OnlineLearner<Task = T>>(
    build: &impl Fn(Schema<T>, u64) -> L,
    save: &impl Fn(&L) -> Vec<u8>,
) -> Result<(), Broken> {
    let good = array![[0.1_f32, 0.2], [0.9, 0.4], [0.5, 0.6]];
    let targets = Stream::<T>::labelled(good.clone()).targets;
    let mut infinite = good.clone();
    infinite[[2, 1]] = f32::INFINITY;
    let wide = Array2::from_elem((3, 3), 0.5);
    let mut batches = vec![(infinite, targets.clone()), (wide, targets.clone())];
    for target in T::refused() {
        batches.push((good.clone(), vec![targets[0], targets[1], target]));
    }
    let stream = Stream::<T>::uniform(60, 2, 33);
    let mut learner = build(schema(2), 34);
    Broken::catch("a_refusal_leaves_the_same_bytes", || {
        for (start, end) in [(0, 1), (1, 5), (5, 60), (60, 60)] {
            let before = save(&learner);
            for (rows, targets) in &batches {
                let row = rows.row(2).to_vec();
                let refused = learner.learn(rows.view(), targets).is_err()
                    && learner.predict_then_learn(rows.view(), targets).is_err()
                    && learner.learn_one(&row, targets[2]).is_err();
                assert!(refused && save(&learner) == before, "{rows:?}, {targets:?}");
            }
            stream.feed(&mut learner, start, end);
        }
    })
}

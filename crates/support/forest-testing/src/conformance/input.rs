//! Bad input is refused, and the learner is unchanged.

use ndarray::{Array2, ArrayView2, ShapeBuilder, array, s};

use super::stream::{prediction_bits, prediction_bits_at, queries};
use super::{Broken, ConformanceTask, Stream, schema};
use forest_core::{FeatureValues, InputError, OnlineLearner, Schema};

const CHECK: &str = "bad_input_is_harmless";

/// Checks that NaN, infinities, a wrong width, too few targets and impossible targets are refused, wherever in
/// a batch they are, by every entrance and in every memory layout; nothing of the batch is learned.
///
/// # Errors
/// If one is accepted, reported at the wrong place, or leaves a trace.
pub fn bad_input_is_harmless<T: ConformanceTask, L: OnlineLearner<Task = T>>(
    build: &impl Fn(Schema<T>, u64) -> L,
) -> Result<(), Broken> {
    let stream = Stream::<T>::uniform(120, 2, 8);
    let (mut tried, mut spared) = (build(schema(2), 9), build(schema(2), 9));
    for start in (0..120).step_by(40) {
        refuse_values(&mut tried)?;
        refuse_targets(&mut tried)?;
        refuse_shapes(&mut tried)?;
        for learner in [&mut tried, &mut spared] {
            stream.feed(learner, start, start + 40);
        }
    }
    let same = prediction_bits(&tried) == prediction_bits(&spared)
        && tried.footprint().counts() == spared.footprint().counts()
        && tried.samples_seen() == spared.samples_seen();
    Broken::require(same, CHECK, || "a refused batch left a trace".into())
}

fn good_rows() -> Array2<f32> {
    array![[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]]
}

fn good_targets<T: ConformanceTask>() -> Vec<T::Target> {
    vec![T::target(&[0.5, 0.5]); 3]
}

/// A value that is not finite, at every place of a batch and of a single row.
fn refuse_values<L: OnlineLearner<Task: ConformanceTask>>(learner: &mut L) -> Result<(), Broken> {
    let targets = good_targets::<L::Task>();
    for ((row, feature), _) in good_rows().indexed_iter() {
        let missing = (learner.feature_values() == FeatureValues::Numbers).then_some(f32::NAN);
        for value in missing
            .into_iter()
            .chain([f32::INFINITY, f32::NEG_INFINITY])
        {
            let mut rows = good_rows();
            rows[[row, feature]] = value;
            let expected = |error: &InputError| matches!(error, InputError::NotFinite { row: r, feature: f, .. } if (*r, *f) == (row, feature));
            let what = format!("{value} in row {row}, feature {feature}");
            for layout in layouts(&rows) {
                refuse(learner, layout.view(), &targets, &what, &expected)?;
                refuse_questions(learner, layout.view(), &what, &expected)?;
            }
            let expected = |error: &InputError| matches!(error, InputError::NotFinite { row: 0, feature: f, .. } if *f == feature);
            refuse_one(
                learner,
                &rows.row(row).to_vec(),
                targets[0],
                &what,
                &expected,
            )?;
        }
    }
    Ok(())
}

/// A target that the task refuses, in every row.
fn refuse_targets<L: OnlineLearner<Task: ConformanceTask>>(learner: &mut L) -> Result<(), Broken> {
    for refused in L::Task::refused() {
        for row in 0..3 {
            let mut targets = good_targets::<L::Task>();
            targets[row] = refused;
            let what = format!("the target {refused:?} in row {row}");
            let expected = |error: &InputError| error.row() == Some(row);
            refuse(learner, good_rows().view(), &targets, &what, &expected)?;
        }
        let learned = learner.learn_one(&[0.1, 0.2], refused);
        let what = || format!("the single target {refused:?} was accepted");
        Broken::require(learned.is_err(), CHECK, what)?;
    }
    Ok(())
}

/// A row that is too narrow or too wide, and fewer or more targets than rows.
fn refuse_shapes<L: OnlineLearner<Task: ConformanceTask>>(learner: &mut L) -> Result<(), Broken> {
    let targets = good_targets::<L::Task>();
    for width in [0, 1, 3] {
        let rows = Array2::from_elem((3, width), 0.1);
        let what = format!("a width of {width}");
        let expected = |error: &InputError| matches!(error, InputError::WrongWidth { .. });
        refuse(learner, rows.view(), &targets, &what, &expected)?;
        refuse_questions(learner, rows.view(), &what, &expected)?;
        refuse_one(learner, &vec![0.1; width], targets[0], &what, &expected)?;
    }
    for rows in [2, 4] {
        let rows = Array2::from_elem((rows, 2), 0.1);
        let what = format!("3 targets for {} rows", rows.nrows());
        let expected = |error: &InputError| matches!(error, InputError::LengthMismatch { .. });
        refuse(learner, rows.view(), &targets, &what, &expected)?;
    }
    Ok(())
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

/// `rows` in row-major and column-major order, reversed, and spread out with NaN in between.
fn layouts(rows: &Array2<f32>) -> [Layout; 4] {
    let columns = Array2::from_shape_fn(rows.dim().f(), |at| rows[at]);
    let reversed = rows.slice(s![..;-1, ..;-1]).to_owned();
    let (n, d) = rows.dim();
    let mut spread = Array2::from_elem((2 * n, 2 * d), f32::NAN);
    spread.slice_mut(s![..;2, ..;2]).assign(rows);
    let layout = |memory, step| Layout { memory, step };
    [
        layout(rows.clone(), 1),
        layout(columns, 1),
        layout(reversed, -1),
        layout(spread, 2),
    ]
}

fn refuse<L: OnlineLearner<Task: ConformanceTask>>(
    learner: &mut L,
    rows: ArrayView2<'_, f32>,
    targets: &[<L::Task as forest_core::Task>::Target],
    what: &str,
    expected: &dyn Fn(&InputError) -> bool,
) -> Result<(), Broken> {
    refused_by("learn", learner.learn(rows, targets), what, expected)?;
    let tested = learner.predict_then_learn(rows, targets);
    refused_by("predict_then_learn", tested, what, expected)
}

fn refuse_questions<L: OnlineLearner>(
    learner: &L,
    rows: ArrayView2<'_, f32>,
    what: &str,
    expected: &dyn Fn(&InputError) -> bool,
) -> Result<(), Broken> {
    refused_by("predict", learner.predict(rows), what, expected)
}

fn refuse_one<L: OnlineLearner>(
    learner: &mut L,
    row: &[f32],
    target: <L::Task as forest_core::Task>::Target,
    what: &str,
    expected: &dyn Fn(&InputError) -> bool,
) -> Result<(), Broken> {
    refused_by("predict_one", learner.predict_one(row), what, expected)?;
    refused_by("learn_one", learner.learn_one(row, target), what, expected)
}

fn refused_by<R>(
    entrance: &str,
    result: Result<R, InputError>,
    what: &str,
    expected: &dyn Fn(&InputError) -> bool,
) -> Result<(), Broken> {
    match result {
        Err(error) if expected(&error) => Ok(()),
        Err(error) => Err(Broken {
            check: CHECK,
            how: format!("{what} is reported by `{entrance}` as: {error}"),
        }),
        Ok(_) => Err(Broken {
            check: CHECK,
            how: format!("{what} was accepted by `{entrance}`"),
        }),
    }
}

/// Checks that the same matrix in another memory layout (column-major, reversed, strided) is learned and
/// predicted the same.
///
/// # Errors
/// If a prediction differs in a bit.
pub fn layouts_are_invisible<T: ConformanceTask, L: OnlineLearner<Task = T>>(
    build: &impl Fn(Schema<T>, u64) -> L,
) -> Result<(), Broken> {
    let check = "layouts_are_invisible";
    let stream = Stream::<T>::uniform(120, 3, 28);
    let mut expected = None;
    for (number, layout) in layouts(&stream.features).iter().enumerate() {
        let mut learner = build(schema(3), 29);
        let tested = learner.predict_then_learn(layout.view(), &stream.targets);
        let learned = learner.learn(layout.view(), &stream.targets);
        let tested = tested.and_then(|tested| learned.map(|()| tested));
        let tested = tested.expect("the stream is acceptable");
        let questions = &layouts(&queries(&learner, 60))[number];
        let seen = (tested, prediction_bits_at(&learner, questions.view()));
        let same = *expected.get_or_insert_with(|| seen.clone()) == seen;
        Broken::require(same, check, || {
            format!("layout {number} is learned or predicted differently")
        })?;
    }
    Ok(())
}

//! Predictions of pipelines, step by step, and invalid pipelines.
#![allow(clippy::unwrap_used, reason = "helpers of tests may panic, too")]

mod common;

use common::{Forests, rows};
use forest_core::{Classification, InputError, OnlineLearner, Prior, Regression, Schema};
use forest_testing::conformance::Stream;
use ndarray::{Array2, s};
use preprocessing::{
    LabelEncoder, OneHotEncoder, Pca, Pipeline, PipelineError, Scaling, StandardScaler, Step,
};
use registry::snapshot::{decode_value, encode_value};

fn forest(width: usize) -> <Regression as Forests>::Forest {
    Regression::forest(Schema::new(width).unwrap(), 4)
}

/// Raw rows far from [0, 1].
fn stream() -> Stream<Regression> {
    let mut stream = Stream::uniform(120, 2, 31);
    stream.features.mapv_inplace(|x| 1000.0 * x - 300.0);
    stream
}

#[test]
fn fitted_steps_are_those_applied_by_hand() {
    let stream = stream();
    let standard = Scaling::Standard.fit(stream.features.view()).unwrap();
    let scaled = standard.transform(stream.features.clone()).unwrap();
    let pca = Step::from(Pca::fit(scaled.view(), 1).unwrap());
    let by_hand = pca.transform(scaled).unwrap();
    let mut alone = forest(1);
    alone.learn(by_hand.view(), &stream.targets).unwrap();
    let mut pipeline = Pipeline::new([standard, pca], forest(1)).unwrap();
    assert_eq!(pipeline.schema().features(), 2);
    stream.teach(&mut pipeline, 0, 120).unwrap();
    assert_eq!(
        pipeline.predict(stream.features.view()),
        alone.predict(by_hand.view())
    );
}

/// Before the window is full the prediction is the mean; afterwards that of a learner which has seen all
/// rows, scaled by the first ones.
#[test]
fn steps_are_fitted_on_the_first_rows_and_no_row_is_lost() {
    let stream = stream();
    let mut pipeline = Pipeline::on_first_rows(40, [Scaling::Robust.into()], forest(2)).unwrap();
    let mut prior = Prior::new(Schema::new(2).unwrap());
    for row in 0..39 {
        stream.teach(&mut pipeline, row, row + 1).unwrap();
        stream.teach(&mut prior, row, row + 1).unwrap();
        assert_eq!(pipeline.rows_to_fit(), 39 - row);
        assert_eq!(pipeline.samples_seen(), row as u64 + 1);
        assert_eq!(
            pipeline.predict_one(&[0.0, 0.0]),
            prior.predict_one(&[0.0, 0.0])
        );
    }
    stream.teach(&mut pipeline, 39, 120).unwrap();
    let robust = Scaling::Robust
        .fit(stream.features.slice(s![..40, ..]))
        .unwrap();
    assert_eq!(pipeline.steps(), std::slice::from_ref(&robust));
    let by_hand = robust.transform(stream.features.clone()).unwrap();
    let mut alone = forest(2);
    alone.learn(by_hand.view(), &stream.targets).unwrap();
    assert_eq!(pipeline.samples_seen(), 120);
    assert_eq!(
        pipeline.predict(stream.features.view()),
        alone.predict(by_hand.view())
    );
}

/// A row that is learned is part of its own scale; a row that is predicted is not.
#[test]
fn running_steps_take_what_is_learned_and_nothing_else() {
    let stream = stream();
    let running = Step::RunningStandard(StandardScaler::running(2));
    let mut pipeline = Pipeline::new([running], forest(2)).unwrap();
    let (mut alone, mut scaler) = (forest(2), StandardScaler::running(2));
    let tested = pipeline
        .predict_then_learn(stream.features.view(), &stream.targets)
        .unwrap();
    for (index, (row, &target)) in stream
        .features
        .rows()
        .into_iter()
        .zip(&stream.targets)
        .enumerate()
    {
        let row = row.insert_axis(ndarray::Axis(0)).to_owned();
        let scaled = |scaler: &StandardScaler| {
            let mut row = row.clone();
            scaler.transform(&mut row).unwrap();
            row.into_raw_vec_and_offset().0
        };
        assert_eq!(
            tested.row(index),
            alone.predict_one(&scaled(&scaler)).unwrap()
        );
        scaler.observe(row.as_slice().unwrap()).unwrap();
        alone.learn_one(&scaled(&scaler), target).unwrap();
    }
    pipeline.predict(stream.features.view()).unwrap();
    assert_eq!(pipeline.steps(), [Step::RunningStandard(scaler)]);
}

#[test]
fn a_refused_batch_is_named_by_raw_row_and_feature_and_not_held_back() {
    let mut pipeline = Pipeline::on_first_rows(5, [Scaling::MinMax.into()], forest(2)).unwrap();
    let mut bad = rows::<Regression>(2);
    bad[[8, 1]] = f32::NAN;
    let error = pipeline.learn(bad.view(), &[0.0; 60]).unwrap_err();
    assert!(
        matches!(
            error,
            InputError::NotFinite {
                row: 8,
                feature: 1,
                ..
            }
        ),
        "{error}"
    );
    assert_eq!((pipeline.samples_seen(), pipeline.rows_to_fit()), (0, 5));
}

#[test]
fn rows_held_back_count_as_stored_samples() {
    let stream = stream();
    let mut pipeline = Pipeline::on_first_rows(40, [Scaling::Quantile.into()], forest(2)).unwrap();
    stream.teach(&mut pipeline, 0, 39).unwrap();
    let held_back = pipeline.footprint();
    assert_eq!(
        held_back.stored_samples,
        39 + forest(2).footprint().stored_samples
    );
    assert!(held_back.bytes >= forest(2).footprint().bytes + 39 * (2 * 4 + 8));
    stream.teach(&mut pipeline, 39, 40).unwrap();
    assert_eq!(
        pipeline.footprint().stored_samples,
        pipeline.learner().footprint().stored_samples
    );
}

#[test]
fn what_cannot_be_a_pipeline_is_an_error_that_says_why() {
    let pca = |k| Step::from(Pca::fit(rows::<Regression>(3).view(), k).unwrap());
    let unfitted = Pipeline::new([pca(2), Scaling::MinMax.into()], forest(2));
    assert_eq!(unfitted.unwrap_err(), PipelineError::NotFitted { step: 1 });
    let learner = Pipeline::new([pca(2)], forest(3)).unwrap_err();
    let text = "the learner expects rows of 3 features, got 2";
    assert!(learner.to_string().starts_with(text), "{learner}");
    let steps = Pipeline::new([pca(2), pca(2)], forest(2)).unwrap_err();
    assert!(
        steps
            .to_string()
            .starts_with("step 1 expects rows of 3 features"),
        "{steps}"
    );
    let no_rows = Pipeline::on_first_rows(0, [Scaling::MinMax.into()], forest(2)).unwrap_err();
    assert!(
        no_rows.to_string().contains("must be at least 1"),
        "{no_rows}"
    );
}

#[test]
fn widths_are_those_of_raw_rows_before_and_of_the_learner_after() {
    let codes = Array2::from_shape_fn((6, 2), |(row, _)| (row % 3) as f32);
    let one_hot = OneHotEncoder::fit(codes.view(), &[1]).unwrap();
    let steps = [
        Scaling::MinMax.into(),
        one_hot.into(),
        Scaling::Standard.into(),
    ];
    let pipeline = Pipeline::on_first_rows(6, steps, forest(4)).unwrap();
    assert_eq!(pipeline.schema().features(), 2);
}

#[test]
fn class_names_travel_with_a_classifier() {
    let schema = Schema::<Classification>::new(2)
        .unwrap()
        .with_classes(3)
        .unwrap();
    let names = LabelEncoder::fit(["ash", "oak", "fir"]);
    let pipeline = Pipeline::new([], Classification::forest(schema, 1)).unwrap();
    let two = LabelEncoder::fit(["ash", "oak"]);
    let error = pipeline.clone().with_class_names(two).unwrap_err();
    let (names_given, classes) = (2, 3);
    assert_eq!(
        error,
        PipelineError::ClassNames {
            names: names_given,
            classes
        }
    );
    let pipeline = pipeline.with_class_names(names.clone()).unwrap();
    let bytes = encode_value(&pipeline).unwrap();
    let loaded: Pipeline<<Classification as Forests>::Forest> = decode_value(&bytes).unwrap();
    assert_eq!(loaded.class_names(), &names);
}

/// An altered file could hold numbers that cannot result from any rows.
#[test]
fn impossible_steps_break_the_invariants() {
    let possible = r#"{"MinMax": {"features": [{"low": 1, "high": 2}]}}"#;
    let impossible = [
        r#"{"MinMax": {"features": [{"low": 2, "high": 1}]}}"#,
        r#"{"Standard": {"features": [{"count": 3, "mean": 0, "squares": -1}]}}"#,
        r#"{"RunningStandard": {"features": [{"count": 3, "mean": 1e40, "squares": 1}]}}"#,
        r#"{"Robust": {"features": [{"median": 0, "spread": -1}]}}"#,
        r#"{"Quantile": {"features": [{"values": [2, 1]}]}}"#,
        r#"{"Quantile": {"features": [{"values": []}]}}"#,
        r#"{"OneHot": {"features": [{"Categories": [1, 1]}]}}"#,
    ];
    let checked = |text: &str| {
        let step: Step = serde_json::from_str(text).unwrap();
        let width = step.width_after(1);
        let pipeline = Pipeline::new([step], forest(width)).unwrap();
        pipeline.check_invariants().map_err(|error| error.place)
    };
    assert_eq!(checked(possible), Ok(()));
    for text in impossible {
        assert_eq!(checked(text), Err("step 0".to_owned()), "{text}");
    }
}

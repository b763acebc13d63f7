//! Predictions of pipelines, step by step, and invalid pipelines.

use super::{Forests, rows};
use forest_core::registry::snapshot::{decode_value, encode_value};
use forest_core::{Classification, OnlineLearner, Regression, Schema};
use forest_testing::conformance::Stream;
use tables::preprocessing::{FeatureScaling, LabelEncoder, Pca, Pipeline, Step};

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
    let standard = FeatureScaling::Standard.fit(stream.features.view());
    let standard = standard.unwrap().unwrap();
    let scaled = standard.transform(stream.features.clone()).unwrap();
    let pca = Step::Pca(Pca::fit(scaled.view(), 1).unwrap());
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

#[test]
fn what_cannot_be_a_pipeline_is_an_error_that_says_why() {
    let pca = |k| Step::Pca(Pca::fit(rows::<Regression>(3).view(), k).unwrap());
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
    assert!(
        error
            .to_string()
            .starts_with("2 class names for a learner that knows 3")
    );
    let pipeline = pipeline.with_class_names(names.clone()).unwrap();
    let bytes = encode_value(&pipeline).unwrap();
    let loaded: Pipeline<<Classification as Forests>::Forest> = decode_value(&bytes).unwrap();
    assert_eq!(loaded.class_names(), &names);
}

/// An altered file could hold numbers that cannot result from any rows.
#[test]
fn impossible_steps_break_the_invariants() {
    let possible = r#"{"Lines": [{"offset": 1, "unit": 2}]}"#;
    let impossible = [
        r#"{"Lines": [{"offset": 0, "unit": -1}]}"#,
        r#"{"Lines": [{"offset": 1e40, "unit": 1}]}"#,
        r#"{"Quantiles": [[2, 1]]}"#,
        r#"{"Quantiles": [[]]}"#,
    ];
    let checked = |text: &str| {
        let step: Step = serde_json::from_str(text).unwrap();
        let width = step.width_after();
        let pipeline = Pipeline::new([step], forest(width)).unwrap();
        pipeline.check_invariants().map_err(|error| error.place)
    };
    assert_eq!(checked(possible), Ok(()));
    for text in impossible {
        assert_eq!(checked(text), Err("step 0".to_owned()), "{text}");
    }
}

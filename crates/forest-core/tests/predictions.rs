//! Predictions as classes and numbers, also before the first label.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use forest_core::ndarray::array;
use forest_core::{
    Classification, InputError, OnlineClassifier, OnlineLearner, OnlineRegressor, Prior,
    Regression, Schema,
};

fn classifier(known: u32) -> Prior<Classification> {
    let schema = Schema::new(1).unwrap().with_classes(known).unwrap();
    Prior::new(schema)
}

#[test]
fn before_the_first_label_no_class_is_predicted() {
    let rows = array![[0.0], [1.0]];
    for known in [0, 3] {
        let learner = classifier(known);
        assert_eq!(learner.predict_label(&[0.0]), Ok(None));
        assert_eq!(learner.predict_labels(rows.view()), Ok(None));
        assert_eq!(learner.predict_proba(&[0.0]), Ok(None));
    }
}

#[test]
fn of_equally_probable_classes_the_smaller_is_predicted() {
    let mut learner: Box<dyn OnlineLearner<Task = Classification>> = Box::new(classifier(5));
    for class in [3, 1] {
        learner.learn_one(&[0.0], class).unwrap();
    }
    assert_eq!(learner.predict_label(&[0.0]), Ok(Some(1)));
    let rows = array![[0.0], [1.0]];
    assert_eq!(learner.predict_labels(rows.view()), Ok(Some(vec![1, 1])));
    let expected = vec![0.0, 0.5, 0.0, 0.5, 0.0];
    assert_eq!(learner.predict_proba(&[0.0]), Ok(Some(expected)));
}

#[test]
fn a_regressor_predicts_numbers() {
    let mut learner = Prior::<Regression>::new(Schema::new(1).unwrap());
    assert_eq!(learner.predict_value(&[0.0]), Ok(0.0));
    learner.learn_one(&[0.0], 2.5).unwrap();
    let rows = array![[0.0], [1.0]];
    assert_eq!(learner.predict_values(rows.view()), Ok(vec![2.5, 2.5]));
}

#[test]
fn no_change_predicts_the_latest_target() {
    let (rows, labels) = (array![[0.0], [1.0], [2.0]], [2, 0, 2]);
    let mut learner = Prior::<Classification>::of_latest(1, Schema::new(1).unwrap()).unwrap();
    assert_eq!(learner.predict_label(&[0.0]), Ok(None));
    let predictions = learner.predict_then_learn(rows.view(), &labels).unwrap();
    let predictions: Vec<&[f64]> = predictions.iter().collect();
    let expected: [&[f64]; 3] = [&[], &[0.0, 0.0, 1.0], &[1.0, 0.0, 0.0]];
    assert_eq!(predictions, expected);
    assert_eq!(learner.predict_label(&[9.0]), Ok(Some(2)));
    let mut learner = Prior::<Regression>::of_latest(1, Schema::new(1).unwrap()).unwrap();
    let predictions = learner.predict_then_learn(rows.view(), &[4.0, -1.5, 7.0]);
    assert_eq!(
        predictions.unwrap().iter().collect::<Vec<_>>(),
        [[0.0], [4.0], [-1.5]]
    );
    assert_eq!(learner.predict_value(&[0.0]), Ok(7.0));
}

#[test]
fn bad_rows_are_refused_by_every_question() {
    let (expected, got) = (1, 2);
    let wrong = InputError::WrongWidth { expected, got };
    let (wide, rows) = ([0.0, 1.0], array![[0.0, 1.0]]);
    let classifier = classifier(2);
    assert_eq!(classifier.predict_label(&wide), Err(wrong.clone()));
    assert_eq!(classifier.predict_labels(rows.view()), Err(wrong.clone()));
    assert_eq!(classifier.predict_proba(&wide), Err(wrong.clone()));
    let regressor = Prior::<Regression>::new(Schema::new(1).unwrap());
    assert_eq!(regressor.predict_value(&wide), Err(wrong.clone()));
    assert_eq!(regressor.predict_values(rows.view()), Err(wrong));
}

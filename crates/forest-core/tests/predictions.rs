//! Predictions as classes and numbers, also before the first label.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use forest_core::ndarray::array;
use forest_core::{Classification, InputError, OnlineLearner, Prior, Regression, Schema};

#[test]
fn a_class_is_predicted_after_the_first_label_and_the_smaller_of_two() {
    let rows = array![[0.0], [1.0]];
    for known in [0, 3] {
        let schema = Schema::new(1).unwrap().with_classes(known).unwrap();
        let mut learner: Box<dyn OnlineLearner<Task = Classification>> =
            Box::new(Prior::new(schema));
        assert_eq!(learner.predict_label(&[0.0]), Ok(None));
        assert_eq!(learner.predict_labels(rows.view()), Ok(vec![None; 2]));
        learner.learn(rows.view(), &[3, 1]).unwrap();
        assert_eq!(learner.predict_label(&[0.0]), Ok(Some(1)));
        assert_eq!(learner.predict_labels(rows.view()), Ok(vec![Some(1); 2]));
        assert_eq!(learner.predict_one(&[0.0]), Ok(vec![0.0, 0.5, 0.0, 0.5]));
    }
}

#[test]
fn a_regressor_predicts_numbers() {
    let mut learner = Prior::<Regression>::new(Schema::new(1).unwrap());
    assert_eq!(learner.predict_label(&[0.0]), Ok(0.0));
    learner.learn_one(&[0.0], 2.5).unwrap();
    let rows = array![[0.0], [1.0]];
    assert_eq!(learner.predict_labels(rows.view()), Ok(vec![2.5; 2]));
}

#[test]
fn no_change_predicts_the_latest_target() {
    let rows = array![[0.0], [1.0], [2.0]];
    let mut learner = Prior::<Classification>::of_latest(1, Schema::new(1).unwrap()).unwrap();
    let predictions = learner.predict_then_learn(rows.view(), &[2, 0, 2]).unwrap();
    let expected: [&[f64]; 3] = [&[], &[0.0, 0.0, 1.0], &[1.0, 0.0, 0.0]];
    assert!(predictions.iter().eq(expected));
    assert_eq!(learner.predict_label(&[9.0]), Ok(Some(2)));
    let mut learner = Prior::<Regression>::of_latest(1, Schema::new(1).unwrap()).unwrap();
    let predictions = learner.predict_then_learn(rows.view(), &[4.0, -1.5, 7.0]);
    assert!(predictions.unwrap().iter().eq([[0.0], [4.0], [-1.5]]));
    assert_eq!(learner.predict_label(&[0.0]), Ok(7.0));
}

#[test]
fn bad_rows_are_refused() {
    let wrong = InputError::check_width(2, 1);
    let learner = Prior::<Classification>::new(Schema::new(1).unwrap());
    let rows = array![[0.0, 1.0]];
    assert_eq!(learner.predict_label(&[0.0, 1.0]).map(drop), wrong);
    assert_eq!(learner.predict_labels(rows.view()).map(drop), wrong);
}

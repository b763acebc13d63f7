//! "Immediate one-shot learning": shown a point and asked there, the forest is right.

use boundary_forest::ChildLimit;
use forest_core::{OnlineLearner, argmax};

use super::data::{noise, points, sums};
use super::{classifier, regressor};

#[test]
fn one_shot_a_class_shown_is_a_class_known() {
    let (x, y) = (points(400, 3, 1), noise(400, 4));
    for (trees, limit) in [(1, ChildLimit::Unlimited), (7, ChildLimit::AtMost(2))] {
        let mut forest = classifier(trees, limit, 3);
        for (row, (features, &class)) in x.rows().into_iter().zip(&y).enumerate() {
            forest.learn_one(&features.to_vec(), class).unwrap();
            let prediction = forest.predict_one(&features.to_vec()).unwrap();
            assert_eq!(argmax(&prediction), class as usize, "row {row}");
            assert!(row + 1 < trees || prediction[class as usize] == 1.0);
        }
    }
}

#[test]
fn one_shot_a_number_shown_is_predicted_exactly() {
    let x = points(300, 2, 2);
    let mut forest = regressor(9, 0.0, 2);
    for (features, y) in x.rows().into_iter().zip(sums(&x)) {
        forest.learn_one(&features.to_vec(), y).unwrap();
        assert_eq!(forest.predict_one(&features.to_vec()).unwrap(), [y]);
    }
}

#[test]
fn one_shot_is_within_epsilon_if_epsilon_is_positive() {
    let x = points(300, 2, 2);
    let mut forest = regressor(9, 0.1, 2);
    for (features, y) in x.rows().into_iter().zip(sums(&x)) {
        forest.learn_one(&features.to_vec(), y).unwrap();
        let prediction = forest.predict_one(&features.to_vec()).unwrap()[0];
        assert!((prediction - y).abs() <= 0.1 + 1e-12);
    }
}

#[test]
fn equal_positions_average_their_labels() {
    let mut forest = regressor(100, 0.0, 1);
    for label in [3.0, 5.0].repeat(60) {
        forest.learn_one(&[1.0], label).unwrap();
        let prediction = forest.predict_one(&[1.0]).unwrap()[0];
        assert!((3.0..=5.0).contains(&prediction), "{prediction}");
    }
    let prediction = forest.predict_one(&[1.0]).unwrap()[0];
    assert!((3.5..4.5).contains(&prediction), "{prediction}");
}

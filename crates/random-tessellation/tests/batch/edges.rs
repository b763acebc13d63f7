//! Few points, equal points, one class, no budget, classes without samples.

use forest_core::ndarray::{Array2, array};
use mondrian::AxisCuts;
use random_tessellation::batch::{BatchForest, BatchSettings};
use random_tessellation::{LinearCuts, Pause};

use crate::{fitted, matrix, schema, training, trees, two_classes};

fn few_particles() -> BatchSettings {
    BatchSettings {
        particles: 5,
        ..BatchSettings::default()
    }
}

#[test]
fn training_samples_are_distinguished_without_a_budget() {
    let (rows, targets) = two_classes(150, 2);
    let forest = fitted::<LinearCuts>(rows.view(), &targets, &few_particles(), trees(5));
    assert_eq!(forest.classify(rows.view()).unwrap(), targets);
    let forest = fitted::<AxisCuts>(rows.view(), &targets, &few_particles(), trees(5));
    assert_eq!(forest.classify(rows.view()).unwrap(), targets);
}

#[test]
fn leaves_of_one_class_are_cut_only_on_request() {
    let (rows, _) = two_classes(30, 3);
    let leaves = |targets: &[u32], pause| {
        let mut settings = few_particles();
        settings.pause = pause;
        fitted::<LinearCuts>(rows.view(), targets, &settings, trees(1)).trees()[0].leaves()
    };
    assert_eq!(leaves(&[1; 30], Pause::WhileLabelsAgree), 1);
    assert_eq!(leaves(&[1; 30], Pause::Never), 30);
    let mut targets = [0; 30];
    targets[4] = 1;
    assert!((2..30).contains(&leaves(&targets, Pause::WhileLabelsAgree)));
}

#[test]
fn equal_rows_stay_together_and_the_more_frequent_class_wins() {
    let [same, other] = [vec![1.0, 2.0], vec![0.0, 0.0]];
    let rows = matrix(&[same.clone(), same.clone(), same, other]);
    let forest = fitted::<LinearCuts>(rows.view(), &[2, 0, 2, 1], &few_particles(), trees(3));
    assert!(forest.trees().iter().all(|tree| tree.leaves() == 2));
    assert_eq!(forest.classify(rows.view()).unwrap(), [2, 2, 2, 1]);
    let tree = &forest.trees()[0];
    let mean = tree.posterior_mean(tree.leaf_at(&[1.0, 2.0]));
    let expected = [1.001 / 3.004, 0.001 / 3.004, 2.002 / 3.004];
    for (got, expected) in mean.iter().zip(expected) {
        assert!((got - expected).abs() < 1e-12);
    }
}

/// Neighbouring floats in one feature, far apart from rounding in none: every cut is realised or given up.
#[test]
fn points_that_only_rounding_distinguishes_end() {
    let at = |k: u8| vec![1e6f32 + f32::from(k) * (1e6f32.next_up() - 1e6), -1e6];
    let rows = matrix(&[at(0), at(1), at(2), at(0)]);
    let forest = fitted::<LinearCuts>(rows.view(), &[0, 1, 0, 1], &few_particles(), trees(20));
    assert!(forest.trees().iter().all(|tree| tree.leaves() <= 3));
}

#[test]
fn without_time_there_is_one_leaf() {
    let (rows, targets) = two_classes(30, 1);
    let mut settings = few_particles();
    settings.budget = 0.0;
    let forest = fitted::<LinearCuts>(rows.view(), &targets, &settings, trees(2));
    for tree in forest.trees() {
        assert_eq!((tree.leaves(), tree.cut_times().len()), (1, 0));
    }
    let ones = targets.iter().filter(|target| **target == 1).count();
    let majority = u32::from(2 * ones > 30);
    assert_eq!(forest.classify(array![[0.5]].view()).unwrap(), [majority]);
}

#[test]
fn classes_without_samples_get_no_votes() {
    let (rows, targets) = two_classes(40, 2);
    let targets: Vec<u32> = targets.iter().map(|target| 2 * target + 1).collect();
    let schema = schema(2).with_classes(6).unwrap();
    let settings = few_particles();
    let training = training(&rows, &targets);
    let forest = BatchForest::<LinearCuts>::fit(schema, training, &settings, trees(4), |_| ());
    let votes = forest.unwrap().predict(rows.view()).unwrap();
    assert_eq!(votes.ncols(), 6);
    assert!(votes.outer_iter().all(|row| row[1] + row[3] == 1.0));
}

#[test]
fn a_forest_of_no_rows_predicts() {
    let none = Array2::zeros((0, 2));
    let settings = few_particles();
    let forest = fitted::<LinearCuts>(none.view(), &[], &settings, trees(3));
    let one = array![[0.0, 1.0]];
    assert_eq!(forest.predict(one.view()).unwrap().dim(), (1, 0));
    let three = schema(2).with_classes(3).unwrap();
    let training = training(&none, &[]);
    let forest = BatchForest::<LinearCuts>::fit(three, training, &settings, trees(3), |_| ());
    assert_eq!(
        forest.unwrap().predict(one.view()).unwrap(),
        array![[1.0, 0.0, 0.0]]
    );
}

/// A leaf with test points only predicts by the prior, the class frequencies of the training set.
#[test]
fn test_points_among_themselves_get_the_prior() {
    let rows = matrix(&[vec![0.0], vec![1.0], vec![2.0]]);
    let test = matrix(&[vec![100.0], vec![0.1]]);
    let mut settings = few_particles();
    settings.pause = Pause::Never;
    let mut training = training(&rows, &[1, 0, 1]);
    training.test_rows = Some(test.view());
    let forest = BatchForest::<LinearCuts>::fit(schema(1), training, &settings, trees(3), |_| ());
    let forest = forest.unwrap();
    for tree in forest.trees() {
        assert_eq!(tree.leaves(), 5);
        let prior = [1.0 / 3.0, 2.0 / 3.0];
        assert_eq!(tree.posterior_mean(tree.leaf_at(&[100.0])), prior);
    }
    assert_eq!(forest.classify(test.view()).unwrap(), [1, 1]);
}

//! Properties that hold for every offline learner.

use std::sync::Arc;

use comparison::{ComparedTask, Contender, Fit, Model, OwnBuild, RunError, Training};
use forest_core::{Classification, ForestSettings, Regression, TreeRng, argmax, threads};
use ndarray::{Array2, ArrayView2, s};

/// Draws uniform points of the unit cube.
fn points(rows: usize, features: usize, seed: u64) -> Array2<f32> {
    let mut rng = TreeRng::new(seed, 0);
    Array2::from_shape_fn((rows, features), |_| rng.uniform() as f32)
}

/// Returns classes along the first feature.
fn classes(rows: &Array2<f32>, count: u32) -> Vec<u32> {
    let classes = rows.column(0).into_iter();
    classes.map(|x| (x * count as f32) as u32).collect()
}

/// Returns what fits a learner of a task with its defaults.
fn make<T: ComparedTask>(learner: &Contender) -> Option<Arc<Fit<T>>> {
    match T::own(learner) {
        Some(OwnBuild::Offline(fit)) => Some(fit.clone()),
        _ => None,
    }
}

/// Returns the learners of a task.
fn learners<T: ComparedTask>() -> Vec<Contender> {
    let all = Contender::all();
    all.filter(|one| make::<T>(one).is_some()).collect()
}

/// Fits a learner.
fn fit<T: ComparedTask>(
    learner: &Contender,
    rows: ArrayView2<'_, f32>,
    targets: &[T::Target],
    (trees, seed): (usize, u64),
) -> Result<Model, RunError> {
    let settings = ForestSettings::default().with_trees(trees);
    let training = Training::new(rows, targets, rows)?;
    make::<T>(learner).unwrap()(&training, settings.with_seed(seed))
}

#[test]
fn every_learner_learns_and_predicts_probabilities_or_numbers() {
    let train = points(300, 3, 1);
    let test = points(200, 3, 2);
    for count in [2, 3] {
        let truth = classes(&test, count);
        for row in &learners::<Classification>() {
            let model = fit::<Classification>(row, train.view(), &classes(&train, count), (20, 3));
            let predictions = (model.unwrap().predict)(test.view()).unwrap();
            assert_eq!(predictions.dim(), (200, count as usize), "{row}");
            let mut right = 0;
            for (prediction, truth) in predictions.outer_iter().zip(&truth) {
                let is_share = prediction.iter().all(|p| (0.0..=1.0 + 1e-12).contains(p));
                let is_sure = (prediction.sum() - 1.0).abs() < 1e-9;
                assert!(is_share && is_sure, "{row}");
                right += usize::from(argmax(&prediction.to_vec()) == *truth as usize);
            }
            assert!(right >= 170, "{row}: {right} of 200");
        }
    }
    let slope = |row: usize, rows: &Array2<f32>| 2.0 * f64::from(rows[[row, 0]]) - 1.0;
    let targets: Vec<f64> = (0..300).map(|row| slope(row, &train)).collect();
    for row in &learners::<Regression>() {
        let model = fit::<Regression>(row, train.view(), &targets, (20, 3)).unwrap();
        let predictions = (model.predict)(test.view()).unwrap();
        assert_eq!(predictions.dim(), (200, 1), "{row}");
        let squares = (0..200).map(|at| (predictions[[at, 0]] - slope(at, &test)).powi(2));
        let rmse = (squares.sum::<f64>() / 200.0).sqrt();
        // The targets have standard deviation 0.58.
        assert!(rmse < 0.25, "{row}: {rmse}");
    }
}

/// A tie or a shared draw must not depend on threads or hash orders.
#[test]
fn the_seed_is_the_result_and_the_number_of_trees_is_that_asked_for() {
    let train = points(150, 4, 1);
    let test = points(60, 4, 2);
    let targets = classes(&train, 3);
    for row in &learners::<Classification>() {
        let predictions = |count: usize, seed: u64| {
            // A fitted model cannot leave its thread, so only the predictions are returned.
            let work = || {
                let model = fit::<Classification>(row, train.view(), &targets, (8, seed)).unwrap();
                let is_forest = row.algorithm().unwrap().trees() > 0;
                let trees = usize::from(row.name() == "decision-tree") + 8 * usize::from(is_forest);
                assert_eq!(model.trees, trees, "{row}");
                (model.predict)(test.view()).unwrap()
            };
            threads::with_threads(count, work).unwrap()
        };
        assert_eq!(predictions(1, 5), predictions(3, 5), "{row}");
        if row.name() == "random-forest" {
            assert_ne!(predictions(1, 5), predictions(1, 6));
        }
    }
}

#[test]
fn awkward_rows_are_learned_and_what_cannot_be_learned_is_refused() {
    // A constant feature, equal rows, labels that skip a class, fewer rows than neighbours.
    let value = |row: usize, column: usize| if column == 0 { 1.0 } else { (row / 3) as f32 };
    let train = Array2::from_shape_fn((6, 2), |(row, column)| value(row, column));
    let mut broken = train.clone();
    broken[[1, 1]] = f32::INFINITY;
    let targets = [0, 0, 0, 2, 2, 2];
    for row in &learners::<Classification>() {
        let name = row.name();
        let model = fit::<Classification>(row, train.view(), &targets, (5, 0)).unwrap();
        let predictions = (model.predict)(train.view()).unwrap();
        let is_finite = predictions.iter().all(|p| p.is_finite());
        assert!(predictions.ncols() == 3 && is_finite, "{name}");
        let none = (model.predict)(train.slice(s![..0, ..])).unwrap();
        assert_eq!(none.dim(), (0, 3), "{name}");
        assert!((model.predict)(points(2, 3, 1).view()).is_err(), "{name}");
        assert!((model.predict)(broken.view()).is_err(), "{name}");
        match fit::<Classification>(row, train.view(), &[1; 6], (2, 0)) {
            Ok(model) => {
                let predictions = (model.predict)(train.view()).unwrap();
                assert_eq!(predictions.row(0).to_vec(), [0.0, 1.0]);
            }
            Err(error) => assert!(error.to_string().contains("rows of two classes"), "{error}"),
        }
        if name == "random-forest" {
            let error = fit::<Classification>(row, train.view(), &targets, (0, 0));
            assert!(error.err().unwrap().to_string().contains("trees"));
        }
    }
    for row in &learners::<Regression>() {
        let model = fit::<Regression>(row, train.view(), &targets.map(f64::from), (5, 0)).unwrap();
        let predictions = (model.predict)(train.view()).unwrap();
        let is_finite = predictions.iter().all(|p| p.is_finite());
        assert!(is_finite, "{row}: {predictions}");
    }
    let none = train.slice(s![..0, ..]);
    for (rows, targets, words) in [
        (train.view(), &[0, 1][..], "6"),
        (none, &[], "no training rows"),
    ] {
        let error = Training::<Classification>::new(rows, targets, rows).unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[test]
fn values_are_written_as_the_program_would_and_a_label_hides_none() {
    let machine: Contender = "svm:gamma=0.50,c=2".parse().unwrap();
    assert_eq!(machine.to_string(), "svm:c=2,gamma=0.5");
    let named = machine.labelled("machine");
    assert_eq!(named.to_string(), "machine");
    assert_eq!(named.text(), "svm:c=2,gamma=0.5");
}

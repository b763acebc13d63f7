//! Properties that hold for every offline learner.

use comparison::{
    BatchLearner, BatchTask, Contender, FitError, Fitted, OfflineRow, Training, offline_rows,
};
use forest_core::parameters::Values;
use forest_core::{Classification, ForestSettings, Regression, TreeRng, argmax, threads};
use ndarray::{Array2, ArrayView2, s};

/// Draws uniform points of the unit cube.
fn points(rows: usize, features: usize, seed: u64) -> Array2<f32> {
    let mut rng = TreeRng::new(seed, 0);
    Array2::from_shape_fn((rows, features), |_| rng.uniform() as f32)
}

/// Returns classes along the first feature.
fn classes(rows: &Array2<f32>, count: u32) -> Vec<u32> {
    rows.column(0)
        .iter()
        .map(|x| (x * count as f32) as u32)
        .collect()
}

fn slope(rows: &Array2<f32>) -> Vec<f64> {
    rows.column(0)
        .iter()
        .map(|x| 2.0 * f64::from(*x) - 1.0)
        .collect()
}

fn settings(trees: usize, seed: u64) -> ForestSettings {
    ForestSettings::default().with_trees(trees).with_seed(seed)
}

/// Returns the learners of a task with their defaults.
fn all<T: BatchTask>() -> Vec<(&'static OfflineRow, Box<dyn BatchLearner<T>>)> {
    let able = offline_rows().filter_map(|row| Some((row, T::make(row)?)));
    able.map(|(row, make)| (row, make(&mut Values::defaults(row.parameters))))
        .collect()
}

fn fit<T: BatchTask>(
    learner: &dyn BatchLearner<T>,
    rows: ArrayView2<'_, f32>,
    targets: &[T::Target],
    settings: ForestSettings,
) -> Result<Box<dyn Fitted>, FitError> {
    let mut training = Training::<T>::new(rows, targets)?;
    if learner.is_transductive() {
        training = training.with_unlabelled(rows)?;
    }
    learner.fit(&training, settings)
}

#[test]
fn every_classifier_learns_and_predicts_probabilities() {
    for count in [2, 3] {
        let (rows, test) = (points(300, 3, 1), points(200, 3, 2));
        let (targets, truth) = (classes(&rows, count), classes(&test, count));
        for (OfflineRow { name, .. }, learner) in all::<Classification>() {
            let fitted = fit(&*learner, rows.view(), &targets, settings(20, 3)).unwrap();
            let predictions = fitted.predict(test.view()).unwrap();
            assert_eq!(predictions.dim(), (200, count as usize), "{name}");
            let mut right = 0;
            for (prediction, truth) in predictions.outer_iter().zip(&truth) {
                assert!(
                    (prediction.sum() - 1.0).abs() < 1e-9,
                    "{name}: {prediction}"
                );
                assert!(
                    prediction.iter().all(|p| (0.0..=1.0 + 1e-12).contains(p)),
                    "{name}"
                );
                right += usize::from(argmax(&prediction.to_vec()) == *truth as usize);
            }
            assert!(right >= 170, "{name}: {right} of 200");
        }
    }
}

#[test]
fn every_regressor_learns() {
    let (rows, test) = (points(300, 3, 1), points(200, 3, 2));
    let (targets, truth) = (slope(&rows), slope(&test));
    for (OfflineRow { name, .. }, learner) in all::<Regression>() {
        let fitted = fit(&*learner, rows.view(), &targets, settings(20, 3)).unwrap();
        let predictions = fitted.predict(test.view()).unwrap();
        assert_eq!(predictions.dim(), (200, 1), "{name}");
        let squares = predictions.iter().zip(&truth).map(|(a, b)| (a - b).powi(2));
        let rmse = (squares.sum::<f64>() / 200.0).sqrt();
        // The targets have standard deviation 0.58.
        assert!(rmse < 0.25, "{name}: {rmse}");
    }
}

/// A tie or a shared draw must not depend on threads or hash orders.
#[test]
fn the_seed_is_the_result_and_the_number_of_trees_is_that_asked_for() {
    let (rows, test) = (points(150, 4, 1), points(60, 4, 2));
    let targets = classes(&rows, 3);
    for OfflineRow { name, .. } in offline_rows().filter(|row| row.classification.is_some()) {
        let predictions = |threads: usize, seed: u64| {
            // A fitted model cannot leave its thread, so only the predictions are returned.
            let work = || {
                let (row, learner) = all().into_iter().find(|one| one.0.name == *name).unwrap();
                let fitted =
                    fit::<Classification>(&*learner, rows.view(), &targets, settings(8, seed));
                let fitted = fitted.unwrap();
                let trees = if *name == "decision-tree" {
                    1
                } else {
                    8 * usize::from(row.has_trees)
                };
                assert_eq!(fitted.trees(), trees, "{name}");
                fitted.predict(test.view()).unwrap()
            };
            threads::with_threads(threads, work).unwrap()
        };
        assert_eq!(predictions(1, 5), predictions(3, 5), "{name}");
        if *name == "random-forest" {
            assert_ne!(predictions(1, 5), predictions(1, 6), "{name}");
        }
    }
}

/// Constant features, equal rows, labels that skip a class, fewer rows than neighbours.
#[test]
fn awkward_rows_are_learned() {
    let value = |row: usize, column: usize| if column == 0 { 1.0 } else { (row / 3) as f32 };
    let rows = Array2::from_shape_fn((6, 2), |(row, column)| value(row, column));
    let targets = [0, 0, 0, 2, 2, 2];
    for (OfflineRow { name, .. }, learner) in all::<Classification>() {
        let fitted = fit(&*learner, rows.view(), &targets, settings(5, 0)).unwrap();
        let predictions = fitted.predict(rows.view()).unwrap();
        assert_eq!(predictions.ncols(), 3);
        assert!(
            predictions.iter().all(|p| p.is_finite()),
            "{name}: {predictions}"
        );
        assert_eq!(
            fitted.predict(rows.slice(s![..0, ..])).unwrap().dim(),
            (0, 3)
        );
    }
    for (OfflineRow { name, .. }, learner) in all::<Regression>() {
        let targets = targets.map(f64::from);
        let fitted = fit(&*learner, rows.view(), &targets, settings(5, 0)).unwrap();
        let predictions = fitted.predict(rows.view()).unwrap();
        assert!(
            predictions.iter().all(|p| p.is_finite()),
            "{name}: {predictions}"
        );
    }
}

#[test]
fn what_cannot_be_learned_is_refused_in_words() {
    let rows = points(4, 2, 1);
    for (OfflineRow { name, .. }, learner) in all::<Classification>() {
        match fit(&*learner, rows.view(), &[1; 4], settings(2, 0)) {
            Ok(fitted) => {
                assert_eq!(
                    fitted.predict(rows.view()).unwrap().row(0).to_vec(),
                    [0.0, 1.0]
                );
            }
            Err(FitError::OneClass) => (),
            Err(other) => panic!("{name}: {other}"),
        }
        let fitted = fit(&*learner, rows.view(), &[0, 1, 0, 1], settings(2, 0)).unwrap();
        assert!(fitted.predict(points(2, 3, 1).view()).is_err(), "{name}");
        let mut broken = rows.clone();
        broken[[1, 1]] = f32::INFINITY;
        assert!(fitted.predict(broken.view()).is_err(), "{name}");
        if *name == "random-forest" {
            let error = fit(&*learner, rows.view(), &[0, 1, 0, 1], settings(0, 0));
            assert!(error.err().unwrap().to_string().contains("trees"));
        }
    }
    let refused = |rows: ArrayView2<'_, f32>, targets: &[u32]| {
        Training::<Classification>::new(rows, targets)
            .unwrap_err()
            .to_string()
    };
    assert!(refused(rows.view(), &[0, 1]).contains('4'));
    assert!(refused(rows.slice(s![..0, ..]), &[]).contains("no training rows"));
}

#[test]
fn names_and_parameters_are_read_as_those_of_forests() {
    let error = |text: &str| text.parse::<Contender>().unwrap_err().to_string();
    assert!(error("random-forrest").contains("did you mean `random-forest`"));
    assert!(error("k-nn:kk=3").contains("did you mean `k`"));
    assert!(error("k-nn:k=0").contains("at least 1"));
    let machine: Contender = "svm:gamma=0.50,c=2".parse().unwrap();
    assert_eq!(machine.to_string(), "svm:c=2,gamma=0.5");
    let named = machine.labelled("machine");
    assert_eq!(
        (named.to_string(), named.text()),
        ("machine".into(), "svm:c=2,gamma=0.5".into())
    );
    assert!(named.is_offline() && !named.supports(datasets::TaskKind::Regression));
    for row in offline_rows() {
        let parameters = row.parameters.iter();
        let defaults = parameters.map(|known| format!("{}={}", known.name, known.default));
        let defaults = defaults.collect::<Vec<_>>().join(",");
        let mut values = Values::read(row.name, row.parameters, &defaults).unwrap();
        let classifier = row.classification.map(|make| make(&mut values));
        let regressor = row.regression.map(|make| make(&mut values));
        assert!(classifier.is_some() || regressor.is_some(), "{}", row.name);
        assert_eq!(values.unread(), None, "{}", row.name);
    }
}

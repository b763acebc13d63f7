//! Properties that hold for every batch learner of the table.

use comparison::baselines::{DecisionTree, LogisticRegression, Neighbours, RandomForest, Svm};
use comparison::protocol::Design;
use comparison::record::{Outcome, Protocol};
use comparison::{
    BatchAlgorithm, BatchTask, Comparison, Declared, FitError, FitOptions, Fitted, Runner,
    Training, batch_learners,
};
use datasets::OpenOptions;
use forest_core::parameters::Values;
use forest_core::{Classification, Regression, TreeRng, argmax, threads};
use ndarray::{Array2, ArrayView2};

/// Draws uniform points of the unit cube.
fn points(rows: usize, features: usize, seed: u64) -> Array2<f32> {
    let mut rng = TreeRng::new(seed, 0);
    Array2::from_shape_fn((rows, features), |_| rng.uniform() as f32)
}

/// Returns three classes along the first feature.
fn thirds(rows: &Array2<f32>) -> Vec<u32> {
    classes(rows, 3)
}

/// Returns classes along the first feature.
fn classes(rows: &Array2<f32>, count: u32) -> Vec<u32> {
    let class = |x: &f32| (x * count as f32) as u32;
    rows.column(0).iter().map(class).collect()
}

fn slope(rows: &Array2<f32>) -> Vec<f64> {
    let value = |x: &f32| 2.0 * f64::from(*x) - 1.0;
    rows.column(0).iter().map(value).collect()
}

/// Returns the algorithm of this name, with parameters.
fn named(text: &str) -> BatchAlgorithm {
    text.parse().unwrap()
}

fn all<T: BatchTask>() -> impl Iterator<Item = BatchAlgorithm> {
    BatchAlgorithm::all().filter(BatchAlgorithm::supports::<T>)
}

fn fit<T: BatchTask>(
    algorithm: &BatchAlgorithm,
    rows: ArrayView2<'_, f32>,
    targets: &[T::Target],
    options: FitOptions,
) -> Result<Box<dyn Fitted>, FitError> {
    let learner = algorithm.learner::<T>().unwrap();
    let mut training = Training::<T>::new(rows, targets)?;
    if learner.is_transductive() {
        training = training.with_unlabelled(rows)?;
    }
    learner.fit(&training, options)
}

fn learns_classes(count: u32) {
    let (rows, test) = (points(300, 3, 1), points(200, 3, 2));
    let (targets, truth) = (classes(&rows, count), classes(&test, count));
    for algorithm in all::<Classification>() {
        let options = FitOptions::new(20, 3);
        let fitted = fit::<Classification>(&algorithm, rows.view(), &targets, options).unwrap();
        let predictions = fitted.predict(test.view()).unwrap();
        assert_eq!(predictions.dim(), (200, count as usize), "{algorithm}");
        let predictions = predictions.outer_iter().map(|row| row.to_vec()).zip(&truth);
        let right = predictions.filter(|(prediction, truth)| {
            assert!(
                (prediction.iter().sum::<f64>() - 1.0).abs() < 1e-9,
                "{algorithm}: {prediction:?}"
            );
            assert!(
                prediction.iter().all(|p| (0.0..=1.0 + 1e-12).contains(p)),
                "{algorithm}"
            );
            argmax(prediction) == **truth as usize
        });
        let right = right.count();
        assert!(right >= 170, "{algorithm}: {right} of 200");
    }
}

#[test]
fn every_classifier_learns_and_predicts_probabilities() {
    learns_classes(2);
    learns_classes(3);
}

#[test]
fn every_regressor_learns() {
    let (rows, test) = (points(300, 3, 1), points(200, 3, 2));
    let (targets, truth) = (slope(&rows), slope(&test));
    for algorithm in all::<Regression>() {
        let options = FitOptions::new(20, 3);
        let fitted = fit::<Regression>(&algorithm, rows.view(), &targets, options).unwrap();
        let predictions = fitted.predict(test.view()).unwrap();
        assert_eq!(predictions.dim(), (200, 1), "{algorithm}");
        let squares = predictions.iter().zip(&truth).map(|(a, b)| (a - b).powi(2));
        let rmse = (squares.sum::<f64>() / 200.0).sqrt();
        // The targets have standard deviation 0.58.
        assert!(rmse < 0.25, "{algorithm}: {rmse}");
    }
}

/// A tie or a shared draw must not depend on threads or hash orders.
#[test]
fn the_seed_is_the_result() {
    let (rows, test) = (points(150, 4, 1), points(60, 4, 2));
    let targets = thirds(&rows);
    for algorithm in all::<Classification>() {
        let predictions = |threads: usize, seed: u64| {
            let work = || {
                let options = FitOptions::new(8, seed);
                let fitted = fit::<Classification>(&algorithm, rows.view(), &targets, options);
                fitted.unwrap().predict(test.view()).unwrap()
            };
            // A fitted model cannot leave its thread, so only the predictions are returned.
            threads::with_threads(threads, work).unwrap()
        };
        assert_eq!(predictions(1, 5), predictions(3, 5), "{algorithm}");
        if algorithm.name() == "random-forest" {
            assert_ne!(predictions(1, 5), predictions(1, 6), "{algorithm}");
        }
    }
}

#[test]
fn the_number_of_trees_is_that_asked_for() {
    let rows = points(40, 2, 1);
    let targets = thirds(&rows);
    for (name, trees) in [("random-forest", 7), ("decision-tree", 1), ("k-nn", 0)] {
        let algorithm = named(name);
        let options = FitOptions::new(7, 0);
        let fitted = fit::<Classification>(&algorithm, rows.view(), &targets, options).unwrap();
        assert_eq!(fitted.trees(), trees, "{name}");
    }
}

/// Constant features, equal rows, labels that skip a class, fewer rows than neighbours.
#[test]
fn awkward_rows_are_learned() {
    let rows = Array2::from_shape_fn(
        (6, 2),
        |(row, column)| if column == 0 { 1.0 } else { (row / 3) as f32 },
    );
    let targets = [0, 0, 0, 2, 2, 2];
    for algorithm in all::<Classification>() {
        let options = FitOptions::new(5, 0);
        let fitted = fit::<Classification>(&algorithm, rows.view(), &targets, options).unwrap();
        let predictions = fitted.predict(rows.view()).unwrap();
        assert_eq!(predictions.ncols(), 3);
        assert!(
            predictions.iter().all(|p| p.is_finite()),
            "{algorithm}: {predictions}"
        );
        assert_eq!(
            fitted
                .predict(rows.slice(ndarray::s![..0, ..]))
                .unwrap()
                .dim(),
            (0, 3)
        );
    }
    for algorithm in all::<Regression>() {
        let targets = targets.map(f64::from);
        let options = FitOptions::new(5, 0);
        let fitted = fit::<Regression>(&algorithm, rows.view(), &targets, options).unwrap();
        let predictions = fitted.predict(rows.view()).unwrap();
        assert!(
            predictions.iter().all(|p| p.is_finite()),
            "{algorithm}: {predictions}"
        );
    }
}

#[test]
fn what_cannot_be_learned_is_refused_in_words() {
    let rows = points(4, 2, 1);
    let one_class = [1u32; 4];
    for algorithm in all::<Classification>() {
        let options = FitOptions::new(2, 0);
        match fit::<Classification>(&algorithm, rows.view(), &one_class, options) {
            Ok(fitted) => assert_eq!(
                fitted.predict(rows.view()).unwrap().row(0).to_vec(),
                [0.0, 1.0]
            ),
            Err(FitError::OneClass) => (),
            Err(other) => panic!("{algorithm}: {other}"),
        }
        let fitted =
            fit::<Classification>(&algorithm, rows.view(), &[0, 1, 0, 1], options).unwrap();
        assert!(
            fitted.predict(points(2, 3, 1).view()).is_err(),
            "{algorithm}"
        );
        let mut broken = rows.clone();
        broken[[1, 1]] = f32::INFINITY;
        assert!(fitted.predict(broken.view()).is_err(), "{algorithm}");
    }
    let refused = |rows: ArrayView2<'_, f32>, targets: &[u32]| {
        Training::<Classification>::new(rows, targets)
            .unwrap_err()
            .to_string()
    };
    assert!(refused(rows.view(), &[0, 1]).contains('4'));
    assert!(refused(rows.slice(ndarray::s![..0, ..]), &[]).contains("no training rows"));
    let forest = named("random-forest");
    let error = fit::<Classification>(&forest, rows.view(), &[0, 1, 0, 1], FitOptions::new(0, 0));
    assert!(error.err().unwrap().to_string().contains("trees"));
}

#[test]
fn names_and_parameters_are_read_as_those_of_forests() {
    let error = |text: &str| text.parse::<BatchAlgorithm>().unwrap_err().to_string();
    assert!(error("random-forrest").contains("did you mean `random-forest`"));
    assert!(error("k-nn:kk=3").contains("did you mean `k`"));
    assert!(error("k-nn:k=0").contains("at least 1"));
    let algorithm = named("svm:gamma=0.50,c=2");
    assert_eq!(algorithm.to_string(), "svm:c=2,gamma=0.5");
    assert_eq!(
        named("svm").with_all_values().to_string(),
        "svm:c=1,gamma=scale"
    );
    let error = algorithm.learner::<Regression>().err().unwrap();
    assert!(
        error
            .to_string()
            .contains("svm does not support regression")
    );
    for entry in batch_learners() {
        assert!(
            entry.classification.is_some() || entry.regression.is_some(),
            "{}",
            entry.name
        );
    }
}

fn declared_defaults_hold<S: Declared>() {
    let stated = S::default().values();
    let declared = Values::default().or_defaults(&S::parameters());
    assert_eq!(stated, declared);
    let again = S::with(&declared).values();
    assert_eq!(again, declared);
}

#[test]
fn defaults_are_those_declared() {
    declared_defaults_hold::<RandomForest>();
    declared_defaults_hold::<DecisionTree>();
    declared_defaults_hold::<Neighbours>();
    declared_defaults_hold::<LogisticRegression>();
    declared_defaults_hold::<Svm>();
}

#[test]
fn a_comparison_has_learners_of_this_crate_by_name() {
    let data = datasets::open("friedman:n=200,test=100", &OpenOptions::default()).unwrap();
    let offline = ["random-forest", "k-nn"].map(|name| name.parse().unwrap());
    let comparison = Comparison::new(&data, Protocol::KFold, &offline, &Design::default());
    let records = Runner::new(5, 1).records(&[comparison.unwrap()]);
    assert_eq!(records.len(), 2);
    for record in records {
        let Outcome::Measured(measured) = &record.outcome else {
            panic!("{} failed", record.label);
        };
        assert!(measured.metrics["r2"] > 0.2, "{}", record.label);
    }
}

//! What the stages of chains have learned, and how little the order of rows matters to it.

use forest_core::{OnlineLearner, TreeRng};
use ndarray::{Array2, Axis, s};

use super::*;

const ROWS: usize = 300;

fn learner(trees: usize, recheck: f64) -> ResidualForest {
    let settings = ResidualSettings {
        recheck,
        ..ResidualSettings::of_numbers()
    };
    let forest = ForestSettings::default().with_trees(trees).with_seed(3);
    ResidualForest::new(Schema::new(2).unwrap(), settings, forest).unwrap()
}

/// Rows whose targets are a function of the first feature, times `signal`, and normal noise of variance 1.
fn rows(signal: f64) -> (Array2<f32>, Vec<f64>) {
    let mut rng = TreeRng::new(11, 0);
    let features = Array2::from_shape_fn((ROWS, 2), |_| rng.uniform() as f32);
    let target = |x: f32| signal * (6.0 * f64::from(x)).sin() + 50.0;
    let first = features.column(0);
    let targets = first.iter().map(|&x| target(x) + rng.normal()).collect();
    (features, targets)
}

fn stored(forest: &HonestForest) -> Vec<f64> {
    let samples = forest.samples();
    samples.ids().map(|id| samples.target(id)).collect()
}

fn mean_square(values: &[f64]) -> f64 {
    values.iter().map(|value| value * value).sum::<f64>() / values.len() as f64
}

/// Noise of variance 1 cannot be predicted, so the mean square of the residuals is at least that: it is above 1 −
/// 3.3·√(2 / n) with probability .9995. Residuals of trees that have learned the rows are smaller.
#[test]
fn residuals_of_noise_have_at_least_its_variance() {
    let (features, targets) = rows(0.0);
    let least = 1.0 - 3.3 * (2.0 / ROWS as f64).sqrt();
    let mut learner = learner(40, 0.5);
    learner.learn(features.view(), &targets).unwrap();
    for forest in [2, 3].map(|stage| learner.chains.stages[stage].forest.as_ref().unwrap()) {
        assert!(mean_square(&stored(forest)) > least);
    }
    let first = learner.chains.forests().next().unwrap();
    assert_eq!(stored(first), targets);
    let predictions = first.predict(features.view()).unwrap();
    let pairs = predictions.iter().zip(&targets);
    let errors: Vec<f64> = pairs.map(|(p, y)| p - y).collect();
    assert!(mean_square(&errors) < least);
}

/// Returns the root of the mean squared error that a learner of rows, taken in this order, has on rows with noise.
fn error((features, targets): &(Array2<f32>, Vec<f64>), order: &[usize]) -> f64 {
    let targets: Vec<f64> = order.iter().map(|row| targets[*row]).collect();
    let ordered = features.select(Axis(0), order);
    let mut learner = learner(40, 0.5);
    learner.learn(ordered.view(), &targets).unwrap();
    learner.check_invariants().unwrap();
    let predictions = learner.predict(features.view()).unwrap();
    let mut errors = Vec::new();
    for (p, &x) in predictions.iter().zip(features.column(0)) {
        errors.push(p - 3.0 * (6.0 * f64::from(x)).sin() - 50.0);
    }
    (1.0 + mean_square(&errors)).sqrt()
}

/// Before rows were refreshed, sorted ones had twice the error.
#[test]
fn the_order_of_rows_hardly_matters() {
    let data = rows(3.0);
    let mut order: Vec<usize> = (0..ROWS).collect();
    let random = error(&data, &order);
    order.sort_by(|a, b| data.1[*a].total_cmp(&data.1[*b]));
    for _ in 0..2 {
        let sorted = error(&data, &order);
        let is_near = sorted < 1.1 * random && random < 1.1 * sorted;
        assert!(is_near, "{sorted} {random}");
        order.reverse();
    }
}

/// The trees of exact forests are those of the rows that are left, with their residuals; the weights follow them.
#[test]
fn rows_that_go_leave_the_others() {
    let (features, targets) = rows(2.0);
    let mut learner = learner(10, 0.0);
    learner.learn(features.view(), &targets).unwrap();
    for arrival in (0..ROWS as u64).filter(|arrival| arrival % 3 != 1) {
        learner.forget(arrival).unwrap();
        if arrival % 60 == 0 {
            learner.check_invariants().unwrap();
        }
    }
    assert!(learner.forget(0).is_err());
    let mut first = 0;
    for forest in learner.chains.forests() {
        let part = first..first + forest.trees().len();
        first = part.end;
        // Trees that learn the same rows at the same numbers, and forget the rest at once.
        let settings = forest.settings().clone();
        let schema = *forest.schema();
        let mut others = HonestForest::shard(schema, settings, learner.forest, part).unwrap();
        others.refine_to(1.0 / HonestTree::FOLDS as f64);
        let samples = forest.samples();
        for arrival in 0..ROWS as u64 {
            let x = features.row(arrival as usize);
            let target = samples.find(arrival).map_or(0.0, |id| samples.target(id));
            others.learn_one(x.to_slice().unwrap(), target).unwrap();
        }
        for arrival in (0..ROWS as u64).filter(|arrival| arrival % 3 != 1) {
            others.forget(arrival).unwrap();
        }
        let predictions = |forest: &HonestForest| forest.predict(features.view()).unwrap();
        assert_eq!(predictions(forest), predictions(&others));
    }
}

/// As a learner that never had them: the first forest to the bit, others but for residuals that have not been read
/// again, and all but for weights that have not been fitted again.
#[test]
fn forgotten_rows_leave_little() {
    let (features, mut targets) = rows(2.0);
    let kept = 200;
    targets[kept..].iter_mut().for_each(|target| *target = 60.0);
    for recheck in [0.0, 0.5] {
        let mut forgetful = learner(40, recheck);
        let mut alone = forgetful.clone();
        forgetful.learn(features.view(), &targets).unwrap();
        let first = features.slice(s![..kept, ..]);
        alone.learn(first, &targets[..kept]).unwrap();
        let differences = |forgetful: &ResidualForest| {
            let [left, right] = [forgetful, &alone].map(|learner| learner.predict(first).unwrap());
            let differences: Vec<f64> = left.iter().zip(&right).map(|(a, b)| a - b).collect();
            mean_square(&differences).sqrt()
        };
        let before = differences(&forgetful);
        (kept..ROWS).for_each(|arrival| forgetful.forget(arrival as u64).unwrap());
        let after = differences(&forgetful);
        let is_little = after < 0.9 && before > 3.0 * after;
        assert!(is_little, "{recheck}: {after} {before}");
        let predicted = |one: &ResidualForest| one.chains.forests().next().unwrap().predict(first);
        assert!(recheck > 0.0 || predicted(&forgetful) == predicted(&alone));
    }
}

/// The rows of a block that has not ended have no influence on the weights, even if hardly another one is held.
#[test]
fn weights_are_of_ended_blocks() {
    let (features, targets) = rows(3.0);
    let mut learner = learner(40, 0.5);
    let mut rows = 0;
    while learner.schedule.block.end - learner.seen < 3 {
        rows += 1;
        let features = features.slice(s![rows - 1..rows, ..]);
        learner.learn(features, &targets[rows - 1..rows]).unwrap();
    }
    let next = rows..rows + 1;
    learner
        .learn(features.slice(s![next.clone(), ..]), &targets[next])
        .unwrap();
    for arrival in 1..rows as u64 {
        learner.forget(arrival).unwrap();
        for stage in &learner.chains.stages {
            assert!(stage.square.is_finite(), "{arrival}");
        }
    }
}

/// Whole trees; then stages whose first leaves are the largest.
#[test]
fn each_stage_has_its_own_least_leaf() {
    let learner = learner(10, 0.5);
    let settings = learner.chains.forests().map(|forest| forest.settings());
    let leaves: Vec<_> = settings.map(|settings| settings.min_samples_leaf).collect();
    assert_eq!(leaves, [1, 7, 3, 3, 7, 3, 3]);
}

/// Pinned: a change of results must be deliberate.
#[test]
fn golden_predictions() {
    let (features, targets) = rows(2.0);
    let mut learner = learner(8, 0.5);
    learner.learn(features.view(), &targets).unwrap();
    assert_eq!(learner.predict_one(&[0.3, 0.7]).unwrap(), GOLDEN);
}

const GOLDEN: [f64; 1] = [51.89343276586052];

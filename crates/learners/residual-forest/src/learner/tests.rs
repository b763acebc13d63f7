//! Compares what the stages of a chain have learned with chains that are written out row by row.

use dynamic_forest::{DynamicRegressor, DynamicSettings};
use forest_core::{Forget, OnlineLearner, SampleId, TreeRng};
use ndarray::Array2;

use super::*;
use crate::weights::StageWeights;

const ROWS: usize = 300;

fn learner(chains: &str, recheck: f64) -> ResidualForest {
    let settings = ResidualSettings {
        chains: chains.to_owned(),
        recheck,
        ..ResidualSettings::default()
    };
    let forest = ForestSettings::default().with_trees(8).with_seed(3);
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

/// When a stage predicts a row whose residual the next one learns.
#[derive(Clone, Copy, PartialEq)]
enum Order {
    BeforeLearning,
    /// A fault.
    AfterLearning,
}

/// Returns the residuals that the second stage of `1x1/1/1` learns.
fn residuals((features, targets): &(Array2<f32>, Vec<f64>), order: Order) -> Vec<f64> {
    let forest = ForestSettings::default().with_trees(8).with_seed(3);
    let (schema, settings) = (Schema::new(2).unwrap(), DynamicSettings::default());
    let mut first = DynamicRegressor::shard(schema, settings, forest, 0..4).unwrap();
    let (mut weights, mut mean, mut memory) =
        (StageWeights::new(1), TargetMean::default(), Vec::new());
    let mut residuals = Vec::new();
    for (row, (x, &target)) in features.outer_iter().zip(targets).enumerate() {
        let x = x.to_slice().unwrap();
        if order == Order::AfterLearning {
            first.learn_one(x, target).unwrap();
        }
        let prediction = first.predict_one(x).unwrap()[0] - mean.mean();
        if order == Order::BeforeLearning {
            first.learn_one(x, target).unwrap();
        }
        let partial = mean.mean() + weights.sum(&[prediction]);
        residuals.push(if row == 0 { 0.0 } else { target - partial });
        if row > 0 {
            weights.learn(&[prediction], &[target - mean.mean()], 0.9998, &mut memory);
        }
        mean.learn(target, 0.9998);
    }
    residuals
}

fn stored(forest: &DynamicRegressor) -> Vec<f64> {
    let samples = forest.samples();
    samples
        .ids()
        .map(|id: SampleId| samples.target(id))
        .collect()
}

#[test]
fn residuals_are_errors_before_a_row_was_learned() {
    let data = rows(2.0);
    let mut learner = learner("1x1/1/1", 0.5);
    learner.learn(data.0.view(), &data.1).unwrap();
    let [first, second] = &learner.chains[0].forests[..] else {
        panic!("two stages");
    };
    assert_eq!(stored(first), data.1);
    assert_eq!(stored(second), residuals(&data, Order::BeforeLearning));
    assert_ne!(stored(second), residuals(&data, Order::AfterLearning));
}

/// Noise of variance 1 cannot be predicted, so the mean square of the residuals is at least that: it is above 1 − 3.3·√(2 / n) with
/// probability .9995. A stage that predicts a row after it has learned it has smaller residuals.
#[test]
fn residuals_of_noise_have_at_least_its_variance() {
    let data = rows(0.0);
    let least = 1.0 - 3.3 * (2.0 / ROWS as f64).sqrt();
    let mean_square = |order| {
        let residuals = residuals(&data, order);
        residuals
            .iter()
            .map(|residual| residual * residual)
            .sum::<f64>()
            / ROWS as f64
    };
    assert!(mean_square(Order::BeforeLearning) > least);
    assert!(mean_square(Order::AfterLearning) < least);
}

/// The trees of an exact forest are those of the rows it holds, with the residuals that were stored with them.
#[test]
fn rows_that_go_leave_the_trees_of_the_others() {
    let (features, targets) = rows(2.0);
    let mut learner = learner("1x1/1+ridge/1x3/5/2", 0.0);
    learner.learn(features.view(), &targets).unwrap();
    let weights: Vec<Vec<f64>> = learner.stage_weights().map(<[f64]>::to_vec).collect();
    for arrival in (0..ROWS as u64).filter(|arrival| arrival % 3 != 1) {
        learner.forget(arrival).unwrap();
        if arrival % 60 == 0 {
            learner.check_invariants().unwrap();
        }
    }
    assert!(learner.forget(0).is_err());
    assert!(
        learner
            .stage_weights()
            .eq(weights.iter().map(Vec::as_slice))
    );
    let mut first = 0;
    for forest in learner.chains.iter().flat_map(|chain| &chain.forests) {
        let part = first..first + forest.trees().len();
        first = part.end;
        let settings = forest.settings().clone();
        let mut others =
            DynamicRegressor::shard(*forest.schema(), settings, learner.forest, part).unwrap();
        let samples = forest.samples();
        for id in samples.ids() {
            others
                .learn_one(samples.features(id), samples.target(id))
                .unwrap();
        }
        let predictions = |forest: &DynamicRegressor| forest.predict(features.view()).unwrap();
        assert_eq!(predictions(forest), predictions(&others));
    }
}

/// The prediction is the blend of the partial chains, each of which is a weighted sum of its stages.
#[test]
fn predictions_are_weighted_sums() {
    let (features, targets) = rows(2.0);
    let mut learner = learner("1x1/1+ridge/1x3/5/2", 0.5);
    learner.learn(features.view(), &targets).unwrap();
    let (x, mut partial) = ([0.3, 0.7], Vec::new());
    let (mean, ridge) = (
        learner.target_mean.mean(),
        learner.ridge.as_ref().unwrap().predict(&x),
    );
    let of = |forest: &DynamicRegressor| forest.predict_one(&x).unwrap()[0];
    let [one, two] = &learner.chains[..] else {
        panic!("two chains");
    };
    let predictions = [
        vec![of(&one.forests[0]) - mean],
        vec![ridge - mean, of(&two.forests[0]), of(&two.forests[1])],
    ];
    for (chain, predictions) in learner.chains.iter().zip(&predictions) {
        let sums = chain
            .weights()
            .iter()
            .map(|weights| mean + weights.sum(predictions));
        partial.extend(sums);
    }
    let pairs = learner.blend().iter().zip(&partial);
    let expected = mean + pairs.map(|(v, s)| v * (s - mean)).sum::<f64>();
    assert_eq!(learner.predict_one(&x).unwrap(), [expected]);
    assert!(
        learner
            .predict(features.view())
            .unwrap()
            .iter()
            .all(|y| (45.0..55.0).contains(y))
    );
}

/// Pinned: a change of results must be deliberate.
#[test]
fn golden_predictions() {
    let (features, targets) = rows(2.0);
    let mut learner = learner(&ResidualSettings::default().chains, 0.5);
    learner.learn(features.view(), &targets).unwrap();
    assert_eq!(learner.predict_one(&[0.3, 0.7]).unwrap(), GOLDEN);
}

const GOLDEN: [f64; 1] = [51.97143654431801];

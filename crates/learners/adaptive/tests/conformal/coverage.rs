//! Intervals have their nominal coverage.

use forest_core::registry::AnyLearner;
use forest_core::{OnlineLearner, Regression, Schema, TreeRng};
use forest_testing::conformance::Stream;
use forest_testing::statistics::same_probability;
use ndarray::{ArrayView2, s};

use super::{BASES, forest, learner};

/// A smooth function with skewed noise that grows with the first feature: no normal distribution.
fn sample(rng: &mut TreeRng) -> ([f32; 2], f64) {
    let x = [rng.uniform() as f32, rng.uniform() as f32];
    let [first, second] = x.map(f64::from);
    let target = (6.0 * first).sin() + second + first * rng.exponential();
    (x, target)
}

/// Returns the shares of rows 500 to 2,999 of a stream that 90 and 50 % intervals cover just before each is learned.
fn shares_covered<L: OnlineLearner<Task = Regression>>(learner: &mut L) -> [f64; 2] {
    let mut rng = TreeRng::new(5, 1);
    let mut covered = [0, 0];
    for row in 0..3000 {
        let (x, y) = sample(&mut rng);
        if row >= 500 {
            for (level, covered) in [0.9, 0.5].into_iter().zip(&mut covered) {
                let rows = ArrayView2::from(std::slice::from_ref(&x));
                let bounds = learner.central_intervals(rows, level).unwrap();
                *covered += usize::from((bounds[[0, 0]]..=bounds[[0, 1]]).contains(&y));
            }
        }
        learner.learn_one(&x, y).unwrap();
    }
    covered.map(|covered| covered as f64 / 2500.0)
}

/// The standard errors of the shares are .006 and .010, as rows are hardly dependent. The base alone, whose intervals
/// are those of normal distributions, covers too many.
#[test]
fn the_next_row_is_covered_as_often_as_the_level_says() {
    for base in BASES {
        let mut learner = learner(Schema::new(2).unwrap(), base, 300, 1);
        let [ninety, fifty] = shares_covered(&mut learner);
        assert!((ninety - 0.9).abs() < 0.015, "{base}: {ninety}");
        assert!((fifty - 0.5).abs() < 0.025, "{base}: {fifty}");
    }
    let built = AnyLearner::inside(2, BASES[0], Schema::new(2).unwrap(), forest(1));
    let mut alone = built.unwrap();
    let [_, fifty] = shares_covered(&mut alone);
    assert!(fifty > 0.6, "{fifty}");
}

/// With a base that learns nothing new the scores of rows are exchangeable, and the coverage is exact. Significance 1
/// in 1,000. That scores are taken before rows are learned is tested by the next test: this base hardly moves.
#[test]
fn coverage_is_exact_where_scores_are_exchangeable() {
    let mut rng = TreeRng::new(11, 0);
    let trials = 4000;
    let mut hits = 0;
    for _ in 0..trials {
        let mut learner = learner(Schema::<Regression>::new(1).unwrap(), "mean", 19, 0);
        // The mean hardly moves after 400 rows.
        let stream: Vec<f64> = (0..420).map(|_| rng.uniform()).collect();
        let rows = ndarray::Array2::zeros((419, 1));
        learner.learn(rows.view(), &stream[..419]).unwrap();
        let bounds = learner
            .central_intervals(ndarray::array![[0.0]].view(), 0.8)
            .unwrap();
        hits += usize::from((bounds[[0, 0]]..=bounds[[0, 1]]).contains(&stream[419]));
    }
    let value = same_probability(hits, trials, 0.8);
    assert!(value > 0.001, "{hits} of {trials}: p = {value}");
}

/// Returns the base's mean and deviation at the last row of a stream, once it has learned the first `rows`.
fn base_errors(base: &str, stream: &Stream<Regression>, rows: usize) -> [f64; 2] {
    let built = AnyLearner::<Regression>::inside(2, base, Schema::new(2).unwrap(), forest(2));
    let mut base = built.unwrap();
    let features = stream.features.slice(s![..rows, ..]);
    base.learn(features, &stream.targets[..rows]).unwrap();
    let last = stream.features.slice(s![-1.., ..]);
    let moments = base.means_and_variances(last);
    let deviation = moments.map_or(1.0, |moments| moments[[0, 1]].sqrt());
    [base.predict(last).unwrap()[[0, 0]], deviation]
}

/// With one score, half of what follows is within it. It is that of the prediction before the last row was learned, in
/// a batch and one by one.
#[test]
fn scores_are_taken_before_rows_are_learned() {
    let stream = Stream::<Regression>::uniform(60, 2, 9);
    for base in BASES {
        let mut batch = learner(Schema::new(2).unwrap(), base, 1, 2);
        let mut single = batch.clone();
        let rows = stream.features.view();
        batch.learn(rows, &stream.targets).unwrap();
        for (row, &target) in stream.features.rows().into_iter().zip(&stream.targets) {
            single.learn_one(&row.to_vec(), target).unwrap();
        }
        let [mean, deviation] = base_errors(base, &stream, 59);
        let score = (stream.targets[59] - mean).abs() / deviation;
        let [mean, deviation] = base_errors(base, &stream, 60);
        let expected = mean + score * deviation;
        for learner in [batch, single] {
            let last = stream.features.slice(s![-1.., ..]);
            let upper = learner.central_intervals(last, 0.5).unwrap()[[0, 1]];
            assert!(
                (upper - expected).abs() < 1e-9,
                "{base}: {upper} {expected}"
            );
            let variance = learner.means_and_variances(last).unwrap()[[0, 1]];
            assert!(
                (variance.sqrt() - score * deviation).abs() < 1e-9,
                "{base}: {variance}"
            );
        }
    }
}

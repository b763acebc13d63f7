//! The parts of the mixture against dense linear algebra.

use forest_core::{Classification, ForestSettings, Forget, OnlineLearner, Schema, TreeRng};
use nalgebra::{DMatrix, DVector};

use super::discriminant::Discriminant;
use super::mixture::Mixed;
use super::quadratic::Quadratic;
use super::*;

const CLASSES: usize = 3;
const FEATURES: usize = 4;
const DISCOUNT: f64 = 0.99;

/// Normal rows whose class moves their first features, on scales that differ by a thousand.
fn rows(count: usize) -> Vec<(Vec<f32>, u32)> {
    let mut rng = TreeRng::new(3, 0);
    let mut row = || {
        let class = rng.below(CLASSES) as u32;
        let shift = |feature: usize| if feature < 2 { f64::from(class) } else { 0.0 };
        let scale = |feature: usize| 10f64.powi(feature as i32);
        let value =
            |feature: usize, noise: f64| (50.0 + (shift(feature) + noise) * scale(feature)) as f32;
        let x = (0..FEATURES)
            .map(|feature| value(feature, rng.normal()))
            .collect();
        (x, class)
    };
    (0..count).map(|_| row()).collect()
}

/// Scores by the definition, from all rows with their discounts.
fn expected_scores(rows: &[(Vec<f32>, u32)], x: &[f32]) -> Vec<f64> {
    let weight = |index: usize| DISCOUNT.powi((rows.len() - 1 - index) as i32);
    let vector =
        |x: &[f32]| DVector::from_iterator(FEATURES, x.iter().map(|&value| f64::from(value)));
    let (mut masses, mut means) = (vec![0.0; CLASSES], vec![DVector::zeros(FEATURES); CLASSES]);
    for (index, (x, class)) in rows.iter().enumerate() {
        masses[*class as usize] += weight(index);
        means[*class as usize] += weight(index) * vector(x);
    }
    let mass: f64 = masses.iter().sum();
    let centre = means
        .iter()
        .fold(DVector::zeros(FEATURES), |sum, mean| sum + mean)
        / mass;
    let means: Vec<_> = means
        .iter()
        .zip(&masses)
        .map(|(sum, mass)| sum / *mass)
        .collect();
    let mut covariance = DMatrix::<f64>::zeros(FEATURES, FEATURES);
    for (index, (x, class)) in rows.iter().enumerate() {
        let difference = vector(x) - &means[*class as usize];
        covariance += weight(index) * &difference * difference.transpose();
    }
    covariance /= mass - CLASSES as f64;
    let shrunk = mass / (mass + 2.0 * FEATURES as f64);
    let covariance = DMatrix::from_fn(FEATURES, FEATURES, |i, j| {
        covariance[(i, j)] * if i == j { 1.0 } else { shrunk }
    });
    let score = |class: usize| {
        let mean = &means[class] - &centre;
        let factors = covariance.clone().lu().solve(&mean).unwrap();
        (masses[class] / mass).ln() + factors.dot(&(vector(x) - &centre)) - 0.5 * factors.dot(&mean)
    };
    let scores: Vec<f64> = (0..CLASSES).map(score).collect();
    let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    scores
        .iter()
        .map(|score| (score - best).max(-12.0))
        .collect()
}

#[test]
fn the_linear_function_is_discriminant_analysis_of_discounted_rows() {
    // It has just been solved again: every 4d = 16 rows from 128 on.
    let rows = rows(16 * 20);
    let (mut discriminant, mut memory) = (Discriminant::new(FEATURES), Vec::new());
    for (x, class) in &rows {
        discriminant.learn(x, *class, DISCOUNT, &mut memory);
    }
    discriminant.check(FEATURES, CLASSES).unwrap();
    let mut compared = 0;
    for length in (rows.len() - 15)..=rows.len() {
        let mut scores = Vec::new();
        discriminant.add_scores(&rows[0].0, CLASSES, &mut scores);
        let expected = expected_scores(&rows[..length], &rows[0].0);
        let near = scores
            .iter()
            .zip(&expected)
            .all(|(a, b)| (a - b).abs() < 1e-6);
        compared += usize::from(near);
    }
    assert_eq!(
        compared, 1,
        "it is that of one moment within the last 16 rows"
    );
}

/// Scores of normal distributions by the definition; the discount of a row counts the later rows of its class.
fn expected_quadratic(rows: &[(Vec<f32>, u32)], x: &[f32]) -> Vec<f64> {
    let d = FEATURES as f64;
    let vector =
        |x: &[f32]| DVector::from_iterator(FEATURES, x.iter().map(|&value| f64::from(value)));
    let moments = |class: usize| {
        let own = rows
            .iter()
            .rev()
            .filter(|(_, other)| *other as usize == class);
        let weighted: Vec<_> = (0..)
            .zip(own)
            .map(|(age, (x, _))| (DISCOUNT.powi(age), vector(x)))
            .collect();
        let mass: f64 = weighted.iter().map(|(weight, _)| weight).sum();
        let sum = weighted
            .iter()
            .fold(DVector::zeros(FEATURES), |sum, (weight, x)| {
                sum + *weight * x
            });
        let mean = sum / mass;
        let scatter = weighted.iter().fold(
            DMatrix::<f64>::zeros(FEATURES, FEATURES),
            |sum, (weight, x)| sum + *weight * (x - &mean) * (x - &mean).transpose(),
        );
        (mass, mean, scatter)
    };
    let classes: Vec<_> = (0..CLASSES).map(moments).collect();
    let mass: f64 = classes.iter().map(|(mass, ..)| mass).sum();
    let pooled = classes.iter().fold(
        DMatrix::<f64>::zeros(FEATURES, FEATURES),
        |sum, (.., scatter)| sum + scatter,
    ) / mass;
    let shrink = mass / (mass + 2.0 * d);
    let drawn = DMatrix::from_fn(FEATURES, FEATURES, |i, j| {
        pooled[(i, j)] * if i == j { 1.0 } else { shrink }
    });
    let score = |(own, mean, scatter): &(f64, DVector<f64>, DMatrix<f64>)| {
        let mut covariance = (scatter + 2.0 * d * &drawn) / (own + 2.0 * d);
        (0..FEATURES).for_each(|i| covariance[(i, i)] += 1e-3 * pooled[(i, i)]);
        let difference = vector(x) - mean;
        let square = difference.dot(&covariance.clone().lu().solve(&difference).unwrap());
        (own / mass).ln() - 0.5 * covariance.determinant().ln() - 0.5 * square
    };
    let scores: Vec<f64> = classes.iter().map(score).collect();
    let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    scores
        .iter()
        .map(|score| (score - best).max(-12.0))
        .collect()
}

#[test]
fn the_quadratic_function_is_that_of_normal_distributions() {
    let rows = rows(16 * 20);
    let (mut quadratic, mut memory) = (Quadratic::new(FEATURES), Vec::new());
    for (x, class) in &rows {
        quadratic.learn(x, *class, DISCOUNT, &mut memory);
    }
    quadratic.check(FEATURES, CLASSES).unwrap();
    let mut scores = Vec::new();
    quadratic.add_scores(&rows[1].0, CLASSES, &mut scores, &mut memory);
    let is_that_of = |length: &usize| {
        let expected = expected_quadratic(&rows[..*length], &rows[1].0);
        scores
            .iter()
            .zip(&expected)
            .all(|(a, b)| (a - b).abs() < 1e-6)
    };
    let lengths = (rows.len() - 15)..=rows.len();
    assert_eq!(lengths.filter(is_that_of).count(), 1);
}

/// Before the first solution, and for classes without rows, nothing is claimed.
#[test]
fn functions_without_rows_have_no_preference() {
    let mut scores = vec![7.0];
    Discriminant::new(2).add_scores(&[1.0, 2.0], 3, &mut scores);
    Quadratic::new(2).add_scores(&[1.0, 2.0], 1, &mut scores, &mut Vec::new());
    assert_eq!(scores, [7.0, 0.0, 0.0, 0.0, 0.0]);
}

/// One step of Newton's method a row, against dense matrices.
#[test]
fn weights_follow_their_definition() {
    let (mut rng, mut mixture) = (TreeRng::new(9, 0), new_mixture());
    let readings = COLUMNS - 2;
    let weight = |j: usize| {
        if j < readings {
            1.0 / readings as f64
        } else {
            0.0
        }
    };
    let prior = DVector::from_fn(COLUMNS, |j, _| weight(j));
    let (mut hessian, mut weights) = (DMatrix::<f64>::zeros(COLUMNS, COLUMNS), prior.clone());
    for _ in 0..200 {
        let columns: Vec<f64> = (0..COLUMNS * CLASSES).map(|_| rng.normal()).collect();
        let target = rng.below(CLASSES);
        let c = DMatrix::from_fn(COLUMNS, CLASSES, |j, k| columns[j * CLASSES + k]);
        let scores = c.transpose() * &weights;
        let sum: f64 = scores.iter().map(|score| score.exp()).sum();
        let q = scores.map(|score| score.exp() / sum);
        let mut row = Mixed {
            columns,
            ..Mixed::default()
        };
        mixture.predict(CLASSES, &mut row);
        let mut pairs = q.iter().zip(&row.probabilities);
        assert!(pairs.all(|(a, b)| (a - b).abs() < 1e-9));
        let memory = &mut mixture::Memory::default();
        mixture.learn(&row, target as u32, DISCOUNT, prior_weight, memory);

        let mean = &c * &q;
        hessian *= DISCOUNT;
        for class in 0..CLASSES {
            let centred = c.column(class) - &mean;
            hessian += q[class] * &centred * centred.transpose();
        }
        let gradient = c.column(target) - &mean + 10.0 * (1.0 - DISCOUNT) * (&prior - &weights);
        let penalised = &hessian + 10.0 * DMatrix::<f64>::identity(COLUMNS, COLUMNS);
        weights += penalised.lu().solve(&gradient).unwrap();
        let pairs = weights.iter().zip(mixture.weights());
        assert!(
            pairs.clone().all(|(a, b)| (a - b).abs() < 1e-9),
            "{weights} {:?}",
            mixture.weights()
        );
    }
}

fn learner(window: Option<usize>, recent: &[u32]) -> ResidualClassifier {
    let mut forest = ForestSettings::default().with_trees(4).with_seed(2);
    if let Some(rows) = window {
        forest = forest.with_retention(Retention::Latest(rows));
    }
    let settings = ResidualClassifierSettings {
        recent: recent.to_vec(),
        ..ResidualClassifierSettings::default()
    };
    ResidualClassifier::new(
        Schema::<Classification>::new(FEATURES).unwrap(),
        settings,
        forest,
    )
    .unwrap()
}

/// Once all rows are forgotten, nothing is left of them.
#[test]
fn a_learner_that_forgets_every_row_begins_again() {
    for recent in [&[][..], &[20, 7]] {
        let (rows, mut forgetful) = (rows(60), learner(None, recent));
        for (x, class) in &rows {
            forgetful.learn_one(x, *class).unwrap();
        }
        for arrival in 0..60 {
            forgetful.forget(arrival).unwrap();
            forgetful.check_invariants().unwrap();
        }
        assert!(!forgetful.has_learned());
        assert_eq!(forgetful.weights(), learner(None, recent).weights());
        let prediction = forgetful.predict_one(&rows[0].0).unwrap();
        assert!(prediction.iter().all(|p| (p - 1.0 / 3.0).abs() < 1e-12));
        assert_eq!(forgetful.footprint().stored_samples, 0);
        assert!(forgetful.forget(3).is_err());
    }
}

#[test]
fn a_window_bounds_the_rows_that_are_held() {
    for (recent, held) in [(&[][..], 25), (&[40, 7], 25 + 25 + 7)] {
        let mut learner = learner(Some(25), recent);
        for (x, class) in &rows(80) {
            learner.learn_one(x, *class).unwrap();
            learner.check_invariants().unwrap();
        }
        assert_eq!(learner.footprint().stored_samples, held);
        learner.keep_latest(5).unwrap();
        learner.check_invariants().unwrap();
        assert_eq!(learner.footprint().stored_samples, 5 * (1 + recent.len()));
    }
}

/// Returns the log loss of the latest 200 of 600 rows before each is learned: `class` of the row number and the features.
fn late_loss(recent: &[u32], class: impl Fn(usize, &[f32]) -> u32) -> f64 {
    let (mut learner, mut loss) = (learner(None, recent), 0.0);
    for (row, (x, _)) in rows(600).iter().enumerate() {
        let class = class(row, x);
        let probability = learner.predict_one(x).unwrap().get(class as usize).copied();
        if row >= 400 {
            loss -= probability.unwrap_or(0.0).max(1e-9).ln();
        }
        learner.learn_one(x, class).unwrap();
    }
    loss / 200.0
}

#[test]
fn windows_follow_the_last_class_and_concept_drift() {
    // Classes come in runs of nine, and features say nothing.
    let in_runs = |row: usize, _: &[f32]| (row / 9 % CLASSES) as u32;
    let (without, with) = (late_loss(&[], in_runs), late_loss(&[40], in_runs));
    assert!(with < 0.6 && without > 0.9, "{with} {without}");
    // Classes are exchanged after every 300 rows.
    let exchanged = |row: usize, x: &[f32]| u32::from((x[0] > 52.0) ^ (row >= 300));
    let (without, with) = (late_loss(&[], exchanged), late_loss(&[40], exchanged));
    assert!(with < 0.6 * without, "{with} {without}");
}

//! The parts of the mixture against dense linear algebra, and against learners that never had a row.

use forest_core::{ForestSettings, OnlineLearner, Schema, TreeRng};
use nalgebra::{DMatrix, DVector};

use super::discriminant::{Linear, Quadratic};
use super::mixture::{COLUMNS, DISCOUNT, Table, softmax};
use super::moments::LeftOut;
use super::*;

const CLASSES: usize = 3;
const FEATURES: usize = 4;

/// Normal rows whose class moves their first features, on scales that differ by a thousand.
fn rows(count: usize) -> Vec<(Vec<f32>, u32)> {
    let mut rng = TreeRng::new(3, 0);
    let mut row = || {
        let class = rng.below(CLASSES) as u32;
        let shift = |feature: usize| if feature < 2 { f64::from(class) } else { 0.0 };
        let scale = |feature: usize| 10f64.powi(feature as i32);
        let mut value = |i| (50.0 + (shift(i) + rng.normal()) * scale(i)) as f32;
        ((0..FEATURES).map(&mut value).collect(), class)
    };
    (0..count).map(|_| row()).collect()
}

/// Rows are left out of the moments of their class when weights are fitted.
#[test]
fn moments_without_a_class_of_the_rows_are_refused() {
    let mut learner = learner(None, &[]);
    for (x, class) in rows(20) {
        learner.learn_one(&x, class).unwrap();
    }
    learner.check_invariants().unwrap();
    learner.moments = Moments::new(FEATURES);
    assert!(learner.check_invariants().is_err());
}

fn vector(x: &[f32]) -> DVector<f64> {
    DVector::from_iterator(x.len(), x.iter().map(|&value| f64::from(value)))
}

/// The weight, the means and the scatter of each class, from all rows.
fn dense(rows: &[(Vec<f32>, u32)]) -> Vec<(f64, DVector<f64>, DMatrix<f64>)> {
    let of_class = |class: u32| {
        let own = || (0..rows.len()).filter(|&index| rows[index].1 == class);
        let mass: f64 = own().map(weight_of).sum();
        let mut mean = DVector::zeros(FEATURES);
        for index in own() {
            mean += weight_of(index) / mass * vector(&rows[index].0);
        }
        let mut scatter = DMatrix::zeros(FEATURES, FEATURES);
        for index in own() {
            let deviation = vector(&rows[index].0) - &mean;
            scatter += weight_of(index) * &deviation * deviation.transpose();
        }
        (mass, mean, scatter)
    };
    (0..CLASSES as u32).map(of_class).collect()
}

/// Scores of the linear and the quadratic function by their definitions.
fn expected_scores(rows: &[(Vec<f32>, u32)], x: &[f32]) -> [Vec<f64>; 2] {
    let classes = dense(rows);
    let d = FEATURES as f64;
    let x = vector(x);
    let mass: f64 = classes.iter().map(|(mass, ..)| mass).sum();
    let mut pooled = DMatrix::zeros(FEATURES, FEATURES);
    let mut centre = DVector::zeros(FEATURES);
    for (own, mean, scatter) in &classes {
        pooled += scatter;
        centre += *own / mass * mean;
    }
    let shrunk = DMatrix::from_fn(FEATURES, FEATURES, |i, j| {
        pooled[(i, j)] * if i == j { 1.0 } else { mass / (mass + 2.0 * d) }
    });
    let covariance = (&shrunk / (mass - CLASSES as f64)).lu();
    let linear = |(own, mean, _): &(f64, DVector<f64>, _)| {
        let factors = covariance.solve(&(mean - &centre)).unwrap();
        (own / mass).ln() + factors.dot(&(&x - &centre)) - 0.5 * factors.dot(&(mean - &centre))
    };
    let quadratic = |(own, mean, scatter): &(f64, DVector<f64>, DMatrix<f64>)| {
        let mut covariance = (scatter + 2.0 * d / mass * &shrunk) / (own + 2.0 * d);
        (0..FEATURES).for_each(|i| covariance[(i, i)] += 1e-3 * pooled[(i, i)] / mass);
        let apart = &x - mean;
        let square = apart.dot(&covariance.clone().lu().solve(&apart).unwrap());
        (own / mass).ln() - 0.5 * covariance.determinant().ln() - 0.5 * square
    };
    let scores = [
        classes.iter().map(linear).collect(),
        classes.iter().map(quadratic).collect(),
    ];
    scores.map(|scores: Vec<f64>| {
        let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let relative = scores.iter().map(|score| (score - best).max(-12.0));
        relative.collect()
    })
}

/// Rows weigh 1 and 2 in turn.
fn weight_of(index: usize) -> f64 {
    1.0 + (index % 2) as f64
}

fn label_of(rows: &[(Vec<f32>, u32)], index: usize, sign: f64) -> Label {
    Label {
        class: rows[index].1 as usize,
        weight: sign * weight_of(index),
    }
}

/// Returns the moments of rows, after others came and went.
fn moments(rows: &[(Vec<f32>, u32)]) -> Moments {
    let mut moments = Moments::new(rows[0].0.len());
    for index in 0..rows.len() {
        moments.add(&rows[index].0, label_of(rows, index, 1.0));
        for sign in [-1.0, 1.0] {
            moments.add(&rows[index / 2].0, label_of(rows, index / 2, sign));
        }
    }
    moments
}

fn are_near(a: &[f64], b: &[f64], most: f64) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < most)
}

#[test]
fn the_functions_are_discriminant_analysis_of_weighted_rows() {
    let rows = rows(300);
    let moments = moments(&rows);
    let (linear, _) = Linear::solve(&moments);
    let quadratic = Quadratic::solve(&moments);
    for (x, _) in &rows[..20] {
        let mut scores = [const { Vec::new() }; 2];
        linear.add_scores(x, CLASSES, &mut scores[0]);
        quadratic.add_scores(x, CLASSES, &mut scores[1]);
        let expected = expected_scores(&rows, x);
        assert!((0..2).all(|function| are_near(&scores[function], &expected[function], 1e-6)));
    }
}

/// Returns the scores of the linear and the quadratic function at each of some rows: as they are, and without the row.
fn both_scores(moments: &Moments, rows: &[(Vec<f32>, u32)], index: usize) -> [Vec<f64>; 4] {
    let (linear, inverse) = Linear::solve(moments);
    let quadratic = Quadratic::solve(moments);
    let x = &rows[index].0[..];
    let row = LeftOut {
        moments,
        x,
        label: label_of(rows, index, 1.0),
        classes: CLASSES,
    };
    let mut scores = [const { Vec::new() }; 4];
    linear.add_scores(x, CLASSES, &mut scores[0]);
    linear.add_without(row, &inverse, &mut scores[1]);
    quadratic.add_scores(x, CLASSES, &mut scores[2]);
    quadratic.add_without(row, &mut scores[3]);
    scores
}

/// Without a row the scores are those of the moments of all others, up to what is approximate about the diagonal.
#[test]
fn a_row_is_left_out_of_the_functions() {
    let mut rows = rows(40);
    // Some rows far from the others, which draw the functions to them.
    rows.iter_mut().step_by(7).for_each(|(x, _)| x[0] += 6.0);
    let all = moments(&rows);
    let [mut before, mut after] = [[0.0, 0.0]; 2];
    for index in 0..rows.len() {
        let mut without = all.clone();
        without.add(&rows[index].0, label_of(&rows, index, -1.0));
        let left_out = both_scores(&all, &rows, index);
        let expected = both_scores(&without, &rows, index);
        for function in [0, 1] {
            let difference = |scores: &[f64]| -> f64 {
                let pairs = scores.iter().zip(&expected[2 * function]);
                pairs.map(|(a, b)| (a - b).abs()).sum()
            };
            before[function] += difference(&left_out[2 * function]);
            after[function] += difference(&left_out[2 * function + 1]);
        }
    }
    for (before, after) in before.into_iter().zip(after) {
        assert!(after < 0.15 * before, "{after} {before}");
    }
}

/// Of many features squares alone are kept, and nothing is approximate.
#[test]
fn a_row_is_left_out_of_a_diagonal_exactly() {
    let mut rows = rows(60);
    for (x, _) in &mut rows {
        let scaled = |i: usize| x[i % FEATURES] * (1.0 + (i * i % 7) as f32);
        *x = (0..300).map(scaled).collect();
    }
    let all = moments(&rows);
    assert_eq!(Quadratic::solve(&all), Quadratic::default());
    let mut without = all.clone();
    without.add(&rows[5].0, label_of(&rows, 5, -1.0));
    let [_, left_out, ..] = both_scores(&all, &rows, 5);
    let [expected, ..] = both_scores(&without, &rows, 5);
    let is_near = are_near(&left_out, &expected, 1e-6);
    assert!(is_near, "{left_out:?} {expected:?}");
}

/// Before the first solution, and for classes without rows, nothing is claimed.
#[test]
fn functions_without_rows_have_no_preference() {
    let mut scores = vec![7.0];
    Linear::default().add_scores(&[1.0, 2.0], 3, &mut scores);
    Quadratic::default().add_scores(&[1.0, 2.0], 1, &mut scores);
    assert_eq!(scores, [7.0, 0.0, 0.0, 0.0, 0.0]);
}

/// −ln q(y) of all rows, and what weights are drawn by: the variance of their columns over classes, times 1 + 300 / the
/// weight of all rows.
fn loss_by_definition(table: &Table, start: &[f64], weights: &[f64]) -> f64 {
    let classes = table.classes;
    let mass: f64 = table.labels.iter().map(|label| label.weight).sum();
    let rows = table.cells.chunks(start.len() * classes);
    let mut loss = 0.0;
    for (row, &Label { class, weight }) in rows.zip(&table.labels) {
        let mut scores = Vec::new();
        softmax(weights, row, classes, &mut scores);
        loss -= weight * scores[class].max(f64::MIN_POSITIVE).ln();
        for (column, cells) in row.chunks(classes).enumerate() {
            let cells = DVector::from_row_slice(cells);
            let centred = &cells - DVector::repeat(classes, cells.mean());
            let variance = weight * centred.norm_squared() / classes as f64 / mass;
            let by = (1.0 + 300.0 / mass) * variance;
            loss += 0.5 * by * (weights[column] - start[column]).powi(2);
        }
    }
    loss
}

/// Where the loss is flat, a whole step of Newton's method leads far past the least loss.
#[test]
fn steps_of_a_fit_never_raise_the_loss() {
    let mut table = Table::new(2);
    for row in 0..100 {
        let class = row % 2;
        let seen = if row < 10 { 1 - class } else { class };
        let weight = 100.0;
        table.labels.push(Label { class, weight });
        let cells = [0, 1].map(|class| 2.0 * f64::from(u8::from(class == seen)));
        table.cells.extend(cells);
    }
    let start = [1.0];
    let prior = table.prior(&start, &[1.0]);
    let mut weights = vec![-40.0];
    let mut least = loss_by_definition(&table, &start, &weights);
    for _ in 0..8 {
        table.fit(&prior, 1, &mut weights);
        let loss = loss_by_definition(&table, &start, &weights);
        assert!(loss <= least, "{loss} after {least}, at {weights:?}");
        least = loss;
    }
}

#[test]
fn a_fit_is_due_when_a_class_has_doubled() {
    let mut schedule = Schedule::default();
    for _ in 0..1_000 {
        schedule.learned(0);
    }
    schedule.fitted();
    let mut due = Vec::new();
    for row in 1..=16 {
        if schedule.learned(1) {
            schedule.fitted();
            due.push(row);
        }
    }
    assert_eq!(due, [2, 4, 8, 16]);
}

/// The cells of all tables that weights are fitted to are fewer than the rows times the classes: a row costs in
/// proportion to these, not to their square.
#[test]
fn fits_of_many_classes_do_not_cost_their_square() {
    for classes in [1_000, 3_000, 10_000] {
        let mut schedule = Schedule::default();
        let mut cells = 0.0;
        let rows = 20 * classes;
        for row in 0..rows {
            if schedule.learned((row % classes) as u32) {
                schedule.fitted();
                let held = schedule.held;
                cells += silent_share(held, classes) * (held * classes) as f64;
            }
        }
        assert!(cells < (rows * classes) as f64, "{classes}: {cells}");
    }
}

/// The weights minimise the loss: no small change of any of them lowers it.
#[test]
fn weights_are_fitted_to_the_table() {
    let mut rng = TreeRng::new(9, 0);
    let columns = 4;
    let mut table = Table::new(CLASSES);
    for row in 0..200 {
        let class = rng.below(CLASSES);
        let weight = weight_of(row);
        table.labels.push(Label { class, weight });
        for cell in 0..columns * CLASSES {
            let has_signal = cell % CLASSES == class && cell < 2 * CLASSES;
            let signal = if has_signal { 0.7 } else { 0.0 };
            table.cells.push(rng.normal() + signal);
        }
    }
    let start = [1.0, 0.0, 0.0, 0.5];
    let loss = |weights: &[f64]| loss_by_definition(&table, &start, weights);
    let mut weights = start.to_vec();
    table.fit(&table.prior(&start, &[1.0; 4]), 8, &mut weights);
    let least = loss(&weights);
    assert!(least < loss(&start) - 10.0);
    for column in 0..columns {
        for change in [-1e-3, 1e-3] {
            let mut others = weights.clone();
            others[column] += change;
            assert!(loss(&others) > least, "{column} {change}");
        }
    }
}

/// One step of Newton's method a row, against dense matrices.
#[test]
fn weights_of_a_stream_follow_their_definition() {
    let mut rng = TreeRng::new(9, 0);
    let mut mixture = Recent::new(1);
    assert_eq!(mixture.weights.len(), COLUMNS);
    let prior = DVector::from_column_slice(&mixture.weights);
    let mut weights = prior.clone();
    let mut hessian = DMatrix::<f64>::zeros(COLUMNS, COLUMNS);
    for _ in 0..200 {
        let columns: Vec<f64> = (0..COLUMNS * CLASSES).map(|_| rng.normal()).collect();
        let target = rng.below(CLASSES);
        let c = DMatrix::from_fn(COLUMNS, CLASSES, |j, k| columns[j * CLASSES + k]);
        let scores = c.transpose() * &weights;
        let sum: f64 = scores.iter().map(|score| score.exp()).sum();
        let q = scores.map(|score| score.exp() / sum);
        let mut probabilities = Vec::new();
        softmax(&mixture.weights, &columns, CLASSES, &mut probabilities);
        assert!(are_near(q.as_slice(), &probabilities, 1e-9));
        let row = Mixed {
            columns,
            probabilities,
        };
        mixture.learn(&row, target as u32);

        let mean = &c * &q;
        hessian *= DISCOUNT;
        for class in 0..CLASSES {
            let centred = c.column(class) - &mean;
            hessian += q[class] * &centred * centred.transpose();
        }
        let gradient = c.column(target) - &mean + 10.0 * (1.0 - DISCOUNT) * (&prior - &weights);
        let penalised = &hessian + 10.0 * DMatrix::<f64>::identity(COLUMNS, COLUMNS);
        weights += penalised.lu().solve(&gradient).unwrap();
        assert!(are_near(weights.as_slice(), &mixture.weights, 1e-9));
    }
}

fn learner(window: Option<usize>, recent: &[u32]) -> ResidualClassifier {
    let mut forest = ForestSettings::default().with_trees(4).with_seed(2);
    if let Some(rows) = window {
        forest = forest.with_retention(Retention::Latest(rows));
    }
    let settings = ResidualSettings {
        recent: recent.to_vec(),
        ..ResidualSettings::of_classes()
    };
    ResidualClassifier::new(Schema::new(FEATURES).unwrap(), settings, forest).unwrap()
}

/// Once all rows are forgotten, nothing is left of them.
#[test]
fn a_learner_that_forgets_every_row_begins_again() {
    for recent in [&[][..], &[20, 7]] {
        let rows = rows(60);
        let mut forgetful = learner(None, recent);
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

/// Returns the log loss of the latest 200 of 600 rows before each is learned: `class` of the row number and the
/// features.
fn late_loss(recent: &[u32], class: impl Fn(usize, &[f32]) -> u32) -> f64 {
    let mut learner = learner(None, recent);
    let mut loss = 0.0;
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

//! A promise: what a learner predicts is a function of its rows, nearly whatever their order. Those of
//! [`FOLLOW_THE_ORDER`] do not keep it, and their pages say so.

use crate::common::friedman;
use forest_core::TreeRng;
use forest_testing::accuracy;
use ndarray::{Array2, Axis, s};
use online_forests::{
    Algorithm, AnyLearner, Classification, ForestSettings, OnlineLearner, Regression, Schema, Task,
};

/// Made for streams whose latest rows count most; or with stored samples and splits that only the first rows choose.
const FOLLOW_THE_ORDER: &[&str] = &["adaptive", "boundary-forest", "saffari", "stream-rf"];

const SEEDS: u64 = 3;

/// Rows, and those on which predictions of all orders are compared.
struct Table<T: Task> {
    points: Array2<f32>,
    targets: Vec<T::Target>,
    queries: Array2<f32>,
    truths: Vec<T::Target>,
}

/// A task with an order of its targets, and errors that are compared.
trait Ordered: Task {
    /// Columns of predictions, once all classes are known.
    const MOST_OUTPUTS: usize;

    /// Errors of predictions; the first is a share of rows.
    fn errors(predictions: &Array2<f64>, truths: &[Self::Target]) -> Vec<f64>;
    fn is_below(one: Self::Target, other: Self::Target) -> bool;
    /// Whether errors in some order are as those in random order.
    fn are_near(errors: &[f64], random: &[f64]) -> bool;
}

impl Ordered for Classification {
    const MOST_OUTPUTS: usize = 3;

    /// The share of wrong labels, and the log loss, with one row in a hundred of an unknown class: leaves of pure trees
    /// have zeros.
    fn errors(predictions: &Array2<f64>, labels: &[u32]) -> Vec<f64> {
        let width = predictions.ncols() as f64;
        let rows = predictions.rows().into_iter().zip(labels);
        let losses = rows.map(|(row, &label)| -(0.99 * row[label as usize] + 0.01 / width).ln());
        let loss = losses.sum::<f64>() / labels.len() as f64;
        vec![1.0 - accuracy(predictions, labels), loss]
    }

    fn is_below(one: u32, other: u32) -> bool {
        one < other
    }

    fn are_near(errors: &[f64], random: &[f64]) -> bool {
        errors[0] < random[0] + 0.03 && errors[1] < 1.1 * random[1]
    }
}

impl Ordered for Regression {
    const MOST_OUTPUTS: usize = 1;

    fn errors(predictions: &Array2<f64>, truths: &[f64]) -> Vec<f64> {
        let pairs = predictions.column(0).into_iter().zip(truths);
        let squares: f64 = pairs.map(|(mean, truth)| (mean - truth).powi(2)).sum();
        vec![(squares / truths.len() as f64).sqrt()]
    }

    fn is_below(one: f64, other: f64) -> bool {
        one < other
    }

    fn are_near(errors: &[f64], random: &[f64]) -> bool {
        errors[0] < 1.1 * random[0]
    }
}

fn uniform(rows: usize, width: usize, rng: &mut TreeRng) -> Array2<f32> {
    Array2::from_shape_simple_fn((rows, width), || rng.uniform() as f32)
}

/// Draws three classes, of which the first two features make two more probable, so that the best error is about .2.
fn draw_class(x: &[f32], rng: &mut TreeRng) -> u32 {
    let weights = [x[0], x[1], 0.5].map(|score| f64::from(12.0 * score).exp());
    let mut left = rng.uniform() * weights.iter().sum::<f64>();
    let ends_at = weights.iter().position(|weight| {
        left -= weight;
        left < 0.0
    });
    ends_at.unwrap_or(2) as u32
}

fn classes(seed: u64) -> Table<Classification> {
    let mut rng = TreeRng::new(seed, 0);
    let points = uniform(600, 4, &mut rng);
    let queries = uniform(1000, 4, &mut rng);
    let mut labels = |rows: &Array2<f32>| {
        let rows = rows.rows().into_iter();
        let label = |row: ndarray::ArrayView1<'_, f32>| draw_class(&row.to_vec(), &mut rng);
        rows.map(label).collect()
    };
    Table {
        targets: labels(&points),
        truths: labels(&queries),
        points,
        queries,
    }
}

/// Two classes with noise, and a third above them, of which there are few rows: the last ones, when they are sorted.
fn rare_class(seed: u64) -> Table<Classification> {
    let mut rng = TreeRng::new(seed, 1);
    let mut draw = |rows: usize, rare: usize| {
        let mut points = uniform(rows, 2, &mut rng);
        let label = |(row, mut x): (usize, ndarray::ArrayViewMut1<'_, f32>)| {
            if row < rows - rare {
                x[1] *= 0.85;
                return u32::from(f64::from(x[0]) + 0.3 * rng.normal() > 0.5);
            }
            x[1] = 0.85 + 0.15 * x[1];
            2
        };
        let labels = points.rows_mut().into_iter().enumerate().map(label);
        let labels = labels.collect();
        (points, labels)
    };
    let (points, targets) = draw(500, 15);
    let (queries, truths) = draw(1000, 100);
    Table {
        points,
        targets,
        queries,
        truths,
    }
}

/// Friedman's function with noise of deviation 1.
fn numbers(seed: u64) -> Table<Regression> {
    let mut rng = TreeRng::new(seed, 2);
    let points = uniform(800, 5, &mut rng);
    let queries = uniform(500, 5, &mut rng);
    let mut noisy = |rows: &Array2<f32>| {
        let rows = rows.outer_iter();
        rows.map(|x| friedman(x) + rng.normal()).collect()
    };
    Table {
        targets: noisy(&points),
        truths: noisy(&queries),
        points,
        queries,
    }
}

/// Returns the rows as they come, sorted by target, and downwards.
fn orders<T: Ordered>(targets: &[T::Target]) -> [Vec<usize>; 3] {
    // A shuffle, since rows of a table may be sorted already.
    let mut random: Vec<usize> = (0..targets.len()).collect();
    let mut rng = TreeRng::new(9, 0);
    for last in (1..random.len()).rev() {
        random.swap(last, (rng.uniform() * (last + 1) as f64) as usize);
    }
    let mut sorted = random.clone();
    sorted.sort_by_key(|&row| {
        let is_below = |other: &&T::Target| T::is_below(**other, targets[row]);
        targets.iter().filter(is_below).count()
    });
    let downwards = sorted.iter().rev().copied().collect();
    [random, sorted, downwards]
}

/// Returns a learner with as many trees as it has by default.
fn build<T: Task>(algorithm: &Algorithm, features: usize, seed: u64) -> AnyLearner<T> {
    let trees = algorithm.trees();
    let forest = ForestSettings::default().with_trees(trees).with_seed(seed);
    let schema = Schema::new(features).unwrap();
    algorithm.build::<T>(schema, forest).unwrap()
}

/// Returns the mean errors in random order, sorted and downwards, over tables of several seeds.
fn errors_by_order<T: Ordered>(algorithm: &Algorithm, table: fn(u64) -> Table<T>) -> [Vec<f64>; 3] {
    let mut means = [const { Vec::new() }; 3];
    for seed in 0..SEEDS {
        let table = table(seed);
        for (order, mean) in orders::<T>(&table.targets).into_iter().zip(&mut means) {
            let mut learner = build::<T>(algorithm, table.points.ncols(), seed);
            let targets: Vec<_> = order.iter().map(|&row| table.targets[row]).collect();
            let points = table.points.select(Axis(0), &order);
            learner.learn(points.view(), &targets).unwrap();
            let predictions = learner.predict(table.queries.view()).unwrap();
            let errors = T::errors(&predictions, &table.truths);
            mean.resize(errors.len(), 0.0);
            for (sum, error) in mean.iter_mut().zip(errors) {
                *sum += error / SEEDS as f64;
            }
        }
    }
    means
}

fn static_learners<T: Task>() -> impl Iterator<Item = Algorithm> {
    let all = Algorithm::all().filter(|one| one.supports::<T>() && !one.is_baseline());
    all.filter(|one| !FOLLOW_THE_ORDER.contains(&one.name()))
}

/// Returns the learners whose errors sorted or downwards are not near those in random order.
fn followers<T: Ordered>(
    algorithms: impl Iterator<Item = Algorithm>,
    table: fn(u64) -> Table<T>,
) -> Vec<String> {
    let found = algorithms.filter_map(|algorithm| {
        let [random, sorted, downwards] = errors_by_order(&algorithm, table);
        let are_near = [&sorted, &downwards].map(|errors| T::are_near(errors, &random));
        let follows = are_near != [true; 2];
        follows.then(|| format!("{algorithm}: {random:.3?} {sorted:.3?} {downwards:.3?}"))
    });
    found.collect()
}

/// A rare class wherever it comes, too.
#[test]
fn rows_are_predicted_alike_whatever_their_order() {
    let mut found = followers(static_learners::<Classification>(), classes);
    found.extend(followers(static_learners::<Classification>(), rare_class));
    found.extend(followers(static_learners::<Regression>(), numbers));
    assert!(found.is_empty(), "{found:#?}");
}

/// The tests above would see it. `--nocapture` prints the tables of docs/algorithms.md.
#[test]
fn learners_that_follow_the_order_are_seen() {
    for name in FOLLOW_THE_ORDER {
        let algorithm: Algorithm = name.parse().unwrap();
        let mut found = Vec::new();
        if algorithm.supports::<Classification>() {
            found.extend(followers(std::iter::once(algorithm.clone()), classes));
            found.extend(followers(std::iter::once(algorithm.clone()), rare_class));
        }
        if algorithm.supports::<Regression>() {
            found.extend(followers(std::iter::once(algorithm), numbers));
        }
        assert!(!found.is_empty(), "{name} does not follow the order");
        println!("{found:#?}");
    }
}

/// Returns the mean errors of two learners of the first rows of tables, in the order in which they were drawn.
fn errors_after<T: Ordered>(
    rows: usize,
    names: [&str; 2],
    table: fn(u64) -> Table<T>,
) -> [Vec<f64>; 2] {
    names.map(|name| {
        let algorithm: Algorithm = name.parse().unwrap();
        let mut mean = vec![0.0; 2];
        for seed in 0..20 {
            let table = table(seed);
            let mut learner = build::<T>(&algorithm, table.points.ncols(), seed);
            let points = table.points.slice(s![..rows, ..]);
            learner.learn(points, &table.targets[..rows]).unwrap();
            let mut predictions = learner.predict(table.queries.view()).unwrap();
            // Classes that have not come.
            let width = T::MOST_OUTPUTS.max(predictions.ncols());
            let missing = Array2::zeros((predictions.nrows(), width - predictions.ncols()));
            predictions.append(Axis(1), missing.view()).unwrap();
            for (sum, error) in mean.iter_mut().zip(T::errors(&predictions, &table.truths)) {
                *sum += error / 20.0;
            }
        }
        mean
    })
}

/// Up to 20 rows there is nothing to learn weights from.
#[test]
fn few_rows_are_predicted_as_well_as_by_plain_trees() {
    let mut worse = Vec::new();
    for rows in [3, 4, 6, 8, 10, 15, 20] {
        let names = ["residual-forest", "dynamic-extra-trees:max_features=4"];
        let [own, plain] = errors_after::<Classification>(rows, names, classes);
        if own[0] > plain[0] + 0.03 || own[1] > 1.05 * plain[1] {
            worse.push(format!("{rows} rows: {own:.3?} {plain:.3?}"));
        }
        let names = ["residual-forest", "dynamic-extra-trees"];
        let [own, plain] = errors_after::<Regression>(rows, names, numbers);
        if own[0] > 1.05 * plain[0] {
            worse.push(format!("{rows} rows: {own:.3?} {plain:.3?}"));
        }
    }
    assert!(worse.is_empty(), "{worse:#?}");
}

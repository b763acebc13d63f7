//! What the order of rows changes, as lines of CSV:
//! `cargo run --release -p residual-forest --example order_of_rows -- 100 3 random,sorted,reversed letter libraries/digits.csv friedman:d=5,n=16000,test=4000,seed={seed}`
//!
//! Arguments: trees; seeds; orders; data sets, after `rows=N,` the first N training rows of a seed. `own` is the order of the file, `sorted` by target, `reversed` by target downwards; sets without a
//! standard split are divided at random, four fifths to learn. Then come, of held-out rows, accuracy and log loss, or root mean squared errors against the targets and against the
//! function without noise where that is known; microseconds of processor time a row to learn and to predict, and bytes a row.

use std::cmp::Ordering;

use datasets::{Dataset, OpenOptions, Target, data_folder, open};
use forest_core::{ForestSettings, OnlineLearner, Schema, Task, TreeRng, argmax, threads};
use forest_testing::timing::{learn_in_calls, timed};
use ndarray::{Array2, Axis};
use residual_forest::{
    ResidualClassifier, ResidualClassifierSettings, ResidualForest, ResidualSettings,
};

type Outcome<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// The rows to learn, in their order, and those that are held out.
type Split = [Vec<usize>; 2];

fn main() -> Outcome<()> {
    threads::with_threads(1, run)?
}

fn run() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [trees, seeds, orders, sets @ ..] = &arguments[..] else {
        return Err("trees, seeds, orders, data sets".into());
    };
    let (trees, seeds): (usize, u64) = (trees.parse()?, seeds.parse()?);
    for set in sets {
        let limit = set.strip_prefix("rows=");
        let (rows, name) = match limit.and_then(|rest| rest.split_once(',')) {
            Some((rows, name)) => (rows.parse()?, name),
            None => (usize::MAX, set.as_str()),
        };
        for order in orders.split(',') {
            let mut all = [0.0; 5];
            for seed in 1..=seeds {
                let options = OpenOptions {
                    data_dir: Some(data_folder()),
                    ..OpenOptions::default()
                };
                let data = open(name.replace("{seed}", &seed.to_string()), &options)?;
                let forest = ForestSettings::default().with_trees(trees).with_seed(seed);
                let found = measure(&data, rows, order, forest)?;
                let pairs = all.iter_mut().zip(found);
                pairs.for_each(|(sum, value)| *sum += value / seeds as f64);
            }
            let [first, second, learn, predict, bytes] = all;
            println!("{set},{order},{first:.4},{second:.4},{learn:.0},{predict:.0},{bytes:.0}");
        }
    }
    Ok(())
}

fn measure(data: &Dataset, most: usize, order: &str, forest: ForestSettings) -> Outcome<[f64; 5]> {
    let features = data.n_features();
    match &data.target {
        Target::Classes { labels, .. } => {
            let settings = ResidualClassifierSettings::default();
            let learner = ResidualClassifier::new(Schema::new(features)?, settings, forest)?;
            let rows = split(data, most, order, forest.seed, |a, b| {
                labels[a].cmp(&labels[b])
            });
            let (predictions, costs) = learn(learner, data, labels, &rows)?;
            Ok(of_classes(&predictions, labels, &rows[1], costs))
        }
        Target::Values { values, noise_free } => {
            let settings = ResidualSettings::default();
            let learner = ResidualForest::new(Schema::new(features)?, settings, forest)?;
            let rows = split(data, most, order, forest.seed, |a, b| {
                values[a].total_cmp(&values[b])
            });
            let (predictions, [learn, predict, bytes]) = learn(learner, data, values, &rows)?;
            let error = |of: &[f64]| {
                let pairs = predictions.iter().zip(&rows[1]);
                let sum: f64 = pairs.map(|(p, &row)| (p - of[row]).powi(2)).sum();
                (sum / rows[1].len() as f64).sqrt()
            };
            let truth = noise_free.as_ref().unwrap_or(values);
            Ok([error(values), error(truth), learn, predict, bytes])
        }
    }
}

fn split(
    data: &Dataset,
    most: usize,
    order: &str,
    seed: u64,
    compare: impl Fn(usize, usize) -> Ordering,
) -> Split {
    let mut rows: Vec<usize> = (0..data.rows()).collect();
    let mut rng = TreeRng::new(seed, usize::MAX);
    match data.split {
        Some(_) if order == "own" => {}
        Some(split) => rng.shuffle(&mut rows[..split]),
        None => rng.shuffle(&mut rows),
    }
    let held_out = rows.split_off(data.split.unwrap_or(data.rows() * 4 / 5));
    rows.truncate(most);
    match order {
        "sorted" => rows.sort_by(|&a, &b| compare(a, b)),
        "reversed" => rows.sort_by(|&a, &b| compare(b, a)),
        _ => {}
    }
    [rows, held_out]
}

/// Returns the predictions of rows that are held out; the times to learn and to predict a row, and the bytes of one.
fn learn<L: OnlineLearner>(
    mut learner: L,
    data: &Dataset,
    targets: &[<L::Task as Task>::Target],
    [rows, held_out]: &Split,
) -> Outcome<(Array2<f64>, [f64; 3])> {
    let features = data.features.select(Axis(0), rows);
    let targets: Vec<_> = rows.iter().map(|&row| targets[row]).collect();
    let (done, learn) = timed(|| learn_in_calls(&mut learner, features.view(), &targets));
    done?;
    let features = data.features.select(Axis(0), held_out);
    let (predictions, predict) = timed(|| learner.predict(features.view()));
    let (count, bytes) = (rows.len() as f64, learner.footprint().bytes as f64);
    let costs = [
        learn / count,
        predict / held_out.len() as f64,
        bytes / count,
    ];
    Ok((predictions?, costs))
}

fn of_classes(
    predictions: &Array2<f64>,
    labels: &[u32],
    held_out: &[usize],
    [learn, predict, bytes]: [f64; 3],
) -> [f64; 5] {
    let (mut right, mut loss) = (0.0, 0.0);
    for (prediction, &row) in predictions.outer_iter().zip(held_out) {
        let prediction = prediction.as_slice().unwrap_or(&[]);
        let probability = prediction.get(labels[row] as usize).copied();
        right += f64::from(u8::from(argmax(prediction) == labels[row] as usize));
        loss -= probability.unwrap_or(0.0).max(1e-15).ln();
    }
    let count = held_out.len() as f64;
    [right / count, loss / count, learn, predict, bytes]
}

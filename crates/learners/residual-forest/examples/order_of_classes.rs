//! What the order of rows changes for classes, as lines of CSV:
//! `cargo run --release -p residual-forest --example order_of_classes -- 100 3 random,sorted,reversed letter dna libraries/digits.csv`
//!
//! Arguments: trees; seeds; orders; data sets of classes, after `rows=N,` the first N training rows of a seed. `own` is the order of the file, `sorted` by class, `reversed` by class
//! downwards; sets without a standard split are divided at random, four fifths to learn. Then come accuracy and log loss on the held-out rows, microseconds of processor
//! time a row to learn and to predict, and bytes a row.

use datasets::{Dataset, OpenOptions, Target, data_folder, open};
use forest_core::{ForestSettings, OnlineLearner, Schema, TreeRng, argmax, threads};
use forest_testing::timing::{learn_in_calls, timed};
use ndarray::{Array2, Axis};
use residual_forest::{ResidualClassifier, ResidualClassifierSettings};

type Outcome<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

fn main() -> Outcome<()> {
    threads::with_threads(1, run)?
}

fn run() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [trees, seeds, orders, sets @ ..] = &arguments[..] else {
        return Err("trees, seeds, orders, data sets".into());
    };
    let (trees, seeds): (usize, u64) = (trees.parse()?, seeds.parse()?);
    let options = OpenOptions {
        data_dir: Some(data_folder()),
        ..OpenOptions::default()
    };
    for set in sets {
        let (rows, name) = match set
            .strip_prefix("rows=")
            .and_then(|rest| rest.split_once(','))
        {
            Some((rows, name)) => (rows.parse()?, name),
            None => (usize::MAX, set.as_str()),
        };
        for order in orders.split(',') {
            let mut all = [0.0; 5];
            for seed in 1..=seeds {
                let data = open(name.replace("{seed}", &seed.to_string()), &options)?;
                let forest = ForestSettings::default().with_trees(trees).with_seed(seed);
                let found = measure(&data, rows, order, forest)?;
                let pairs = all.iter_mut().zip(found);
                pairs.for_each(|(sum, value)| *sum += value / seeds as f64);
            }
            let [accuracy, log_loss, learn, predict, bytes] = all;
            println!(
                "{set},{order},{accuracy:.4},{log_loss:.4},{learn:.0},{predict:.0},{bytes:.0}"
            );
        }
    }
    Ok(())
}

fn measure(data: &Dataset, most: usize, order: &str, forest: ForestSettings) -> Outcome<[f64; 5]> {
    let Target::Classes { labels, .. } = &data.target else {
        return Err("classes are learned".into());
    };
    let mut rows: Vec<usize> = (0..data.rows()).collect();
    let split = data.split.unwrap_or(data.rows() * 4 / 5);
    let mut rng = TreeRng::new(forest.seed, usize::MAX);
    match data.split {
        Some(_) if order == "own" => {}
        Some(split) => rng.shuffle(&mut rows[..split]),
        None => rng.shuffle(&mut rows),
    }
    let test = rows.split_off(split);
    rows.truncate(most);
    match order {
        "sorted" => rows.sort_by_key(|&row| labels[row]),
        "reversed" => rows.sort_by_key(|&row| u32::MAX - labels[row]),
        _ => {}
    }
    let train = data.features.select(Axis(0), &rows);
    let targets: Vec<u32> = rows.iter().map(|&row| labels[row]).collect();
    let settings = ResidualClassifierSettings::default();
    let mut learner = ResidualClassifier::new(Schema::new(train.ncols())?, settings, forest)?;
    let (done, learn) = timed(|| learn_in_calls(&mut learner, train.view(), &targets));
    done?;
    let features = data.features.select(Axis(0), &test);
    let (predictions, predict) = timed(|| learner.predict(features.view()));
    let labels: Vec<u32> = test.iter().map(|&row| labels[row]).collect();
    let (accuracy, log_loss) = errors(&predictions?, &labels);
    let (count, bytes) = (rows.len() as f64, learner.footprint().bytes as f64);
    let times = [learn / count, predict / test.len() as f64];
    Ok([accuracy, log_loss, times[0], times[1], bytes / count])
}

/// Returns the accuracy and the log loss.
fn errors(predictions: &Array2<f64>, labels: &[u32]) -> (f64, f64) {
    let rows = || predictions.outer_iter().zip(labels);
    let is_right = |row: &(ndarray::ArrayView1<'_, f64>, &u32)| {
        argmax(row.0.as_slice().unwrap_or(&[])) == *row.1 as usize
    };
    let right = rows().filter(is_right).count();
    let losses = rows().map(|(row, &label)| {
        let probability = row.get(label as usize).copied();
        -probability.unwrap_or(0.0).max(1e-15).ln()
    });
    let count = labels.len() as f64;
    (right as f64 / count, losses.sum::<f64>() / count)
}

//! What the order of rows changes for numbers, as lines of CSV:
//! `cargo run --release -p residual-forest --example order_of_numbers -- 100 3 random,sorted,reversed friedman:d=5,n=1500,test=2000 rows=6000,california_housing`
//!
//! Arguments: trees; seeds; orders; data sets of numbers, after `rows=N,` the first N training rows of a seed. `sorted` is by target, `reversed` by target downwards; sets without a standard split
//! are divided at random, three quarters to learn. Then come roots of mean squared errors on held-out rows, against the targets and against the function without noise where that is known,
//! microseconds of processor time a row to learn, and bytes a row.

use datasets::{Dataset, OpenOptions, Target, data_folder, open};
use forest_core::{ForestSettings, OnlineLearner, Schema, TreeRng, threads};
use forest_testing::timing::{learn_in_calls, timed};
use ndarray::Axis;
use residual_forest::{ResidualForest, ResidualSettings};

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
        let data = open(name, &options)?;
        for order in orders.split(',') {
            let mut all = [0.0; 4];
            for seed in 1..=seeds {
                let forest = ForestSettings::default().with_trees(trees).with_seed(seed);
                let found = measure(&data, rows, order, forest)?;
                all.iter_mut()
                    .zip(found)
                    .for_each(|(sum, value)| *sum += value / seeds as f64);
            }
            let [error, true_error, time, bytes] = all;
            println!("{set},{order},{error:.4},{true_error:.4},{time:.0},{bytes:.0}");
        }
    }
    Ok(())
}

fn measure(data: &Dataset, most: usize, order: &str, forest: ForestSettings) -> Outcome<[f64; 4]> {
    let Target::Values { values, noise_free } = &data.target else {
        return Err("numbers are learned".into());
    };
    let truth = noise_free.as_ref().unwrap_or(values);
    let mut rows: Vec<usize> = (0..data.rows()).collect();
    let split = match data.split {
        Some(split) => {
            TreeRng::new(forest.seed, usize::MAX).shuffle(&mut rows[..split]);
            split
        }
        None => {
            TreeRng::new(forest.seed, usize::MAX).shuffle(&mut rows);
            data.rows() * 3 / 4
        }
    };
    let test = rows.split_off(split);
    rows.truncate(most);
    match order {
        "sorted" => rows.sort_by(|a, b| values[*a].total_cmp(&values[*b])),
        "reversed" => rows.sort_by(|a, b| values[*b].total_cmp(&values[*a])),
        _ => {}
    }
    let train = data.features.select(Axis(0), &rows);
    let targets: Vec<f64> = rows.iter().map(|&row| values[row]).collect();
    let settings = ResidualSettings::default();
    let mut learner = ResidualForest::new(Schema::new(train.ncols())?, settings, forest)?;
    let (done, time) = timed(|| learn_in_calls(&mut learner, train.view(), &targets));
    done?;
    let predictions = learner.predict(data.features.select(Axis(0), &test).view())?;
    let error = |of: &[f64]| {
        let pairs = predictions.iter().zip(&test);
        let sum: f64 = pairs.map(|(p, &row)| (p - of[row]).powi(2)).sum();
        (sum / test.len() as f64).sqrt()
    };
    let count = rows.len() as f64;
    Ok([
        error(values),
        error(truth),
        time / count,
        learner.footprint().bytes as f64 / count,
    ])
}

//! Error, time and memory of residual forests on one thread, as lines of CSV:
//! `cargo run --release -p residual-forest --example residual_cost -- friedman:d=5 0 100 3 20x1/1 20x1/1+ridge/40x2/10/3`
//!
//! Arguments: a data set; rows to learn, 0 for 80 % or the standard part; trees; seeds; values of `chains`. The score is the root of the
//! mean squared error on the held-out rows after one pass, against the function without noise where that is known. Without a standard
//! split each seed has an order of rows, that of `cargo xtask-all reproduce residual-forest/hold-out --rows`. Times are microseconds of processor time a row and tree; bytes are those of
//! the whole learner.

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
    let [data, rows, trees, seeds, all_chains @ ..] = &arguments[..] else {
        return Err("data set, rows, trees, seeds, chains".into());
    };
    let options = OpenOptions {
        data_dir: Some(data_folder()),
        ..OpenOptions::default()
    };
    let (data, rows) = (open(data, &options)?, rows.parse()?);
    let (trees, seeds) = (trees.parse()?, seeds.parse()?);
    for chains in all_chains {
        let settings = ResidualSettings {
            chains: chains.clone(),
            ..ResidualSettings::default()
        };
        for seed in 1..=seeds {
            let forest = ForestSettings::default().with_trees(trees).with_seed(seed);
            measure(&data, rows, &settings, forest)?;
        }
    }
    Ok(())
}

fn measure(
    data: &Dataset,
    rows: usize,
    settings: &ResidualSettings,
    forest: ForestSettings,
) -> Outcome<()> {
    let Target::Values { values, noise_free } = &data.target else {
        return Err("numbers are learned".into());
    };
    let (order, split) = order(data, forest.seed, rows);
    let (rows, targets) = (
        data.features.select(Axis(0), &order),
        select(values, &order),
    );
    let truth = select(noise_free.as_ref().unwrap_or(values), &order);
    let (train, test) = rows.view().split_at(Axis(0), split);
    let schema = Schema::new(train.ncols())?;
    let mut learner = ResidualForest::new(schema, settings.clone(), forest)?;
    let (done, learn) = timed(|| learn_in_calls(&mut learner, train, &targets[..split]));
    done?;
    let (predictions, predict) = timed(|| learner.predict(test));
    let error = root_mean_square(predictions?.iter().zip(&truth[split..]).map(|(a, y)| a - y));
    let a_tree = |rows: usize| (rows * forest.trees) as f64;
    let (name, chains, seed, trees) = (&data.name, &settings.chains, forest.seed, forest.trees);
    let (learn, predict) = (
        learn / a_tree(train.nrows()),
        predict / a_tree(test.nrows()),
    );
    let bytes = learner.footprint().bytes as f64 / a_tree(train.nrows());
    println!("{chains},\"{name}\",{trees},{seed},{error:.6},{learn:.4},{predict:.4},{bytes:.1}");
    Ok(())
}

fn root_mean_square(errors: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = errors.len() as f64;
    (errors.map(|error| error * error).sum::<f64>() / count).sqrt()
}

/// Returns the rows in the order in which they are learned, and how many are.
fn order(data: &Dataset, seed: u64, rows: usize) -> (Vec<usize>, usize) {
    let mut order: Vec<usize> = (0..data.rows()).collect();
    if let Some(split) = data.split {
        return (order, split);
    }
    TreeRng::new(seed, usize::MAX).shuffle(&mut order);
    match rows {
        0 => (order, data.rows() * 4 / 5),
        _ => (order, rows),
    }
}

fn select(values: &[f64], order: &[usize]) -> Vec<f64> {
    order.iter().map(|&row| values[row]).collect()
}

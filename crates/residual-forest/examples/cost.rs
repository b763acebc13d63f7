//! Error, time and memory of residual forests on one thread, as lines of CSV:
//! `cargo run --release -p residual-forest --example cost -- friedman:d=5 100 3 20x1/1 20x1/1+ridge/40x2/10/3`
//!
//! Arguments: a data set; trees; seeds; values of `chains`. The score is the root of the mean squared error on the held-out
//! rows after one pass. Times are microseconds of processor time a row and tree; bytes are those of the whole learner.

#[path = "shared/common.rs"]
mod shared;

use datasets::{Dataset, OpenOptions, Target, data_folder, open};
use forest_core::{ForestSettings, OnlineLearner, Schema, TreeRng, threads};
use ndarray::{ArrayView2, Axis, s};
use residual_forest::{ResidualForest, ResidualSettings};
use shared::timed;

/// Rows of a call, as a stream has them.
const ROWS_A_CALL: usize = 1000;

type Answer<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

fn main() -> Answer<()> {
    threads::with_threads(1, run)?
}

fn run() -> Answer<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [data, trees, seeds, all_chains @ ..] = &arguments[..] else {
        return Err("data set, trees, seeds, chains".into());
    };
    let options = OpenOptions {
        data_dir: Some(data_folder()),
        ..OpenOptions::default()
    };
    let (data, trees, seeds) = (open(data, &options)?, trees.parse()?, seeds.parse()?);
    for chains in all_chains {
        let settings = ResidualSettings {
            chains: chains.clone(),
            ..ResidualSettings::default()
        };
        for seed in 1..=seeds {
            let forest = ForestSettings {
                trees,
                seed,
                ..ForestSettings::default()
            };
            measure(&data, &settings, forest)?;
        }
    }
    Ok(())
}

fn measure(data: &Dataset, settings: &ResidualSettings, forest: ForestSettings) -> Answer<()> {
    let Target::Values { values, .. } = &data.target else {
        return Err("numbers are learned".into());
    };
    let (order, split) = order(data);
    let (rows, values) = (
        data.features.select(Axis(0), &order),
        select(values, &order),
    );
    let (train, test) = rows.view().split_at(Axis(0), split);
    let (learned, asked) = values.split_at(split);
    let schema = Schema::new(train.ncols())?;
    let mut learner = ResidualForest::new(schema, settings.clone(), forest)?;
    let (done, learn) = timed(|| learn_in_calls(&mut learner, train, learned));
    done?;
    let (answers, predict) = timed(|| learner.predict(test));
    let squares = answers?
        .into_iter()
        .zip(asked)
        .map(|(answer, value)| (answer - value).powi(2))
        .sum::<f64>();
    let error = (squares / asked.len() as f64).sqrt();
    let a_tree = |rows: usize| (rows * forest.trees) as f64;
    let (name, chains, seed, trees) = (&data.name, &settings.chains, forest.seed, forest.trees);
    let (learn, predict) = (
        learn / a_tree(train.nrows()),
        predict / a_tree(test.nrows()),
    );
    let bytes = learner.footprint().bytes as f64 / a_tree(train.nrows());
    println!("{chains},\"{name}\",{trees},{seed},{error:.6},{learn:.4},{predict:.4},{bytes:.1}");
    let blend: Vec<String> = learner
        .blend()
        .iter()
        .map(|weight| format!("{weight:.2}"))
        .collect();
    eprintln!("blend {}", blend.join(" "));
    Ok(())
}

/// The rows in the order in which they are learned, and how many are: 80 % of them, in random order, if no split is standard.
fn order(data: &Dataset) -> (Vec<usize>, usize) {
    let mut order: Vec<usize> = (0..data.rows()).collect();
    if let Some(split) = data.split {
        return (order, split);
    }
    TreeRng::new(1, 0).shuffle(&mut order);
    (order, data.rows() * 4 / 5)
}

fn select(values: &[f64], order: &[usize]) -> Vec<f64> {
    order.iter().map(|&row| values[row]).collect()
}

fn learn_in_calls(
    learner: &mut ResidualForest,
    rows: ArrayView2<'_, f32>,
    targets: &[f64],
) -> Answer<()> {
    for from in (0..rows.nrows()).step_by(ROWS_A_CALL) {
        let to = rows.nrows().min(from + ROWS_A_CALL);
        learner.learn(rows.slice(s![from..to, ..]), &targets[from..to])?;
    }
    Ok(())
}

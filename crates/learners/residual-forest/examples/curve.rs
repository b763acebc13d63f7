//! How errors fall along a stream, as lines of CSV: `cargo run --release -p residual-forest --example curve -- friedman:d=5,n=20000 0 100
//! 1x1/1 20x1/1+ridge/40x2/10/3`
//!
//! Arguments: a data set; the latest samples that are remembered, 0 for all; trees; values of `chains`. Each line has the root of the mean squared
//! error of one twentieth of the rows, each predicted just before it is learned.

use datasets::{OpenOptions, Target, data_folder, open};
use forest_core::{ForestSettings, OnlineLearner, Retention, Schema};
use ndarray::s;
use residual_forest::{ResidualForest, ResidualSettings};

const PARTS: usize = 20;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [address, window, trees, all_chains @ ..] = &arguments[..] else {
        return Err("data set, window, trees, chains".into());
    };
    let options = OpenOptions {
        data_dir: Some(data_folder()),
        ..OpenOptions::default()
    };
    let data = open(address, &options)?;
    let Target::Values { values, noise_free } = &data.target else {
        return Err("numbers are learned".into());
    };
    let truth = noise_free.as_ref().unwrap_or(values);
    let forest = ForestSettings::default()
        .with_trees(trees.parse()?)
        .with_seed(1)
        .with_retention(match window.parse()? {
            0 => Retention::Everything,
            rows => Retention::Latest(rows),
        });
    for chains in all_chains {
        let settings = ResidualSettings {
            chains: chains.clone(),
            ..ResidualSettings::default()
        };
        let schema = Schema::new(data.n_features())?;
        let mut learner = ResidualForest::new(schema, settings, forest)?;
        for part in 0..PARTS {
            let until = |part: usize| part * data.rows() / PARTS;
            let (from, to) = (until(part), until(part + 1));
            let rows = data.features.slice(s![from..to, ..]);
            let predictions = learner.predict_then_learn(rows, &values[from..to])?;
            let pairs = predictions.iter().zip(&truth[from..to]);
            let squares: f64 = pairs
                .map(|(prediction, y)| (prediction[0] - y).powi(2))
                .sum();
            let error = (squares / (to - from) as f64).sqrt();
            println!("{chains},\"{}\",{window},{to},{error:.6}", data.name);
        }
    }
    Ok(())
}

//! Classifies by one residual forest per class (one against the rest), as lines of CSV:
//! `cargo run --release -p residual-forest --example classes -- satimage 50`
//!
//! Arguments: a data set with a standard split; trees. Printed are the set, the trees of a class, and the accuracy of the class with the largest
//! prediction.

use datasets::{OpenOptions, Target, data_folder, open};
use forest_core::{ForestSettings, OnlineLearner, Schema, argmax};
use ndarray::Axis;
use residual_forest::{ResidualForest, ResidualSettings};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [address, trees] = &arguments[..] else {
        return Err("data set, trees".into());
    };
    let options = OpenOptions {
        data_dir: Some(data_folder()),
        ..OpenOptions::default()
    };
    let data = open(address, &options)?;
    let Target::Classes { labels, names } = &data.target else {
        return Err("classes are learned".into());
    };
    let split = data.split.ok_or("it has no standard split")?;
    let (train, test) = data.features.view().split_at(Axis(0), split);
    let forest = ForestSettings::default()
        .with_trees(trees.parse()?)
        .with_seed(1);
    let mut predictions = Vec::new();
    for class in 0..names.len() as u32 {
        let schema = Schema::new(data.n_features())?;
        let mut learner = ResidualForest::new(schema, ResidualSettings::default(), forest)?;
        let targets = labels[..split]
            .iter()
            .map(|&label| f64::from(u8::from(label == class)));
        learner.learn(train, &targets.collect::<Vec<_>>())?;
        predictions.push(learner.predict(test)?);
    }
    let best = |row: usize| {
        let of_row: Vec<f64> = predictions
            .iter()
            .map(|predictions| predictions[[row, 0]])
            .collect();
        argmax(&of_row) as u32
    };
    let right = (0..test.nrows()).filter(|&row| best(row) == labels[split + row]);
    println!(
        "{address},{trees},{:.5}",
        right.count() as f64 / test.nrows() as f64
    );
    Ok(())
}

//! What the mixture adds to the leaves of its forest, as lines of CSV:
//! `cargo run --release -p residual-forest --example classes -- letter 100`
//!
//! Arguments: a data set with a standard split; trees. A line is the set, the trees, what predicts (`leaves`: extra trees with the same cuts; `mixture`), its accuracy and
//! log loss on the test rows after one pass; the last line has the weights of the mixture.

use datasets::{OpenOptions, Target, data_folder, open};
use dynamic_forest::{DynamicClassifier, DynamicSettings};
use forest_core::{Classification, ForestSettings, OnlineLearner, Schema, argmax};
use ndarray::{Array2, Axis};
use residual_forest::{ResidualClassifier, ResidualClassifierSettings};

/// Returns the accuracy and the log loss.
fn errors(predictions: &Array2<f64>, labels: &[u32]) -> (f64, f64) {
    let rows = || predictions.outer_iter().zip(labels);
    let is_right = |row: &(ndarray::ArrayView1<'_, f64>, &u32)| {
        argmax(row.0.as_slice().unwrap_or(&[])) == *row.1 as usize
    };
    let right = rows().filter(is_right).count();
    let losses = rows().map(|(row, &label)| -row[label as usize].max(1e-15).ln());
    let count = labels.len() as f64;
    (right as f64 / count, losses.sum::<f64>() / count)
}

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
    let Target::Classes { labels, .. } = &data.target else {
        return Err("classes are learned".into());
    };
    let split = data.split.ok_or("it has no standard split")?;
    let (train, test) = data.features.view().split_at(Axis(0), split);
    let (learned, held_out) = labels.split_at(split);
    let forest = ForestSettings::default()
        .with_trees(trees.parse()?)
        .with_seed(1);
    let schema = Schema::<Classification>::new(data.n_features())?;

    let of_leaves = DynamicSettings {
        max_features: Some((4 * data.n_features()).isqrt() as u32),
        ..DynamicSettings::default()
    };
    let mut leaves = DynamicClassifier::new(schema, of_leaves, forest)?;
    let mut mixture =
        ResidualClassifier::new(schema, ResidualClassifierSettings::default(), forest)?;
    leaves.learn(train, learned)?;
    mixture.learn(train, learned)?;
    for (name, predictions) in [
        ("leaves", leaves.predict(test)?),
        ("mixture", mixture.predict(test)?),
    ] {
        let (accuracy, log_loss) = errors(&predictions, held_out);
        println!("{address},{trees},{name},{accuracy:.4},{log_loss:.4}");
    }
    let weights: Vec<String> = mixture
        .weights()
        .iter()
        .map(|weight| format!("{weight:.2}"))
        .collect();
    println!("{address},{trees},weights,{}", weights.join(" "));
    Ok(())
}

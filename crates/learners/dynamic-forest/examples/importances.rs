//! How much each feature helps, as a line of CSV: `cargo run --release -p dynamic-forest --example importances -- letter 100`
//!
//! Arguments: a data set, whose training rows are learned one by one; trees.

use datasets::{OpenOptions, Target, data_folder, open};
use dynamic_forest::{DynamicClassifier, DynamicRegressor, DynamicSettings, OnlineLearner, Schema};
use forest_core::ForestSettings;
use forest_core::registry::Explain;
use ndarray::s;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let address = arguments.next().ok_or("name a data set")?;
    let trees = arguments.next().map_or(Ok(100), |text| text.parse())?;
    let options = OpenOptions {
        data_dir: Some(data_folder()),
        ..OpenOptions::default()
    };
    let data = open(&address, &options)?;
    let forest = ForestSettings::default().with_trees(trees).with_seed(1);
    let (settings, split) = (
        DynamicSettings::default(),
        data.split.unwrap_or(data.rows() * 4 / 5),
    );
    let rows = data.features.slice(s![..split, ..]);
    let importances = match &data.target {
        Target::Classes { labels, .. } => {
            let mut learner = DynamicClassifier::new(Schema::new(rows.ncols())?, settings, forest)?;
            learner.learn(rows, &labels[..split])?;
            learner.feature_importance()?
        }
        Target::Values { values, .. } => {
            let mut learner = DynamicRegressor::new(Schema::new(rows.ncols())?, settings, forest)?;
            learner.learn(rows, &values[..split])?;
            learner.feature_importance()?
        }
    };
    let shares: Vec<String> = importances
        .iter()
        .map(|share| format!("{share:.4}"))
        .collect();
    println!("dynamic 0.5,\"{}\",{trees},{}", data.name, shares.join(","));
    Ok(())
}

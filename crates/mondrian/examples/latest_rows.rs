//! A forest of the latest rows: `cargo run --release -p mondrian-forests --example latest_rows`.
use mondrian::{ForestSettings, MondrianRegressor, OnlineLearner, Schema};

/// Learns a level that jumps from 1 to 5 after 2,000 rows: one forest remembers everything, the other 200 rows.
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let trees = ForestSettings::default().with_trees(20).with_seed(1);
    let forest = || MondrianRegressor::new(Schema::new(1)?, mondrian::fixed(10.0), trees);
    let (mut all, mut latest) = (forest()?, forest()?);
    for row in 0..2500u32 {
        let x = (row * 37 % 100) as f32 / 100.0;
        let level = if row < 2000 { 1.0 } else { 5.0 };
        all.learn_one(&[x], level + f64::from(x))?;
        latest.learn_one(&[x], level + f64::from(x))?;
        latest.keep_latest(200)?;
    }
    println!(
        "the level at ½ is 5.5; all rows predict {:.2}",
        all.predict_one(&[0.5])?[0]
    );
    println!(
        "the latest 200 rows predict {:.2}",
        latest.predict_one(&[0.5])?[0]
    );
    assert!((latest.predict_one(&[0.5])?[0] - 5.5).abs() < 0.1);
    Ok(())
}

//! Cuts of any slope follow a diagonal border: `cargo run --release -p obsp --example diagonal`.
use obsp::{BspClassifier, ForestSettings, OnlineClassifier, OnlineLearner, Schema};

/// Predicts every row before it is learned.
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let trees = ForestSettings::default().with_trees(20).with_seed(1);
    let mut forest = BspClassifier::new(Schema::new(2)?, obsp::fixed(f64::INFINITY), trees)?;
    let (mut right, rows) = (0, 3000u32);
    for row in 0..rows {
        let x = [
            (row * 37 % 101) as f32 / 101.0,
            (row * 53 % 103) as f32 / 103.0,
        ];
        let class = u32::from(x[0] > x[1]);
        right += u32::from(forest.predict_label(&x)? == Some(class));
        forest.learn_one(&x, class)?;
    }
    let share = f64::from(right) / f64::from(rows);
    println!("{share:.3} of {rows} rows were predicted correctly before they were learned");
    assert!(share > 0.9);
    Ok(())
}

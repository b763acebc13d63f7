//! A forest that keeps no row: `cargo run --release -p stream-rf --example bounded`.
use stream_rf::{
    ForestSettings, FringeLimit, OnlineClassifier, OnlineLearner, Schema, StreamClassifier,
    StreamSettings,
};

/// At most 50 leaves of a tree gather statistics for a split.
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let fringe = FringeLimit::AtMost(50);
    let settings = StreamSettings {
        fringe,
        ..StreamSettings::default()
    };
    let trees = ForestSettings::default().with_trees(25).with_seed(1);
    let mut forest = StreamClassifier::new(Schema::new(2)?, settings, trees)?;
    for row in 0..20_000u32 {
        let x = [(row * 37 % 101) as f32, (row * 53 % 103) as f32];
        forest.learn_one(&x, u32::from(x[0] > x[1]))?;
    }
    println!(
        "(80, 20) has class {:?}; {:?}",
        forest.predict_label(&[80.0, 20.0])?,
        forest.footprint()
    );
    assert_eq!(forest.footprint().stored_samples, 0);
    Ok(())
}

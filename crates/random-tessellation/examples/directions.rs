//! Cuts of uniform directions: `cargo run --release -p random-tessellation --example directions`.
use random_tessellation::{
    Classifier, ForestSettings, LinearCuts, OnlineClassifier, OnlineLearner, Schema,
    TessellationSettings,
};

/// Returns two classes within each other, a disc and a ring.
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let trees = ForestSettings::default().with_trees(20).with_seed(1);
    let settings = TessellationSettings::default();
    let mut forest = Classifier::<LinearCuts>::new(Schema::new(2)?, settings, trees)?;
    for row in 0..1000u16 {
        let (angle, class) = (f32::from(row) * 0.7, u32::from(row % 2));
        let radius = 1.0 + class as f32;
        forest.learn_one(&[radius * angle.cos(), radius * angle.sin()], class)?;
    }
    let [inner, outer] = [[0.7, 0.7], [1.4, 1.4]].map(|x| forest.predict_label(&x));
    println!(
        "at distance 1: class {:?}; at distance 2: class {:?}",
        inner?, outer?
    );
    assert_eq!(forest.predict_label(&[0.0, 2.0])?, Some(1));
    Ok(())
}

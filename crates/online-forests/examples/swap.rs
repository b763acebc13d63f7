//! One stream, any algorithm by its name: `cargo run --release -p online-forests --example swap`.
use online_forests::{Algorithm, Classification, ForestSettings, OnlineLearner, Schema};

/// The algorithms that are compared if none is named.
const NAMES: [&str; 6] = [
    "mondrian",
    "amf",
    "obsp",
    "boundary-forest",
    "stream-rf",
    "majority",
];

/// Prints the share of rows that each predicted correctly before learning them.
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut names = std::env::args().skip(1).collect::<Vec<_>>();
    if names.is_empty() {
        names.extend(NAMES.map(str::to_owned));
    }
    for name in names {
        let algorithm: Algorithm = name.parse()?;
        let settings = ForestSettings::default().with_trees(20).with_seed(1);
        let mut learner = algorithm.build::<Classification>(Schema::new(2)?, settings)?;
        let mut right = 0;
        for row in 0..3000u32 {
            let first = (row * 37 % 101) as f32 / 101.0;
            let second = (row * 53 % 103) as f32 / 103.0;
            let x = [first, second];
            let class = u32::from(x[0] * x[1] > 0.2);
            right += u32::from(learner.predict_label(&x)? == Some(class));
            learner.learn_one(&x, class)?;
        }
        println!("{algorithm:<60} {:.3}", f64::from(right) / 3000.0);
    }
    Ok(())
}

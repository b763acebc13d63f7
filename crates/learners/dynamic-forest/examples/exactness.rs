//! Random samples come and go, and after each step the exact tree is compared with the batch tree:
//! `cargo run --release -p dynamic-forest --example exactness -- 1000000`
//!
//! Argument: the number of steps in all. Sequences differ in seed, features, settings, and in how many samples are held.

#[path = "../tests/streams.rs"]
mod streams;

use dynamic_forest::{DynamicSettings, DynamicTree, Forget, Labels, OnlineLearner, Schema};
use forest_core::{Classification, Forest, ForestSettings, ForgetTree, Regression, TreeRng};
use streams::{Drawn, features};

/// Steps of a sequence.
const STEPS: usize = 1000;

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn main() -> Outcome {
    let steps: usize = std::env::args()
        .nth(1)
        .map_or(Ok(100_000), |text| text.parse())?;
    for seed in 0..steps.div_ceil(2 * STEPS) {
        come_and_go::<Classification>(seed as u64)?;
        come_and_go::<Regression>(seed as u64)?;
        if seed % 10 == 9 {
            println!(
                "{} steps: each tree was the batch tree",
                2 * STEPS * (seed + 1)
            );
        }
    }
    Ok(())
}

fn come_and_go<T: Labels + Drawn>(seed: u64) -> Outcome
where
    DynamicTree<T>: ForgetTree<Task = T, Settings = DynamicSettings>,
{
    let mut rng = TreeRng::new(seed, 1);
    let (width, most) = (1 + rng.below(10), 50 + rng.below(400));
    let settings = DynamicSettings {
        min_samples_leaf: 1,
        thresholds: 1,
        max_features: [None, Some(1 + rng.below(width) as u32)][rng.below(2)],
        min_samples_split: [2, 2, 5, 40][rng.below(4)],
        recheck: 0.0,
    };
    let trees = ForestSettings::default().with_trees(1).with_seed(seed);
    let mut forest = Forest::<DynamicTree<T>>::new(Schema::new(width)?, settings, trees)?;
    let mut held = Vec::new();
    for time in 0..STEPS {
        if held.is_empty() || (held.len() < most && rng.below(10) < 7) {
            let x = features(&mut rng, width);
            held.push(forest.samples_seen());
            forest.learn_one(&x, T::draw(&mut rng, &x, time))?;
        } else {
            forest.forget(held.swap_remove(rng.below(held.len())))?;
        }
        forest
            .check_invariants()
            .map_err(|error| format!("seed {seed}, step {time}: {error}"))?;
    }
    Ok(())
}

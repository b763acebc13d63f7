//! Neither a sample that no tree keeps nor a query allocates memory, once the thread has its own.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use boundary_forest::{BoundaryClassifier, ForestSettings, OnlineLearner, Schema, TreeSettings};
use forest_core::{TreeRng, threads::with_threads};

// One thread, since what other threads allocate is not counted.
#[test]
fn a_sample_that_no_tree_keeps_allocates_nothing() {
    with_threads(1, check_known_samples).unwrap();
}

fn check_known_samples() {
    // With codes and without.
    for width in [16, 3] {
        let mut rng = TreeRng::new(1, width);
        let mut forest = BoundaryClassifier::new(
            Schema::new(width).unwrap(),
            TreeSettings::default(),
            ForestSettings::default().with_trees(10).with_seed(1),
        )
        .unwrap();
        let mut point = || (0..width).map(|_| rng.uniform() as f32).collect();
        let points: Vec<Vec<f32>> = (0..500).map(|_| point()).collect();
        let mut learn = |point: &[f32]| {
            let nodes = forest.footprint().nodes;
            let counted = allocation_counter::measure(|| {
                let class = u32::from(point[0] > 0.5);
                forest.learn_one(point, class).unwrap();
            });
            (forest.footprint().nodes == nodes).then_some(counted.count_total)
        };
        // What is learned again is known, and makes no room for samples to come.
        for _ in 0..3 {
            points.iter().for_each(|point| _ = learn(point));
        }
        let known: Vec<_> = points.iter().filter_map(|point| learn(point)).collect();
        assert!(known.len() > 450, "{} are known", known.len());
        let allocated = known.iter().filter(|&&count| count > 0).count();
        assert_eq!(allocated, 0, "of {} samples, {width} features", known.len());
    }
}

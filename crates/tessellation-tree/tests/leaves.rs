//! What leaves hold: all of their points, however many, and no statistics of points they have lost.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use forest_core::ndarray::Array2;
use forest_core::{
    Classification, ForestSettings, OnlineLearner, Regression, SampleId, SampleStore, Schema,
    TreeRng,
};
use forest_testing::conformance::Stream;
use mondrian::{
    MondrianClassifier, MondrianRegressor, MondrianTree, TessellationSettings, fixed, increasing,
};
use tessellation_tree::LeafMeans;
use tessellation_tree::{Pause, Subtree};

fn uniform(rows: usize, seed: u64) -> Array2<f32> {
    let mut rng = TreeRng::new(seed, 0);
    Array2::from_shape_fn((rows, 2), |_| rng.uniform() as f32)
}

fn classifier(settings: TessellationSettings) -> MondrianClassifier {
    MondrianClassifier::new(
        Schema::new(2).unwrap(),
        settings,
        ForestSettings::default().with_trees(3).with_seed(7),
    )
    .unwrap()
}

fn paused(budget: f64) -> TessellationSettings {
    let settings = fixed(budget);
    assert_eq!(settings.pause, Pause::WhileLabelsAgree);
    settings
}

#[test]
fn trees_drawn_of_no_point_and_of_one_have_no_records() {
    let schema = Schema::new(2).unwrap();
    let root = |count: usize| {
        let points = uniform(count, 1);
        let store =
            SampleStore::<Regression>::with_samples(points.view(), &[0.5][..count], &schema);
        let (settings, mut rng) = (fixed(1.0), TreeRng::new(1, 0));
        let tree = MondrianTree::<LeafMeans>::batch(&store.unwrap(), &settings, 1.0, &mut rng);
        tree.root().map(|root| root.subtree)
    };
    assert_eq!(root(0), None);
    assert_eq!(root(1), Some(Subtree::Sample(SampleId::new(0))));
}

#[test]
fn a_paused_leaf_keeps_all_of_its_points_until_it_is_cut() {
    let rows = uniform(400, 1);
    let mut forest = classifier(paused(f64::INFINITY));
    for (index, row) in rows.rows().into_iter().enumerate() {
        let class = u32::from(index >= 200);
        forest.learn_one(&row.to_vec(), class).unwrap();
        forest.check_invariants().unwrap();
        let nodes = forest.footprint().nodes;
        assert_eq!(nodes == 3, index < 200, "{nodes} nodes at {index}");
    }
    for tree in forest.trees() {
        let points: usize = tree.leaves().map(|leaf| leaf.samples().count()).sum();
        assert_eq!(points, 400);
    }
    let predictions = forest.predict(rows.view()).unwrap();
    for (index, prediction) in predictions.rows().into_iter().enumerate() {
        assert_eq!(prediction[usize::from(index >= 200)], 1.0, "sample {index}");
    }
}

#[test]
fn labels_that_agree_are_never_cut() {
    let rows = uniform(300, 2);
    let mut forest = classifier(paused(f64::INFINITY));
    forest.learn(rows.view(), &[4; 300]).unwrap();
    forest.refine().unwrap();
    assert_eq!(forest.footprint().nodes, 3);
}

#[test]
fn as_many_points_as_may_stay_uncut_are_never_cut() {
    for max_uncut in [1, 2, 3, 10] {
        let settings = TessellationSettings {
            max_uncut,
            pause: Pause::Never,
            ..fixed(f64::INFINITY)
        };
        let mut forest = classifier(settings);
        let rows = uniform(max_uncut as usize + 1, 3);
        for (index, row) in rows.rows().into_iter().enumerate() {
            forest.learn_one(&row.to_vec(), index as u32 % 2).unwrap();
            let cut = forest.footprint().nodes > 3;
            assert_eq!(cut, index == max_uncut as usize, "{max_uncut}");
        }
        assert!(forest.trees().all(|tree| tree.leaves().count() > 1));
    }
}

#[test]
fn statistics_of_a_leaf_that_was_cut_are_freed() {
    let mut rng = TreeRng::new(4, 0);
    let rows = uniform(3000, 4);
    let classes: Vec<u32> = (0..3000).map(|_| rng.below(64) as u32).collect();
    let settings = TessellationSettings {
        pause: Pause::Never,
        ..fixed(f64::INFINITY)
    };
    let mut forest = classifier(settings);
    forest.learn(rows.view(), &classes).unwrap();
    let held = forest.footprint();
    // A row of 64 counts takes 256 bytes; a node with a box and one class far less than that.
    assert!(held.bytes < 100 * held.nodes, "{held:?}");
}

#[test]
fn refining_to_a_smaller_budget_changes_nothing() {
    let stream = Stream::<Regression>::uniform(300, 2, 5);
    let schema = Schema::new(2).unwrap();
    let mut forest = MondrianRegressor::new(
        schema,
        increasing(4.0, 2),
        ForestSettings::default().with_trees(2).with_seed(7),
    )
    .unwrap();
    stream.teach(&mut forest, 0, 300).unwrap();
    forest.refine().unwrap();
    let before: Vec<_> = forest.trees().cloned().collect();
    let budget = forest.settings().budget.at(300);
    for smaller in [0.0, 0.5 * budget, budget] {
        forest.refine_to(smaller);
        assert!(forest.trees().eq(&before), "refined to {smaller}");
    }
    forest.refine_to(2.0 * budget);
    assert!(!forest.trees().eq(&before), "the test can fail");
}

#[test]
fn a_forest_is_refined_to_the_budget_of_the_samples_seen() {
    let stream = Stream::<Classification>::uniform(200, 2, 6);
    let settings = TessellationSettings {
        pause: Pause::Never,
        ..increasing(2.0, 2)
    };
    let mut forest = classifier(settings);
    stream.teach(&mut forest, 0, 200).unwrap();
    forest.refine().unwrap();
    let budget = forest.settings().budget.at(200);
    for leaf in forest.trees().flat_map(|tree| tree.leaves()) {
        let alone = leaf.points() == 1;
        assert!(alone || leaf.time() == budget, "{}", leaf.time());
    }
}

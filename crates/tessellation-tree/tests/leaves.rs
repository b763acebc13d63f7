//! What leaves hold: all of their points, however many, and no statistics of points they have lost.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use forest_core::ndarray::Array2;
use forest_core::{
    ForestSettings, OnlineLearner, Regression, SampleId, SampleStore, Schema, TreeRng,
};
use mondrian::{MondrianClassifier, MondrianTree, TessellationSettings, fixed, increasing};
use tessellation_tree::{LeafMeans, Pause, Subtree};

use crate::uniform;

fn classifier(settings: TessellationSettings) -> MondrianClassifier {
    let trees = ForestSettings::default().with_trees(3).with_seed(7);
    MondrianClassifier::new(Schema::new(2).unwrap(), settings, trees).unwrap()
}

fn unpaused(settings: TessellationSettings) -> TessellationSettings {
    TessellationSettings {
        pause: Pause::Never,
        ..settings
    }
}

fn learn_all(
    settings: TessellationSettings,
    rows: &Array2<f32>,
    classes: &[u32],
) -> MondrianClassifier {
    let mut forest = classifier(settings);
    forest.learn(rows.view(), classes).unwrap();
    forest
}

#[test]
fn trees_drawn_of_no_point_and_of_one_have_no_records() {
    let root = |count: usize| {
        let points = uniform(count, 2, 1);
        let schema = Schema::<Regression>::new(2).unwrap();
        let store = SampleStore::with_samples(points.view(), &[0.5][..count], &schema).unwrap();
        let mut rng = TreeRng::new(1, 0);
        let tree = MondrianTree::<LeafMeans>::batch(&store, &fixed(1.0), 1.0, &mut rng);
        tree.root().map(|root| root.subtree)
    };
    assert_eq!(root(0), None);
    assert_eq!(root(1), Some(Subtree::Sample(SampleId::new(0))));
}

/// While labels agree nothing is cut, by refining neither; the first that differs brings the cuts between all points.
#[test]
fn a_paused_leaf_keeps_all_of_its_points_until_it_is_cut() {
    let rows = uniform(400, 2, 1);
    let mut forest = classifier(fixed(f64::INFINITY));
    for (index, row) in rows.rows().into_iter().enumerate() {
        let class = u32::from(index >= 200);
        forest.learn_one(&row.to_vec(), class).unwrap();
        forest.refine().unwrap();
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
fn as_many_points_as_may_stay_uncut_are_never_cut() {
    for max_uncut in [1, 2, 3, 10] {
        let settings = TessellationSettings {
            max_uncut,
            ..fixed(f64::INFINITY)
        };
        let mut forest = classifier(unpaused(settings));
        let rows = uniform(max_uncut as usize + 1, 2, 3);
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
    let classes: Vec<u32> = (0..3000).map(|_| rng.below(64) as u32).collect();
    let settings = unpaused(fixed(f64::INFINITY));
    let held = learn_all(settings, &uniform(3000, 2, 4), &classes).footprint();
    // A row of 64 counts takes 256 bytes; a node with a box and one class far less than that.
    assert!(held.bytes < 100 * held.nodes, "{held:?}");
}

#[test]
fn a_forest_is_refined_to_the_budget_of_the_samples_seen_or_to_a_larger_one() {
    let classes: Vec<u32> = (0..200).map(|row| row % 3).collect();
    let mut forest = learn_all(unpaused(increasing(2.0, 2)), &uniform(200, 2, 6), &classes);
    forest.refine().unwrap();
    let budget = forest.settings().budget.at(200);
    for leaf in forest.trees().flat_map(|tree| tree.leaves()) {
        let time = leaf.time();
        assert!(leaf.points() == 1 || time == budget, "{time}");
    }
    let before: Vec<_> = forest.trees().cloned().collect();
    for smaller in [0.0, 0.5 * budget, budget] {
        forest.refine_to(smaller);
        assert!(forest.trees().eq(&before), "refined to {smaller}");
    }
    forest.refine_to(2.0 * budget);
    assert!(!forest.trees().eq(&before), "the test can fail");
}

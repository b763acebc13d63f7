//! Exported trees agree with predictions.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use dynamic_forest::{DynamicSettings, DynamicTree, Labels};
use forest_core::registry::{Explain, ExportedNode, ExportedTree, NamedTask};
use forest_core::{
    Classification, Forest, ForestSettings, OnlineLearner, OnlineTree, Regression, Schema,
};
use forest_testing::conformance::{ConformanceTask, Stream};

const ROWS: usize = 400;

fn forest<T: Labels + NamedTask + ConformanceTask>(recheck: f64) -> Forest<DynamicTree<T>> {
    forest_with(DynamicSettings {
        recheck,
        min_samples_split: 5,
        ..DynamicSettings::default()
    })
}

fn forest_with<T: Labels + NamedTask + ConformanceTask>(
    settings: DynamicSettings,
) -> Forest<DynamicTree<T>> {
    let trees = ForestSettings::default().with_trees(3).with_seed(4);
    let mut forest = Forest::new(Schema::new(3).unwrap(), settings, trees).unwrap();
    Stream::<T>::uniform(ROWS, 3, 2)
        .teach(&mut forest, 0, ROWS)
        .unwrap();
    forest
}

/// Returns the node of an exported tree where a point ends.
fn leaf<'a>(tree: &'a ExportedTree, x: &[f32]) -> &'a ExportedNode {
    let mut node = &tree.nodes[0];
    while let (Some(cut), Some(children)) = (&node.cut, node.children) {
        let side = usize::from(cut.value(x) > cut.threshold);
        node = &tree.nodes[children[side]];
    }
    node
}

fn trees_say_what_they_do<T: Labels + NamedTask + ConformanceTask>(recheck: f64) {
    let forest = forest::<T>(recheck);
    let points = Stream::<T>::uniform(50, 3, 3).features;
    for (index, tree) in forest.trees().enumerate() {
        let exported = forest.export(index).unwrap();
        assert_eq!(exported.nodes.len(), 2 * tree.cuts() + 1);
        assert_eq!(exported.nodes[0].samples, ROWS as u64);
        for x in points.rows() {
            let x = x.to_slice().unwrap();
            let (path, end) = (forest.decision_path(index, x).unwrap(), leaf(&exported, x));
            assert_eq!((path.steps.len(), path.samples), (end.depth, end.samples));
            assert_eq!(path.labels, end.labels);
            let mut prediction = vec![0.0; path.prediction.len()];
            tree.vote(x, &forest.context(), &mut prediction);
            assert_eq!(path.prediction, prediction);
            assert!(!path.to_string().contains("time"));
        }
    }
    let shallow = forest.export(0).unwrap().down_to(2);
    assert!(shallow.nodes.len() <= 7 && !shallow.to_text().contains("time"));
}

#[test]
fn classifiers_say_what_they_do() {
    trees_say_what_they_do::<Classification>(0.0);
    trees_say_what_they_do::<Classification>(0.5);
}

#[test]
fn regressors_say_what_they_do() {
    trees_say_what_they_do::<Regression>(0.0);
    trees_say_what_they_do::<Regression>(0.5);
}

/// Of three thresholds a feature the best is taken, and each side has its samples: trees that only grow.
#[test]
fn every_leaf_has_its_samples() {
    let settings = DynamicSettings {
        min_samples_leaf: 7,
        thresholds: 3,
        ..DynamicSettings::default()
    };
    for recheck in [0.0, 0.5] {
        let settings = DynamicSettings {
            recheck,
            ..settings.clone()
        };
        let forest = forest_with::<Regression>(settings);
        for tree in 0..3 {
            let exported = forest.export(tree).unwrap();
            let mut leaves = exported.nodes.iter().filter(|node| node.children.is_none());
            assert!(leaves.all(|leaf| leaf.samples >= 7));
        }
    }
}

//! Leaves have their samples, and importances follow their definition.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use dynamic_forest::{DynamicSettings, DynamicTree, Labels};
use forest_core::{Classification, Forest, ForestSettings, OnlineLearner, Regression, Schema};
use forest_testing::conformance::{ConformanceTask, Stream};

use crate::streams::settings;

const ROWS: usize = 400;

fn forest<T: Labels + ConformanceTask>(settings: DynamicSettings) -> Forest<DynamicTree<T>> {
    let trees = ForestSettings::default().with_trees(3).with_seed(4);
    let mut forest = Forest::new(Schema::new(3).unwrap(), settings, trees).unwrap();
    let stream = Stream::<T>::uniform(ROWS, 3, 2);
    stream.teach(&mut forest, 0, ROWS).unwrap();
    forest
}

/// Of three thresholds a feature the best is taken, and each side has its samples: trees that only grow.
#[test]
fn every_leaf_has_its_samples() {
    for recheck in [0.0, 0.5] {
        let forest = forest::<Regression>(settings((None, 2, 7, 3), recheck));
        for tree in (0..3).map(|tree| forest.export(tree).unwrap()) {
            let mut leaves = tree.nodes.iter().filter(|node| node.children.is_none());
            assert!(leaves.all(|leaf| leaf.samples >= 7));
        }
    }
}

/// Gini impurity or, of numbers, variance, times the number of samples.
fn impurity(labels: &[f64], of_classes: bool) -> f64 {
    let n = labels.len() as f64;
    if of_classes {
        let share = |class: f64| labels.iter().filter(|&&label| label == class).count() as f64 / n;
        // Each of the n samples is of a class whose share is counted.
        return labels.iter().map(|&label| 1.0 - share(label)).sum();
    }
    let mean = labels.iter().sum::<f64>() / n;
    labels.iter().map(|label| (label - mean).powi(2)).sum()
}

/// The rows of every node are collected again.
fn importance_is_that_of_the_definition<T: Labels + ConformanceTask>(
    of_classes: bool,
    label: impl Fn(&T::Target) -> f64,
) {
    let forest = forest::<T>(settings((None, 5, 1, 1), 0.5));
    let stream = Stream::<T>::uniform(ROWS, 3, 2);
    let rows = stream.features.outer_iter();
    let rows: Vec<_> = rows.map(|row| row.to_vec()).collect();
    let labels: Vec<f64> = stream.targets.iter().map(label).collect();
    let forest: &dyn OnlineLearner<Task = T> = &forest;
    let mut sums = [0.0; 3];
    for tree in (0..3).map(|index| forest.export(index).unwrap()) {
        let mut nodes = vec![(0, (0..ROWS).collect::<Vec<_>>())];
        while let Some((place, inside)) = nodes.pop() {
            let node = &tree.nodes[place];
            let Some((split, children)) = node.cut.as_ref().zip(node.children) else {
                continue;
            };
            let of = |inside: &[usize]| {
                let labels: Vec<f64> = inside.iter().map(|&row| labels[row]).collect();
                impurity(&labels, of_classes)
            };
            let is_left = |row: &usize| split.value(&rows[*row]) <= split.threshold;
            let (left, right): (Vec<_>, Vec<_>) = inside.iter().partition(|row| is_left(row));
            sums[split.normal[0].0] += of(&inside) - of(&left) - of(&right);
            nodes.extend(children.into_iter().zip([left, right]));
        }
    }
    let total: f64 = sums.iter().sum();
    let importances = forest.feature_importance().unwrap();
    for (own, sum) in importances.iter().zip(sums) {
        assert!((own - sum / total).abs() < 1e-9, "{own} {sums:?}");
    }
}

#[test]
fn importances_are_those_of_the_definition() {
    importance_is_that_of_the_definition::<Classification>(true, |&y| f64::from(y));
    importance_is_that_of_the_definition::<Regression>(false, |&number| number);
}

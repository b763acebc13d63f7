//! Leaves have their samples, and importances follow their definition.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use dynamic_forest::{DynamicSettings, DynamicTree, Labels};
use forest_core::{Classification, Forest, ForestSettings, OnlineLearner, Regression, Schema};
use forest_testing::conformance::{ConformanceTask, Stream};

const ROWS: usize = 400;

type Trees<T> = Forest<DynamicTree<T>>;

fn empty<T: Labels>(settings: DynamicSettings) -> Trees<T> {
    let trees = ForestSettings::default().with_trees(3).with_seed(4);
    Forest::new(Schema::new(3).unwrap(), settings, trees).unwrap()
}

fn forest<T: Labels + ConformanceTask>(recheck: f64) -> Trees<T> {
    let mut forest = empty(DynamicSettings {
        recheck,
        min_samples_split: 5,
        ..DynamicSettings::default()
    });
    Stream::<T>::uniform(ROWS, 3, 2)
        .teach(&mut forest, 0, ROWS)
        .unwrap();
    forest
}

/// Of three thresholds a feature the best is taken, and each side has its samples: trees that only grow.
#[test]
fn every_leaf_has_its_samples() {
    for recheck in [0.0, 0.5] {
        let mut forest = empty::<Regression>(DynamicSettings {
            recheck,
            min_samples_leaf: 7,
            thresholds: 3,
            ..DynamicSettings::default()
        });
        Stream::uniform(ROWS, 3, 2)
            .teach(&mut forest, 0, ROWS)
            .unwrap();
        for tree in 0..3 {
            let exported = forest.export(tree).unwrap();
            let mut leaves = exported.nodes.iter().filter(|node| node.children.is_none());
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

/// By the definition: the rows of every node are collected again.
fn importance<T: Labels>(
    forest: &dyn OnlineLearner<Task = T>,
    rows: &[Vec<f32>],
    labels: &[f64],
    gini: bool,
) -> Vec<f64> {
    let mut sums = vec![0.0; rows[0].len()];
    for tree in (0..3).map(|index| forest.export(index).unwrap()) {
        let mut nodes = vec![(0, (0..rows.len()).collect::<Vec<_>>())];
        while let Some((place, inside)) = nodes.pop() {
            let node = &tree.nodes[place];
            let Some((cut, children)) = node.cut.as_ref().zip(node.children) else {
                continue;
            };
            let of = |inside: &[usize]| {
                let labels: Vec<f64> = inside.iter().map(|&row| labels[row]).collect();
                impurity(&labels, gini)
            };
            let is_left = |row: &usize| cut.value(&rows[*row]) <= cut.threshold;
            let (left, right): (Vec<_>, Vec<_>) = inside.iter().partition(|row| is_left(row));
            sums[cut.normal[0].0] += of(&inside) - of(&left) - of(&right);
            nodes.extend(children.into_iter().zip([left, right]));
        }
    }
    let total: f64 = sums.iter().sum();
    sums.iter().map(|sum| sum / total).collect()
}

fn importance_is_that_of_the_definition<T: Labels + ConformanceTask>(
    recheck: f64,
    gini: bool,
    label: impl Fn(&T::Target) -> f64,
) {
    let forest = forest::<T>(recheck);
    let stream = Stream::<T>::uniform(ROWS, 3, 2);
    let rows = stream.features.rows().into_iter().map(|row| row.to_vec());
    let labels: Vec<f64> = stream.targets.iter().map(label).collect();
    let forest: &dyn OnlineLearner<Task = T> = &forest;
    let own = forest.feature_importance().unwrap();
    let expected = importance(forest, &rows.collect::<Vec<_>>(), &labels, gini);
    let mut pairs = own.iter().zip(&expected);
    assert!(
        pairs.all(|(a, b)| (a - b).abs() < 1e-9),
        "{own:?} {expected:?}"
    );
}

#[test]
fn importances_are_those_of_the_definition() {
    for recheck in [0.0, 0.5] {
        importance_is_that_of_the_definition::<Classification>(recheck, true, |&y| f64::from(y));
        importance_is_that_of_the_definition::<Regression>(recheck, false, |&number| number);
    }
}

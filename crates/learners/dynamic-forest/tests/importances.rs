//! Importances of features are those of the definition.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use dynamic_forest::{DynamicSettings, DynamicTree, Labels};
use forest_core::registry::{Explain, NamedTask};
use forest_core::{Classification, Forest, ForestSettings, OnlineLearner, Regression, Schema};
use forest_testing::conformance::{ConformanceTask, Stream};

const ROWS: usize = 400;

fn forest<T: Labels + NamedTask + ConformanceTask>(recheck: f64) -> Forest<DynamicTree<T>> {
    let trees = ForestSettings::default().with_trees(3).with_seed(4);
    let settings = DynamicSettings {
        recheck,
        min_samples_split: 5,
        ..DynamicSettings::default()
    };
    let mut forest = Forest::new(Schema::new(3).unwrap(), settings, trees).unwrap();
    Stream::<T>::uniform(ROWS, 3, 2)
        .teach(&mut forest, 0, ROWS)
        .unwrap();
    forest
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
fn importance(forest: &impl Explain, rows: &[Vec<f32>], labels: &[f64], gini: bool) -> Vec<f64> {
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

fn importance_is_that_of_the_definition<T>(
    recheck: f64,
    gini: bool,
    label: impl Fn(&T::Target) -> f64,
) where
    T: Labels + NamedTask + ConformanceTask,
{
    let forest = forest::<T>(recheck);
    let stream = Stream::<T>::uniform(ROWS, 3, 2);
    let rows: Vec<Vec<f32>> = stream
        .features
        .rows()
        .into_iter()
        .map(|row| row.to_vec())
        .collect();
    let labels: Vec<f64> = stream.targets.iter().map(label).collect();
    let own = forest.feature_importance().unwrap();
    let expected = importance(&forest, &rows, &labels, gini);
    let is_near = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-9;
    assert!(
        own.iter().zip(&expected).all(is_near),
        "{own:?} {expected:?}"
    );
    assert!((own.iter().sum::<f64>() - 1.0).abs() < 1e-12);
}

#[test]
fn importances_are_those_of_the_definition() {
    for recheck in [0.0, 0.5] {
        importance_is_that_of_the_definition::<Classification>(recheck, true, |&class| {
            f64::from(class)
        });
        importance_is_that_of_the_definition::<Regression>(recheck, false, |&number| number);
    }
}

#[test]
fn the_feature_that_targets_depend_on_is_the_most_important() {
    let settings = DynamicSettings::default();
    let mut forest = Forest::<DynamicTree<Regression>>::new(
        Schema::new(3).unwrap(),
        settings,
        ForestSettings::default(),
    )
    .unwrap();
    assert_eq!(forest.feature_importance().unwrap(), [0.0; 3]);
    let stream = Stream::<Regression>::uniform(ROWS, 3, 2);
    let middle: Vec<f64> = stream
        .features
        .column(1)
        .iter()
        .map(|&x| f64::from(x))
        .collect();
    forest.learn(stream.features.view(), &middle).unwrap();
    let importance = forest.feature_importance().unwrap();
    assert!(importance[1] > 0.9, "{importance:?}");
}

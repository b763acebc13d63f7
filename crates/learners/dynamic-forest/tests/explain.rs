//! Exported trees agree with predictions, and importances with their definition.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use dynamic_forest::{DynamicSettings, DynamicTree, Labels};
use forest_core::{
    Classification, Forest, ForestSettings, OnlineLearner, OnlineTree, Regression, Schema,
};
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

fn trees_say_what_they_do<T: Labels + ConformanceTask>(recheck: f64) {
    let forest = forest::<T>(recheck);
    let points = Stream::<T>::uniform(50, 3, 3).features;
    for (index, tree) in forest.trees().enumerate() {
        let exported = forest.export(index).unwrap();
        assert_eq!(exported.nodes.len(), 2 * tree.cuts() + 1);
        assert_eq!(exported.nodes[0].samples, ROWS as u64);
        for x in points.rows() {
            let x = x.to_slice().unwrap();
            let learner: &dyn OnlineLearner<Task = T> = &forest;
            let path = learner.decision_path(index, x).unwrap();
            let end = exported.leaf(x).unwrap();
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
fn exported_trees_say_what_trees_do() {
    for recheck in [0.0, 0.5] {
        trees_say_what_they_do::<Classification>(recheck);
        trees_say_what_they_do::<Regression>(recheck);
    }
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

#[test]
fn the_feature_that_targets_depend_on_is_the_most_important() {
    let mut forest = empty::<Regression>(DynamicSettings::default());
    let of = |learner: &dyn OnlineLearner<Task = Regression>| learner.feature_importance().unwrap();
    assert_eq!(of(&forest), [0.0; 3]);
    let stream = Stream::<Regression>::uniform(ROWS, 3, 2);
    let middle: Vec<f64> = stream
        .features
        .column(1)
        .iter()
        .map(|&x| f64::from(x))
        .collect();
    forest.learn(stream.features.view(), &middle).unwrap();
    let importance = of(&forest);
    assert!(importance[1] > 0.9, "{importance:?}");
}

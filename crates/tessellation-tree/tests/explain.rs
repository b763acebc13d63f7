//! Trees as data, and paths in words: both say what the tree does.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::num::NonZeroU32;

use forest_core::ndarray::Array2;
use forest_core::{
    Classification, DecisionPath, ExportedTree, Forest, ForestSettings, LabelSummary,
    OnlineLearner, OnlineTree, Regression, Schema,
};
use mondrian::{AxisCuts, MondrianTree, TessellationSettings};
use tessellation_tree::{
    ClassFrequencies, CutDistribution, CutSettings, GaussianHierarchy, KneserNey, LabelModel,
    LeafMeans, Side,
};

use crate::{AggregatedClasses, AggregatedMeans, TargetOf, uniform};

const FEATURES: usize = 3;

fn classes(rows: &Array2<f32>) -> Vec<u32> {
    let rows = rows.rows().into_iter();
    rows.map(|row| (4.0 * row[0] + row[1]) as u32).collect()
}

fn numbers(rows: &Array2<f32>) -> Vec<f64> {
    let first = rows.column(0);
    first.iter().map(|&x| (5.0 * f64::from(x)).sin()).collect()
}

/// Samples are held, or not.
fn forest<L: LabelModel>(
    rows: &Array2<f32>,
    targets: &[TargetOf<L>],
    bound: Option<u32>,
) -> Forest<MondrianTree<L>> {
    let settings = TessellationSettings {
        max_nodes: bound.and_then(NonZeroU32::new),
        ..mondrian::increasing(8.0, FEATURES)
    };
    let trees = ForestSettings::default().with_trees(4).with_seed(3);
    let schema = Schema::new(FEATURES).unwrap();
    let mut forest = Forest::<MondrianTree<L>>::new(schema, settings, trees).unwrap();
    forest.learn(rows.view(), targets).unwrap();
    forest
}

/// Nodes of the exported tree that hold row `x`, from the root on.
fn way(tree: &ExportedTree, x: &[f32]) -> Vec<usize> {
    let mut way = vec![0];
    while let Some((cut, children)) = {
        let node = &tree.nodes[way[way.len() - 1]];
        node.cut.as_ref().zip(node.children)
    } {
        way.push(children[usize::from(cut.value(x) > cut.threshold)]);
    }
    way
}

/// Every node counts just the rows that fall into it, whether samples are held or a full tree has the statistics of its
/// model alone.
fn nodes_count<L: LabelModel>(target: fn(&Array2<f32>) -> Vec<TargetOf<L>>, counts: bool) {
    let rows = uniform(300, FEATURES, 1);
    let targets = target(&rows);
    for bound in [None, Some(41)] {
        let forest = forest::<L>(&rows, &targets, bound);
        assert!(forest.trees().all(|tree| tree.is_full() == bound.is_some()));
        for (index, tree) in forest.trees().enumerate() {
            let exported = forest.export(index).unwrap();
            let mut held = vec![Vec::new(); exported.nodes.len()];
            for (row, x) in rows.rows().into_iter().enumerate() {
                for node in way(&exported, x.as_slice().unwrap()) {
                    held[node].push(row);
                }
            }
            assert_eq!(exported.nodes.len(), tree.footprint().nodes);
            for ((node, view), held) in exported.nodes.iter().zip(tree.walk()).zip(held) {
                assert_eq!((node.depth, node.birth), (view.depth, view.birth));
                assert_eq!(node.time, Some(view.time()));
                assert_eq!(node.cut.is_some(), !view.is_leaf());
                assert_eq!(node.samples, held.len() as u64);
                match &node.labels {
                    LabelSummary::Classes(own) => {
                        let mut expected = vec![0; own.len()];
                        for &row in &held {
                            expected[classes(&rows)[row] as usize] += 1;
                        }
                        assert!(counts && *own == expected);
                    }
                    LabelSummary::Numbers { samples, mean } => {
                        let sum: f64 = held.iter().map(|&row| numbers(&rows)[row]).sum();
                        assert!(!counts && *samples == held.len() as u64);
                        assert!((mean - sum / held.len() as f64).abs() < 1e-9);
                    }
                }
            }
        }
    }
}

#[test]
fn nodes_count_the_samples_that_fall_into_them() {
    nodes_count::<ClassFrequencies>(classes, true);
    nodes_count::<AggregatedClasses>(classes, true);
    nodes_count::<KneserNey>(classes, true);
    nodes_count::<LeafMeans>(numbers, false);
    nodes_count::<AggregatedMeans>(numbers, false);
    nodes_count::<GaussianHierarchy>(numbers, false);
}

#[test]
fn a_path_in_words_goes_the_way_of_the_point() {
    let rows = uniform(300, FEATURES, 1);
    for bound in [None, Some(41)] {
        let forest = forest::<ClassFrequencies>(&rows, &classes(&rows), bound);
        let learner: &dyn OnlineLearner<Task = Classification> = &forest;
        let cuts = AxisCuts::new(FEATURES, &CutSettings::default());
        for (index, tree) in forest.trees().enumerate() {
            let exported = forest.export(index).unwrap();
            for row in rows.rows() {
                let x = row.as_slice().unwrap();
                let path = learner.decision_path(index, x).unwrap();
                let way = way(&exported, x);
                assert_eq!(path.steps.len(), way.len() - 1);
                for ((step, node), &place) in path.steps.iter().zip(tree.nodes_above(x)).zip(&way) {
                    let (cut, time) = node.cut().unwrap();
                    let left = cuts.side(&cut, x) == Side::Left;
                    assert_eq!([step.holds, step.value <= step.cut.threshold], [left; 2]);
                    assert_eq!(
                        (step.time, step.samples),
                        (Some(time), exported.nodes[place].samples)
                    );
                }
                let leaf = &exported.nodes[*way.last().unwrap()];
                assert_eq!((path.samples, &path.labels), (leaf.samples, &leaf.labels));
                let mut prediction = vec![0.0; 5];
                tree.vote(x, &forest.context(), &mut prediction);
                assert_eq!(path.prediction, prediction);
                the_words_say_it(&path.to_string(), &path);
            }
        }
    }
}

/// Every line names the feature, the value and the threshold, on their sides of the comparison.
fn the_words_say_it(words: &str, path: &DecisionPath) {
    let lines: Vec<&str> = words.lines().collect();
    assert_eq!(lines.len(), path.steps.len() + 1);
    for (line, step) in lines.iter().zip(&path.steps) {
        let (inequality, _) = line.split_once(" (cut at time ").unwrap();
        let comparison = if step.holds { " ≤ " } else { " > " };
        let (left, threshold) = inequality.split_once(comparison).unwrap();
        let (name, value) = left.split_once(" = ").unwrap();
        assert_eq!(name, format!("x{}", step.cut.normal[0].0));
        let number = |text: &str| text.replace('−', "-").parse::<f64>().unwrap();
        assert!((number(value) - step.value).abs() < 1e-3);
        assert_eq!(number(value) <= number(threshold), step.holds, "{line}");
        assert!(
            line.ends_with(&format!("; {} samples)", step.samples)),
            "{line}"
        );
    }
    assert!(lines[lines.len() - 1].starts_with(&format!("leaf of {} sample", path.samples)));
}

#[test]
fn a_point_that_does_not_fit_has_no_path_and_an_empty_forest_an_empty_one() {
    let rows = uniform(30, FEATURES, 1);
    let full = forest::<ClassFrequencies>(&rows, &classes(&rows), None);
    let full: &dyn OnlineLearner<Task = Classification> = &full;
    assert!(full.decision_path(0, &[0.5]).is_err() && full.export(4).is_err());
    assert!(full.decision_path(0, &[0.5, f32::NAN, 0.5]).is_err());
    assert!(full.decision_path(9, &[0.5, 0.5, 0.5]).is_err());
    let empty = forest::<LeafMeans>(&uniform(0, FEATURES, 1), &[], None);
    let empty: &dyn OnlineLearner<Task = Regression> = &empty;
    let path = empty.decision_path(0, &[0.5; 3]).unwrap();
    assert_eq!(
        (path.steps.len(), path.samples, path.prediction),
        (0, 0, vec![0.0])
    );
    assert_eq!(empty.export(0).unwrap().nodes, []);
}

//! Trees as data, paths in words, and what features gain: all of them say what the tree does.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeSet;
use std::num::NonZeroU32;

use forest_core::ndarray::Array2;
use forest_core::registry::{ExportedTree, LabelSummary};
use forest_core::{Forest, ForestSettings, OnlineLearner, OnlineTree, Schema, TreeRng};
use mondrian::{
    AxisCuts, AxisWeights, Classification, MondrianClassifier, MondrianRegressor, MondrianSettings,
    MondrianTree, Regression,
};
use tessellation_tree::{
    AggregatedClasses, AggregatedMeans, ClassFrequencies, GaussianHierarchy, KneserNey, LeafMeans,
};
use tessellation_tree::{CutDistribution, LabelModel, LabelSettings, Side};

use crate::TargetOf;

const FEATURES: usize = 3;

fn rows(count: usize, seed: u64) -> Array2<f32> {
    let mut rng = TreeRng::new(seed, 0);
    Array2::from_shape_fn((count, FEATURES), |_| rng.uniform() as f32)
}

/// Depends on feature 0 alone.
fn of_first(rows: &Array2<f32>) -> Vec<f64> {
    let first = rows.column(0);
    first.iter().map(|&x| (5.0 * f64::from(x)).sin()).collect()
}

fn classes(rows: &Array2<f32>) -> Vec<u32> {
    let class = |row: forest_core::ndarray::ArrayView1<'_, f32>| (4.0 * row[0] + row[1]) as u32;
    rows.rows().into_iter().map(class).collect()
}

fn settings<L: LabelSettings>(max_nodes: Option<u32>) -> MondrianSettings<L> {
    MondrianSettings {
        max_nodes: max_nodes.and_then(NonZeroU32::new),
        ..mondrian::increasing(8.0, FEATURES)
    }
}

fn trees(trees: usize) -> ForestSettings {
    ForestSettings::default().with_trees(trees).with_seed(3)
}

fn regressor(rows: &Array2<f32>, targets: &[f64], max_nodes: Option<u32>) -> MondrianRegressor {
    let schema = Schema::<Regression>::new(FEATURES).unwrap();
    let mut forest = Forest::new(schema, settings(max_nodes), trees(4)).unwrap();
    forest.learn(rows.view(), targets).unwrap();
    forest
}

fn classifier(rows: &Array2<f32>, max_nodes: Option<u32>) -> MondrianClassifier {
    let schema = Schema::<Classification>::new(FEATURES).unwrap();
    let mut forest = Forest::new(schema, settings(max_nodes), trees(4)).unwrap();
    forest.learn(rows.view(), &classes(rows)).unwrap();
    forest
}

/// Whether samples are held or not.
const BOUNDS: [Option<u32>; 2] = [None, Some(41)];

/// Nodes of the exported tree that hold row `x`, from the root on.
fn way(tree: &ExportedTree, x: &[f32]) -> Vec<usize> {
    let mut way = vec![0];
    while let Some((cut, children)) = {
        let node = &tree.nodes[way[way.len() - 1]];
        node.cut.as_ref().zip(node.children)
    } {
        let right = cut.value(x) > cut.threshold;
        way.push(children[usize::from(right)]);
    }
    way
}

#[test]
fn json_parses_back_to_the_tree() {
    let rows = rows(300, 1);
    for bound in BOUNDS {
        let forest = classifier(&rows, bound);
        for (index, tree) in forest.trees().enumerate() {
            let exported = forest.export(index).unwrap();
            let parsed: ExportedTree = serde_json::from_str(&exported.to_json()).unwrap();
            assert_eq!(parsed, exported);
            assert_eq!(parsed.leaves(), tree.leaves().count());
            assert_eq!(parsed.nodes.len(), tree.footprint().nodes);
            for (node, view) in parsed.nodes.iter().zip(tree.walk()) {
                assert_eq!((node.depth, node.birth), (view.depth, view.birth));
                assert_eq!(node.time.unwrap(), view.time());
                assert_eq!(node.cut.is_none(), view.is_leaf());
            }
        }
    }
}

/// Every node counts just the rows that fall into it.
#[test]
fn nodes_count_the_samples_that_fall_into_them() {
    let rows = rows(300, 1);
    let classes = classes(&rows);
    let numbers = of_first(&rows);
    for bound in BOUNDS {
        let (forest, means) = (classifier(&rows, bound), regressor(&rows, &numbers, bound));
        let (tree, numbered) = (forest.export(1).unwrap(), means.export(1).unwrap());
        let mut counts = vec![vec![0u64; 5]; tree.nodes.len()];
        let mut sums = vec![(0u64, 0.0); numbered.nodes.len()];
        for ((row, &class), target) in rows.rows().into_iter().zip(&classes).zip(&numbers) {
            let x = row.as_slice().unwrap();
            for node in way(&tree, x) {
                counts[node][class as usize] += 1;
            }
            for node in way(&numbered, x) {
                sums[node] = (sums[node].0 + 1, sums[node].1 + target);
            }
        }
        for (node, counts) in tree.nodes.iter().zip(counts) {
            let LabelSummary::Classes(own) = &node.labels else {
                panic!("classes have counts");
            };
            assert_eq!(own[..], counts[..own.len()]);
            assert_eq!(node.samples, counts.iter().sum::<u64>());
        }
        for (node, (count, sum)) in numbered.nodes.iter().zip(sums) {
            let LabelSummary::Numbers { samples, mean } = node.labels else {
                panic!("numbers have a mean");
            };
            assert_eq!((samples, node.samples), (count, count));
            assert!((mean - sum / count as f64).abs() < 1e-9);
        }
    }
}

/// Labels of the root of a full tree, whose model counts.
fn of_all<L: LabelModel>(rows: &Array2<f32>, targets: &[TargetOf<L>]) -> LabelSummary {
    let schema = Schema::<L::Task>::new(FEATURES).unwrap();
    let settings = MondrianSettings::<L::Settings> {
        max_nodes: NonZeroU32::new(41),
        ..MondrianSettings::default()
    };
    let mut forest = Forest::<MondrianTree<L>>::new(schema, settings, trees(1)).unwrap();
    forest.learn(rows.view(), targets).unwrap();
    assert!(forest.trees().all(|tree| tree.is_full()));
    forest.export(0).unwrap().nodes.swap_remove(0).labels
}

#[test]
fn full_trees_of_every_label_model_tell_the_labels_of_all_samples() {
    let rows = rows(300, 1);
    let mut counts = vec![0; 5];
    classes(&rows)
        .iter()
        .for_each(|&class| counts[class as usize] += 1);
    for own in [
        of_all::<ClassFrequencies>(&rows, &classes(&rows)),
        of_all::<AggregatedClasses>(&rows, &classes(&rows)),
        of_all::<KneserNey>(&rows, &classes(&rows)),
    ] {
        assert_eq!(own, LabelSummary::Classes(counts.clone()));
    }
    let expected = of_first(&rows).iter().sum::<f64>() / 300.0;
    for own in [
        of_all::<LeafMeans>(&rows, &of_first(&rows)),
        of_all::<AggregatedMeans>(&rows, &of_first(&rows)),
        of_all::<GaussianHierarchy>(&rows, &of_first(&rows)),
    ] {
        let LabelSummary::Numbers { samples, mean } = own else {
            panic!("numbers have a mean");
        };
        assert_eq!(samples, 300);
        assert!((mean - expected).abs() < 1e-9, "{mean} {expected}");
    }
}

#[test]
fn a_depth_limit_leaves_out_what_is_deeper() {
    let forest = classifier(&rows(300, 1), None);
    let whole = forest.export(0).unwrap();
    for depth in 0..6 {
        let tree = forest.export(0).unwrap().down_to(depth);
        let kept = whole.nodes.iter().filter(|node| node.depth <= depth);
        assert_eq!(tree.nodes.len(), kept.clone().count());
        for (node, whole) in tree.nodes.iter().zip(kept) {
            assert_eq!((&node.labels, &node.cut), (&whole.labels, &whole.cut));
            assert_eq!(
                node.children.is_some(),
                whole.cut.is_some() && node.depth < depth
            );
            for child in node.children.into_iter().flatten() {
                assert_eq!(tree.nodes[child].depth, node.depth + 1);
                assert_eq!(Some(tree.nodes[child].birth), node.time);
            }
        }
    }
    assert!(forest.export(4).is_err());
    let empty = regressor(&rows(0, 1), &[], None);
    assert_eq!(empty.export(0).unwrap().nodes, []);
}

#[test]
fn dot_contains_each_node_once_and_an_edge_to_each_child() {
    let forest = classifier(&rows(300, 1), None);
    let tree = forest.export(0).unwrap().down_to(5);
    let tree = tree.named(&["with \"quotes\"", "back\\slash"].map(str::to_owned), &[]);
    let dot = tree.to_dot();
    let (mut nodes, mut edges) = (BTreeSet::new(), BTreeSet::new());
    let body = dot.strip_prefix("digraph tree {\n    node [shape=box];\n");
    for line in body.unwrap().strip_suffix("}\n").unwrap().lines() {
        let (name, rest) = line.trim().split_once(" [label=\"").unwrap();
        // A quote that is not escaped would end the label before its bracket.
        let text = rest.strip_suffix("];").unwrap();
        let text = text.strip_suffix(", style=dashed").unwrap_or(text);
        let text = text.strip_suffix('"').unwrap();
        assert!(
            !text.replace("\\\\", "").replace("\\\"", "").contains('"'),
            "{text}"
        );
        match name.split_once(" -> ") {
            Some((from, to)) => assert!(edges.insert((from.to_owned(), to.to_owned()))),
            None => assert!(nodes.insert(name.to_owned())),
        }
    }
    let expected: BTreeSet<_> = (0..tree.nodes.len()).map(|k| format!("n{k}")).collect();
    assert_eq!(nodes, expected);
    assert_eq!(edges.len(), tree.nodes.len() - 1);
    assert!(dot.contains("with \\\"quotes\\\" ≤ ") && dot.contains("back\\\\slash ≤ "));
    assert!(dot.contains("style=dashed"));
}

#[test]
fn a_path_in_words_goes_the_way_of_the_point() {
    let rows = rows(300, 1);
    for bound in BOUNDS {
        let forest = classifier(&rows, bound);
        let cuts = AxisCuts::new(FEATURES, &AxisWeights::Equal);
        let learner: &dyn OnlineLearner<Task = Classification> = &forest;
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
                    assert_eq!(step.holds, left);
                    assert_eq!(step.holds, step.value <= step.cut.threshold);
                    assert_eq!(step.time, Some(time));
                    assert_eq!(step.samples, exported.nodes[place].samples);
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
fn the_words_say_it(words: &str, path: &forest_core::registry::DecisionPath) {
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
        let samples = format!("; {} samples)", step.samples);
        assert!(line.ends_with(&samples), "{line}");
    }
    assert!(lines[lines.len() - 1].starts_with(&format!("leaf of {} sample", path.samples)));
}

#[test]
fn a_point_that_does_not_fit_has_no_path() {
    let forest = classifier(&rows(30, 1), None);
    let forest: &dyn OnlineLearner<Task = Classification> = &forest;
    assert!(forest.decision_path(0, &[0.5]).is_err());
    assert!(forest.decision_path(0, &[0.5, f32::NAN, 0.5]).is_err());
    assert!(forest.decision_path(9, &[0.5, 0.5, 0.5]).is_err());
    let empty = regressor(&rows(0, 1), &[], None);
    let empty: &dyn OnlineLearner<Task = Regression> = &empty;
    let path = empty.decision_path(0, &[0.5; 3]).unwrap();
    assert_eq!(
        (path.steps.len(), path.samples, path.prediction),
        (0, 0, vec![0.0])
    );
}

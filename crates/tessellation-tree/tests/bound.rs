//! A bound on the nodes of a tree: below it nothing changes, at it only statistics do, in constant memory.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::num::NonZeroU32;

use forest_core::ndarray::{Array2, s};
use forest_core::{Forest, ForestSettings, OnlineLearner, OnlineTree, Refused, Retention, Schema};
use mondrian::{
    MondrianRegressor, MondrianTree, TessellationSettings, fixed, increasing, snapshot,
};
use tessellation_tree::{ClassFrequencies, LabelModel, LeafMeans};

use crate::{AggregatedClasses, AggregatedMeans, TargetOf, uniform};

fn numbers(rows: &Array2<f32>) -> Vec<f64> {
    let rows = rows.rows().into_iter();
    rows.map(|row| f64::from(row[0] * 3.0 - row[1])).collect()
}

fn classes(rows: &Array2<f32>) -> Vec<u32> {
    let rows = rows.rows().into_iter();
    rows.map(|row| (7.0 * row[0] * row[1]) as u32 % 3).collect()
}

/// Three trees of at most that many nodes.
fn forest<L: LabelModel>(most: u32, settings: &TessellationSettings) -> Forest<MondrianTree<L>> {
    let mut settings = settings.clone();
    settings.max_nodes = NonZeroU32::new(most);
    let trees = ForestSettings::default().with_trees(3).with_seed(5);
    Forest::new(Schema::new(2).unwrap(), settings, trees).unwrap()
}

/// Of that many samples.
fn learned(most: u32, settings: &TessellationSettings, samples: usize) -> MondrianRegressor {
    let mut forest = forest(most, settings);
    let rows = uniform(samples, 2, 1);
    forest.learn(rows.view(), &numbers(&rows)).unwrap();
    forest
}

fn is_full(forest: &MondrianRegressor) -> bool {
    forest.trees().all(|tree| tree.is_full())
}

fn stays_within<L: LabelModel>(
    most: u32,
    settings: &TessellationSettings,
    rows: &Array2<f32>,
    targets: &[TargetOf<L>],
) {
    let mut forest = forest::<L>(most, settings);
    let most = most as usize;
    for (row, &target) in rows.rows().into_iter().zip(targets) {
        forest.learn_one(row.as_slice().unwrap(), target).unwrap();
        forest.check_invariants().unwrap();
        for tree in forest.trees() {
            let nodes = tree.footprint().nodes;
            assert!(nodes <= most, "{nodes} of {most}");
            assert_eq!(tree.is_full(), nodes + 2 > most);
            assert_eq!(tree.is_empty(), tree.is_full());
        }
        let all_full = forest.trees().all(|tree| tree.is_full());
        assert_eq!(forest.samples().is_empty(), all_full);
    }
}

/// With settings that differ in when leaves are cut, and how far.
#[test]
fn nodes_never_exceed_the_bound() {
    let rows = uniform(300, 2, 1);
    let small = TessellationSettings {
        max_uncut: 3,
        ..TessellationSettings::default()
    };
    let usual = TessellationSettings::default();
    let all = [
        usual,
        fixed(3.0),
        fixed(f64::INFINITY),
        increasing(8.0, 2),
        small,
    ];
    for settings in all {
        for most in [1, 2, 3, 4, 9, 50] {
            stays_within::<LeafMeans>(most, &settings, &rows, &numbers(&rows));
            stays_within::<ClassFrequencies>(most, &settings, &rows, &classes(&rows));
            stays_within::<AggregatedMeans>(most, &settings, &rows, &numbers(&rows));
            stays_within::<AggregatedClasses>(most, &settings, &rows, &classes(&rows));
        }
    }
    // Equal points pile up in a leaf; the first one that differs brings many cuts at once.
    let mut rows = uniform(200, 2, 2);
    rows.slice_mut(s![..150, 0]).fill(0.5);
    rows.slice_mut(s![..150, 1]).fill(0.25);
    let mut targets = vec![1.0; 200];
    targets[180..].fill(2.0);
    for most in [3, 8, 21] {
        stays_within::<LeafMeans>(most, &fixed(f64::INFINITY), &rows, &targets);
    }
}

/// Mean of the targets of all samples that fall into the leaf of a query, recounted.
#[test]
fn the_means_of_a_full_tree_are_those_of_all_its_samples() {
    let rows = uniform(5000, 2, 1);
    let queries = uniform(100, 2, 6);
    let targets = numbers(&rows);
    for most in [1, 9, 200] {
        let forest = learned(most, &TessellationSettings::default(), 5000);
        assert!(is_full(&forest));
        let trees = forest.trees();
        let queries = trees.flat_map(|tree| queries.rows().into_iter().map(move |x| (tree, x)));
        for (tree, query) in queries {
            let x = query.as_slice().unwrap();
            let leaf = tree.leaf_at(x);
            let mut count = 0.0;
            let mut sum = 0.0;
            for (row, target) in rows.rows().into_iter().zip(&targets) {
                if tree.leaf_at(row.as_slice().unwrap()) == leaf {
                    count += 1.0;
                    sum += target;
                }
            }
            let mut prediction = [0.0];
            tree.vote(x, &forest.context(), &mut prediction);
            let near = (prediction[0] - sum / count).abs() < 1e-9;
            assert!(near, "{prediction:?}, not {sum}/{count}");
        }
    }
}

/// Refining exposes leaves that no sample has visited lately: it ends at the bound, too, and changes nothing of a full
/// tree.
#[test]
fn refining_stops_at_the_bound() {
    let mut forest = learned(9, &increasing(1.0, 2), 2000);
    assert!(is_full(&forest));
    let before = snapshot::encode_value(&forest).unwrap();
    forest.refine().unwrap();
    forest.refine_to(1e9);
    assert_eq!(snapshot::encode_value(&forest).unwrap(), before);
    let mut forest = learned(31, &fixed(0.5), 100);
    assert!(forest.trees().all(|tree| !tree.is_full()));
    forest.refine_to(1e9);
    forest.check_invariants().unwrap();
    assert!(is_full(&forest));
}

const RULE: &str = "max_nodes must be unlimited where samples are forgotten, since a full tree holds none, but is 9";

#[test]
fn a_bound_and_forgetting_rule_each_other_out() {
    let usual = TessellationSettings::default();
    let settings = TessellationSettings {
        max_nodes: NonZeroU32::new(9),
        ..usual.clone()
    };
    let trees = ForestSettings::default().with_retention(Retention::Latest(5));
    let refused = MondrianRegressor::new(Schema::new(2).unwrap(), settings, trees);
    assert_eq!(refused.unwrap_err().to_string(), RULE);
    for mut forest in [learned(9, &usual, 1), learned(9, &usual, 100)] {
        let before = snapshot::encode_value(&forest).unwrap();
        let error = forest.forget(0).unwrap_err();
        assert!(matches!(error, Refused::Cannot(_)), "{error}");
        assert!(error.to_string().contains(RULE), "{error}");
        let error = forest.keep_latest(5).unwrap_err().to_string();
        assert!(error.contains(RULE), "{error}");
        assert_eq!(snapshot::encode_value(&forest).unwrap(), before);
    }
}

/// A full tree holds no samples, so none is looked at ahead, however large it is.
#[test]
fn a_full_tree_that_no_cache_holds_learns_on_in_batches() {
    let mut forest = learned(200_000, &TessellationSettings::default(), 120_000);
    assert!(is_full(&forest) && forest.footprint().bytes > forest_core::LARGER_THAN_A_CACHE);
    let rows = uniform(100, 2, 1);
    forest.learn(rows.view(), &numbers(&rows)).unwrap();
    forest.check_invariants().unwrap();
}

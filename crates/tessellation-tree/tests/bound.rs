//! A bound on the nodes of a tree: below it nothing changes, at it only statistics do, in constant memory.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::num::NonZeroU32;

use forest_core::ndarray::{Array2, s};
use forest_core::{
    Forest, ForestSettings, OnlineLearner, OnlineTree, Refused, Retention, Schema, TreeRng,
};
use mondrian::{
    MondrianRegressor, MondrianTree, Regression, TessellationSettings, fixed, increasing, snapshot,
};
use tessellation_tree::LeafMeans;
use tessellation_tree::{AggregatedClasses, AggregatedMeans, ClassFrequencies, LabelModel};

fn three_trees() -> ForestSettings {
    ForestSettings::default().with_trees(3).with_seed(5)
}

fn rows(count: usize, seed: u64) -> Array2<f32> {
    let mut rng = TreeRng::new(seed, 0);
    Array2::from_shape_fn((count, 2), |_| rng.uniform() as f32)
}

fn numbers(rows: &Array2<f32>) -> Vec<f64> {
    let target = |row: forest_core::ndarray::ArrayView1<'_, f32>| f64::from(row[0] * 3.0 - row[1]);
    rows.rows().into_iter().map(target).collect()
}

fn classes(rows: &Array2<f32>) -> Vec<u32> {
    let class = |row: forest_core::ndarray::ArrayView1<'_, f32>| (7.0 * row[0] * row[1]) as u32 % 3;
    rows.rows().into_iter().map(class).collect()
}

fn bounded(most: u32, settings: TessellationSettings) -> TessellationSettings {
    let max_nodes = NonZeroU32::new(most);
    TessellationSettings {
        max_nodes,
        ..settings
    }
}

fn regressor(settings: TessellationSettings) -> MondrianRegressor {
    Forest::new(Schema::new(2).unwrap(), settings, three_trees()).unwrap()
}

fn full_regressor(most: u32, samples: usize) -> MondrianRegressor {
    let mut forest = regressor(bounded(most, TessellationSettings::default()));
    let rows = rows(samples, 1);
    forest.learn(rows.view(), &numbers(&rows)).unwrap();
    assert!(forest.trees().all(|tree| tree.is_full()));
    forest
}

/// Returns the settings that differ in when leaves are cut, and how far.
fn kinds() -> Vec<TessellationSettings> {
    let max_uncut = 3;
    vec![
        TessellationSettings::default(),
        fixed(3.0),
        fixed(f64::INFINITY),
        increasing(8.0, 2),
        TessellationSettings {
            max_uncut,
            ..TessellationSettings::default()
        },
    ]
}

fn stays_within<L: LabelModel>(
    most: u32,
    kind: usize,
    rows: &Array2<f32>,
    targets: &[<L::Task as forest_core::Task>::Target],
) {
    let settings = bounded(most, kinds().swap_remove(kind));
    let most = most as usize;
    let schema = Schema::new(2).unwrap();
    let mut forest: Forest<MondrianTree<L>> = Forest::new(schema, settings, three_trees()).unwrap();
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

#[test]
fn nodes_never_exceed_the_bound() {
    let rows = rows(300, 1);
    let (numbers, classes) = (numbers(&rows), classes(&rows));
    for most in [1, 2, 3, 4, 9, 50] {
        for kind in 0..5 {
            stays_within::<LeafMeans>(most, kind, &rows, &numbers);
            stays_within::<ClassFrequencies>(most, kind, &rows, &classes);
            stays_within::<AggregatedMeans>(most, kind, &rows, &numbers);
            stays_within::<AggregatedClasses>(most, kind, &rows, &classes);
        }
    }
}

/// Equal points pile up in a leaf; the first one that differs brings many cuts at once.
#[test]
fn a_leaf_that_is_cut_at_once_stops_at_the_bound() {
    let mut rows = rows(200, 2);
    rows.slice_mut(s![..150, 0]).fill(0.5);
    rows.slice_mut(s![..150, 1]).fill(0.25);
    let mut targets = vec![1.0; 200];
    targets[180..].fill(2.0);
    for most in [3, 8, 21] {
        stays_within::<LeafMeans>(most, 2, &rows, &targets);
    }
}

/// Mean of the targets of all samples that fall into the leaf of a query, recounted.
#[test]
fn the_means_of_a_full_tree_are_those_of_all_its_samples() {
    let (rows, queries) = (rows(5000, 1), rows(100, 6));
    let targets = numbers(&rows);
    for most in [1, 9, 200] {
        let forest = full_regressor(most, 5000);
        for tree in forest.trees() {
            let context = forest.context();
            for query in queries.rows() {
                let leaf = tree.leaf_at(query.as_slice().unwrap());
                let together = |row: &[f32]| tree.leaf_at(row) == leaf;
                let inside = rows.rows().into_iter().zip(&targets);
                let inside = inside.filter(|(row, _)| together(row.as_slice().unwrap()));
                let inside: Vec<f64> = inside.map(|(_, target)| *target).collect();
                let mean = inside.iter().sum::<f64>() / inside.len() as f64;
                let mut prediction = [0.0];
                let x = query.as_slice().unwrap();
                tree.vote(x, &context, &mut prediction);
                assert!(
                    (prediction[0] - mean).abs() < 1e-9,
                    "{prediction:?}, not {mean}"
                );
            }
        }
    }
}

#[test]
fn refining_a_full_tree_changes_nothing() {
    let settings = bounded(9, increasing(1.0, 2));
    let mut forest = regressor(settings);
    let rows = rows(2000, 8);
    forest.learn(rows.view(), &numbers(&rows)).unwrap();
    assert!(forest.trees().all(|tree| tree.is_full()));
    let before = snapshot::encode_value(&forest).unwrap();
    forest.refine().unwrap();
    forest.refine_to(1e9);
    assert_eq!(snapshot::encode_value(&forest).unwrap(), before);
}

/// Refining exposes leaves that no sample has visited lately: it ends at the bound, too.
#[test]
fn refining_stops_at_the_bound() {
    let mut forest = regressor(bounded(31, fixed(0.5)));
    let rows = rows(100, 8);
    forest.learn(rows.view(), &numbers(&rows)).unwrap();
    assert!(forest.trees().all(|tree| !tree.is_full()));
    forest.refine_to(1e9);
    forest.check_invariants().unwrap();
    assert!(forest.trees().all(|tree| tree.is_full()));
}

const RULE: &str = "max_nodes must be unlimited where samples are forgotten, since a full tree holds none, but is 9";

#[test]
fn a_bound_and_forgetting_rule_each_other_out() {
    let settings = bounded(9, TessellationSettings::default());
    let trees = three_trees().with_retention(Retention::Latest(5));
    let schema = Schema::<Regression>::new(2).unwrap();
    let refused = MondrianRegressor::new(schema, settings, trees);
    assert_eq!(refused.unwrap_err().to_string(), RULE);
    let mut young = regressor(bounded(9, TessellationSettings::default()));
    young.learn_one(&[0.5, 0.5], 1.0).unwrap();
    for mut forest in [young, full_regressor(9, 100)] {
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
    let settings = bounded(200_000, TessellationSettings::default());
    let one = ForestSettings::default().with_trees(1);
    let mut forest: MondrianRegressor =
        Forest::new(Schema::new(2).unwrap(), settings, one).unwrap();
    let rows = rows(120_000, 1);
    forest.learn(rows.view(), &numbers(&rows)).unwrap();
    assert!(forest.trees().all(|tree| tree.is_full()));
    assert!(forest.footprint().bytes > forest_core::LARGER_THAN_A_CACHE);
    forest
        .learn(rows.slice(s![..100, ..]), &numbers(&rows)[..100])
        .unwrap();
    forest.check_invariants().unwrap();
}

//! Whatever arrived and left, in any order: the tree is the batch tree of its samples, bit for bit.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use dynamic_forest::{DynamicSettings, DynamicTree, Labels, ReadingTree};
use forest_core::{
    Classification, Forest, ForestSettings, OnlineLearner, OnlineTree, Regression, SampleWeight,
    Schema, TreeRng, category,
};
use ndarray::Array2;

use crate::streams::{Drawn, come_and_go, forest, mixed, numbers, settings, splits};

type Tree<T> = DynamicTree<T>;
type Trees<T> = Forest<DynamicTree<T>>;

fn exact() -> DynamicSettings {
    settings((None, 2, 1, 1), 0.0)
}

const VARIANTS: [(Option<u32>, u32, u32, u32); 6] = [
    (None, 2, 1, 1),
    (Some(1), 2, 1, 1),
    (Some(9), 5, 1, 1),
    (None, 2, 3, 1),
    (None, 2, 12, 3),
    (None, 60, 1, 1),
];

fn one(_: &mut TreeRng, _: usize) -> f64 {
    1.0
}

/// Weights of all sizes and numbers of digits; ones come first.
fn any_weight(rng: &mut TreeRng, time: usize) -> f64 {
    match rng.below(if time < 40 { 1 } else { 6 }) {
        0 => 1.0,
        1 => 1.0 + rng.below(5) as f64,
        2 => 0.5f64.powi(rng.below(20) as i32),
        3 => rng.uniform() + 0.001,
        4 => rng.uniform() * (SampleWeight::MAX - 1.0) + 1.0,
        _ => [SampleWeight::MIN, SampleWeight::MAX][rng.below(2)],
    }
}

/// Lets samples of all three kinds of trees come and go.
fn all_come_and_go(seed: u64, width: usize, settings: &DynamicSettings, steps: usize, draw: Draw) {
    come_and_go::<Tree<Classification>>(seed, width, settings, steps, draw, one);
    come_and_go::<Tree<Regression>>(seed, width, settings, steps, draw, one);
    come_and_go::<ReadingTree>(seed, width, settings, steps * 2 / 3, draw, one);
}

type Draw = fn(&mut TreeRng, usize) -> Vec<f32>;

#[test]
fn an_exact_tree_is_the_batch_tree_after_every_step() {
    for (seed, variant) in (0..).zip(VARIANTS) {
        for width in [1, 3, 9] {
            all_come_and_go(seed, width, &settings(variant, 0.0), 600, numbers);
        }
    }
}

#[test]
fn a_lazy_tree_holds_together_after_every_step() {
    for (seed, variant) in (0..).zip(VARIANTS) {
        for recheck in [1e-9, 0.1, 0.5, 1.0] {
            all_come_and_go(seed, 7, &settings(variant, recheck), 400, numbers);
        }
    }
}

#[test]
fn trees_of_missing_values_and_categories_are_those_of_their_set() {
    let variants = [(None, 2, 1, 1), (Some(1), 2, 1, 2), (Some(9), 2, 3, 3)];
    for (seed, variant) in (0..).zip(variants) {
        for recheck in [0.0, 0.4] {
            for width in [2, 5, 7] {
                all_come_and_go(seed, width, &settings(variant, recheck), 500, mixed);
            }
        }
    }
}

#[test]
fn trees_of_weighted_samples_are_those_of_their_set() {
    let variants = [(None, 2, 1, 1), (Some(9), 5, 1, 1), (None, 2, 3, 2)];
    for (seed, variant) in (0..).zip(variants) {
        for settings in [0.0, 0.5].map(|recheck| settings(variant, recheck)) {
            for width in [1, 3, 9] {
                let weight = any_weight;
                come_and_go::<Tree<Classification>>(seed, width, &settings, 400, numbers, weight);
                come_and_go::<Tree<Regression>>(seed, width, &settings, 400, numbers, weight);
            }
        }
    }
}

/// Many samples with one target, and one with another that comes and goes at every place among them.
fn the_only_other_goes<T: Labels>(targets: [T::Target; 2]) {
    let mut rng = TreeRng::new(8, 0);
    for other in 0..60 {
        let trees = ForestSettings::default().with_trees(2).with_seed(other);
        let mut forest = Trees::<T>::new(Schema::new(3).unwrap(), exact(), trees).unwrap();
        for row in 0..60 {
            let target = targets[usize::from(row == other)];
            forest.learn_one(&numbers(&mut rng, 3), target).unwrap();
        }
        assert!(splits(&forest) > 0);
        forest.forget(other).unwrap();
        forest.check_invariants().unwrap();
        assert_eq!(splits(&forest), 0);
    }
}

#[test]
fn samples_that_become_equal_are_a_leaf() {
    the_only_other_goes::<Classification>([0, 1]);
    the_only_other_goes::<Regression>([1.5, -7.0]);
}

fn sample<T: Drawn>(rows: usize, seed: u64) -> (Array2<f32>, Vec<T::Target>) {
    let mut rng = TreeRng::new(seed, 0);
    let mut all = Vec::new();
    let mut targets = Vec::new();
    for time in 0..rows {
        let x = mixed(&mut rng, 7);
        targets.push(T::draw(&mut rng, &x, time));
        all.extend(x);
    }
    (Array2::from_shape_vec((rows, 7), all).unwrap(), targets)
}

fn exported_trees_predict<T: Labels + Drawn>() {
    let (rows, targets) = sample::<T>(400, 3);
    let mut forest: Trees<T> = forest(7, &exact());
    forest.learn(rows.view(), &targets).unwrap();
    for (index, tree) in forest.trees().enumerate() {
        let exported = forest.export(index).unwrap();
        for x in sample::<T>(300, 4).0.outer_iter() {
            let x = x.as_slice().unwrap();
            let mut prediction = vec![0.0; OnlineLearner::schema(&forest).width()];
            tree.vote(x, &forest.context(), &mut prediction);
            assert_eq!(exported.leaf(x).unwrap().prediction, prediction);
        }
    }
}

#[test]
fn exported_trees_send_missing_values_and_categories_where_trees_do() {
    exported_trees_predict::<Classification>();
    exported_trees_predict::<Regression>();
}

/// Whether a value is there may be all there is to learn; so may which of two categories it is, or of forty.
#[test]
fn what_is_missing_and_which_category_it_is_are_learned() {
    type Rule = (fn(u32) -> f32, fn(u32) -> bool);
    let rules: [Rule; 4] = [
        (|i| [3.0, f32::NAN][i as usize % 2], |i| i % 2 == 0),
        (|i| category(i % 2), |i| i % 2 == 0),
        (|i| category(i % 40), |i| i % 40 < 17),
        (
            |i| [f32::NAN, category(i % 40)][usize::from(i % 40 > 3)],
            |i| i % 40 < 4,
        ),
    ];
    for (value, class) in rules {
        let mut forest: Trees<Classification> = forest(1, &DynamicSettings::default());
        for i in 0..200 {
            forest.learn_one(&[value(i)], u32::from(class(i))).unwrap();
        }
        for i in 0..40 {
            let prediction = forest.predict_one(&[value(i)]).unwrap();
            assert_eq!(prediction[usize::from(class(i))], 1.0);
        }
        // One that was never seen goes somewhere.
        let unseen = forest.predict_one(&[category(77)]).unwrap();
        assert_eq!(unseen.iter().sum::<f64>(), 1.0);
    }
}

//! Missing values and categories: trees are functions of their set of samples all the same.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use dynamic_forest::{DynamicSettings, DynamicTree, Labels, ReadingTree};
use forest_core::registry::NamedTask;
use forest_core::registry::snapshot::{decode_value, encode_value};
use forest_core::{
    Classification, Forest, ForestSettings, InputError, OnlineLearner, OnlineTree, Regression,
    Retention, Schema, TreeRng, category,
};
use forest_testing::conformance::ConformanceTask;
use ndarray::{Array2, Axis};

use crate::changes;
use crate::streams::{Drawn, features};

/// Numbers some of which are missing, few and many categories, and both in one feature.
fn mixed(rng: &mut TreeRng, width: usize) -> Vec<f32> {
    let mut x = features(rng, width);
    for (index, value) in x.iter_mut().enumerate() {
        let drawn = rng.below(40) as u32;
        *value = match index % 7 {
            0 if drawn < 8 => f32::NAN,
            // Others come late, and rarely.
            1 if drawn == 0 => category(1 + rng.below(3) as u32),
            1 => category(0),
            2 => [5.0, f32::NAN, -f32::NAN, category(1)][drawn as usize % 4],
            3 if drawn > 0 => f32::NAN,
            4 => [f32::NAN, category(drawn)][usize::from(drawn > 5)],
            5 if drawn < 4 => category(drawn / 2),
            _ => *value,
        };
    }
    x
}

fn variants() -> Vec<DynamicSettings> {
    let with = |max_features, min_samples_leaf, thresholds| DynamicSettings {
        max_features,
        min_samples_leaf,
        thresholds,
        ..DynamicSettings::default()
    };
    vec![with(None, 1, 1), with(Some(1), 1, 2), with(Some(9), 3, 3)]
}

fn come_and_go<K>(seed: u64, width: usize, settings: &DynamicSettings, steps: usize)
where
    K: OnlineTree<Task: Drawn, Settings = DynamicSettings>,
{
    let rng = TreeRng::new(seed, 2);
    changes::come_and_go::<K>(
        rng,
        changes::Points { width, draw: mixed },
        settings,
        steps,
        |forest, _, (x, target), _| {
            forest.learn_one(x, target).unwrap();
        },
    );
}

/// The invariants of an exact tree include that it is the batch tree.
#[test]
fn whatever_comes_and_goes_the_tree_is_that_of_its_set() {
    for (seed, settings) in (0..).zip(variants().iter().cycle().take(6)) {
        for recheck in [0.0, 0.4] {
            let settings = DynamicSettings {
                recheck,
                ..settings.clone()
            };
            for width in [2, 5, 7] {
                come_and_go::<DynamicTree<Classification>>(seed, width, &settings, 500);
                come_and_go::<DynamicTree<Regression>>(seed, width, &settings, 500);
                come_and_go::<ReadingTree>(seed, width, &settings, 300);
            }
        }
    }
}

fn sample<T: Drawn>(rows: usize, seed: u64) -> (Array2<f32>, Vec<T::Target>) {
    let mut rng = TreeRng::new(seed, 0);
    let mut all = Array2::zeros((rows, 7));
    let targets = all.outer_iter_mut().enumerate().map(|(time, mut row)| {
        let x = mixed(&mut rng, 7);
        row.iter_mut()
            .zip(&x)
            .for_each(|(cell, value)| *cell = *value);
        T::draw(&mut rng, &x, time)
    });
    let targets = targets.collect();
    (all, targets)
}

type Trees<T> = Forest<DynamicTree<T>>;

fn exact<T: Labels>() -> Trees<T> {
    let settings = DynamicSettings {
        recheck: 0.0,
        ..DynamicSettings::default()
    };
    changes::forest(7, &settings, Retention::Everything)
}

/// In any order, in batches, with rows forgotten in between, from a snapshot; and exported.
fn is_a_function_of_the_set<T: Labels + NamedTask + Drawn + ConformanceTask>() {
    let (rows, targets) = sample::<T>(400, 3);
    let (points, _) = sample::<T>(300, 4);
    let mut batch = exact::<T>();
    batch.learn(rows.view(), &targets).unwrap();
    let mut others = exact::<T>();
    let (first, _) = rows.view().split_at(Axis(0), 100);
    others.learn(first, &targets[..100]).unwrap();
    for (x, &target) in rows.outer_iter().zip(&targets).rev() {
        others.learn_one(x.as_slice().unwrap(), target).unwrap();
    }
    (0..100).for_each(|arrival| others.forget(arrival).unwrap());
    others.check_invariants().unwrap();
    let expected = batch.predict(points.view()).unwrap();
    assert!(expected.iter().all(|value| value.is_finite()));
    assert_eq!(others.predict(points.view()).unwrap(), expected);
    let resumed: Trees<T> = decode_value(&encode_value(&others).unwrap()).unwrap();
    resumed.check_invariants().unwrap();
    assert_eq!(resumed.predict(points.view()).unwrap(), expected);
    for (index, tree) in batch.trees().enumerate() {
        let exported = batch.export(index).unwrap();
        for x in points.outer_iter() {
            let x = x.as_slice().unwrap();
            let mut prediction = vec![0.0; expected.ncols()];
            tree.vote(x, &batch.context(), &mut prediction);
            assert_eq!(exported.leaf(x).unwrap().prediction, prediction);
        }
    }
}

#[test]
fn neither_order_nor_history_counts() {
    is_a_function_of_the_set::<Classification>();
    is_a_function_of_the_set::<Regression>();
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
    let trees = ForestSettings::default().with_trees(5).with_seed(2);
    for (value, class) in rules {
        let schema = Schema::new(1).unwrap();
        let settings = DynamicSettings::default();
        let mut forest = Trees::<Classification>::new(schema, settings, trees).unwrap();
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

#[test]
fn infinities_are_refused_all_the_same() {
    let mut forest = exact::<Regression>();
    for value in [f32::INFINITY, f32::NEG_INFINITY] {
        let refused = forest.learn_one(&[f32::NAN, 0.0, value, 0.0, 0.0, 0.0, 0.0], 1.0);
        let expected = InputError::NotFinite {
            row: 0,
            feature: 2,
            value,
        };
        assert_eq!(refused, Err(expected));
    }
    assert_eq!(forest.samples_seen(), 0);
}

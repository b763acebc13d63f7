//! Whatever arrived and left, in any order: the tree is the batch tree of its samples, bit for bit.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use dynamic_forest::{
    DynamicSettings, DynamicTree, ForestSettings, Labels, OnlineLearner, ReadingTree, Schema,
};
use forest_core::{Classification, Forest, OnlineTree, Regression, TreeRng};

use crate::changes;
use crate::streams::{Drawn, features};

type Tree<T> = DynamicTree<T>;

fn exact() -> DynamicSettings {
    DynamicSettings {
        recheck: 0.0,
        ..DynamicSettings::default()
    }
}

/// Learns and forgets at random; the invariants of an exact tree include that it is the batch tree.
fn come_and_go<K>(seed: u64, width: usize, settings: &DynamicSettings, steps: usize)
where
    K: OnlineTree<Task: Drawn, Settings = DynamicSettings>,
{
    let rng = TreeRng::new(seed, 0);
    changes::come_and_go::<K>(
        rng,
        changes::Points {
            width,
            draw: features,
        },
        settings,
        steps,
        |forest, _, (x, target), _| {
            forest.learn_one(x, target).unwrap();
        },
    );
}

fn variants() -> Vec<DynamicSettings> {
    let exact = exact();
    vec![
        exact.clone(),
        DynamicSettings {
            max_features: Some(1),
            ..exact.clone()
        },
        DynamicSettings {
            max_features: Some(9),
            min_samples_split: 5,
            ..exact.clone()
        },
        DynamicSettings {
            min_samples_leaf: 3,
            ..exact.clone()
        },
        DynamicSettings {
            min_samples_leaf: 12,
            thresholds: 3,
            ..exact.clone()
        },
        DynamicSettings {
            min_samples_split: 60,
            ..exact
        },
    ]
}

#[test]
fn an_exact_tree_is_the_batch_tree_after_every_step() {
    for (seed, settings) in (0..).zip(variants().iter().cycle().take(18)) {
        for width in [1, 3, 9] {
            come_and_go::<Tree<Classification>>(seed, width, settings, 600);
            come_and_go::<Tree<Regression>>(seed, width, settings, 600);
            come_and_go::<ReadingTree>(seed, width, settings, 400);
        }
    }
}

/// The lazy tree keeps its own invariants.
#[test]
fn a_lazy_tree_holds_together_after_every_step() {
    for (seed, settings) in (0..).zip(variants().iter().cycle().take(12)) {
        for recheck in [1e-9, 0.1, 0.5, 1.0] {
            let settings = DynamicSettings {
                recheck,
                ..settings.clone()
            };
            come_and_go::<Tree<Classification>>(seed, 7, &settings, 400);
            come_and_go::<Tree<Regression>>(seed, 7, &settings, 400);
            come_and_go::<ReadingTree>(seed, 7, &settings, 300);
        }
    }
}

/// Many samples with one target, and one with another that comes and goes at every place among them.
fn the_only_other_goes<T: Labels>(targets: [T::Target; 2])
where
    Tree<T>: OnlineTree<Task = T, Settings = DynamicSettings>,
{
    let mut rng = TreeRng::new(8, 0);
    for other in 0..60 {
        let trees = ForestSettings::default().with_trees(2).with_seed(other);
        let mut forest = Forest::<Tree<T>>::new(Schema::new(3).unwrap(), exact(), trees).unwrap();
        for row in 0..60 {
            let x = features(&mut rng, 3);
            forest
                .learn_one(&x, targets[usize::from(row == other)])
                .unwrap();
        }
        assert!(forest.trees().all(|tree| tree.cuts() > 0));
        forest.forget(other).unwrap();
        forest.check_invariants().unwrap();
        assert!(forest.trees().all(|tree| tree.cuts() == 0));
    }
}

#[test]
fn samples_that_become_equal_are_a_leaf() {
    the_only_other_goes::<Classification>([0, 1]);
    the_only_other_goes::<Regression>([1.5, -7.0]);
}

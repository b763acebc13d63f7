//! How trees start, and what does not change them.

use boundary_forest::{
    BoundaryClassifier, BoundaryForest, BoundaryRegressor, BoundaryTree, ChildLimit, TreeSettings,
};
use forest_core::{ForestSettings, OnlineLearner, Schema};

use super::data::{noise, points, sums};
use super::{classifier, regressor};

/// Returns every node of every tree: its sample and its children.
fn shape(forest: &BoundaryClassifier) -> Vec<(usize, Vec<usize>)> {
    let of_tree = |tree: &BoundaryTree| {
        let node = |node| {
            let children = tree.children(node).map(|child| child.index()).collect();
            (tree.sample(node).index(), children)
        };
        tree.nodes().map(node).collect::<Vec<_>>()
    };
    forest.trees().flat_map(of_tree).collect()
}

#[test]
fn scaling_by_a_power_of_two_changes_no_bit() {
    let (x, queries) = (points(600, 11, 4), points(50, 11, 5));
    let learned = |scale: f32| {
        let mut forest = classifier(5, ChildLimit::AtMost(4), 11);
        forest.learn((&x * scale).view(), &noise(600, 3)).unwrap();
        let predictions = forest.predict((&queries * scale).view()).unwrap();
        (shape(&forest), predictions)
    };
    let expected = learned(1.0);
    for power in [-90, -10, 1, 30, 120] {
        assert_eq!(learned(2f32.powi(power)), expected, "2^{power}");
    }
}

#[test]
fn tree_i_is_rooted_at_point_i_and_sees_the_others_in_its_own_order() {
    let x = points(30, 2, 6);
    let mut forest = regressor(30, 0.0, 2);
    forest.learn(x.view(), &sums(&x)).unwrap();
    let mut orders: Vec<Vec<_>> = Vec::new();
    for (i, tree) in forest.trees().enumerate() {
        let mut order: Vec<_> = tree.nodes().map(|node| tree.sample(node).index()).collect();
        assert_eq!(order.remove(0), i);
        orders.push(order.clone());
        order.sort_unstable();
        assert_eq!(
            order,
            (0..30).filter(|&point| point != i).collect::<Vec<_>>()
        );
    }
    orders.sort();
    orders.dedup();
    assert_eq!(orders.len(), 30);
}

/// Returns the order in which each tree of an offline forest learned `rows` rows, all of them kept.
fn offline_orders(rows: usize, trees: usize) -> Vec<Vec<usize>> {
    let (x, settings) = (points(rows, 2, 7), TreeSettings::default());
    let schema = Schema::new(2).unwrap();
    let forest: BoundaryRegressor = BoundaryForest::offline(
        schema,
        settings,
        ForestSettings::default().with_trees(trees).with_seed(3),
        x.view(),
        &sums(&x),
    )
    .unwrap();
    let order = |tree: &BoundaryTree| {
        let samples = tree.nodes().map(|node| tree.sample(node).index());
        samples.collect()
    };
    forest.trees().map(order).collect()
}

#[test]
fn an_offline_tree_learns_every_row_once() {
    for mut order in offline_orders(40, 20) {
        order.sort_unstable();
        assert_eq!(order, (0..40).collect::<Vec<_>>());
    }
}

#[test]
fn offline_orders_are_uniform_and_independent() {
    let orders = offline_orders(3, 12_000);
    pairs_are_uniform(
        orders
            .chunks_exact(2)
            .map(|pair| (pair[0].clone(), pair[1].clone())),
    );
}

/// Tests that of 6000 pairs of orders of three things, each of the 36 possible ones is equally
/// likely.
#[track_caller]
pub(super) fn pairs_are_uniform(pairs: impl ExactSizeIterator<Item = (Vec<usize>, Vec<usize>)>) {
    assert_eq!(pairs.len(), 6000);
    let number = |order: Vec<usize>| 2 * order[0] + usize::from(order[1] > order[2]);
    let mut counts = [0; 36];
    pairs.for_each(|(one, other)| counts[6 * number(one) + number(other)] += 1);
    let p_value = forest_testing::statistics::is_uniform(&counts);
    assert!(p_value > 1e-3, "{p_value}");
}

#[test]
fn waiting_trees_predict_with_the_nearest_point_so_far() {
    let mut forest = regressor(50, 0.0, 1);
    assert_eq!(forest.predict_one(&[0.0]).unwrap(), [0.0]);
    for (place, label) in [(0.0, 1.0), (10.0, 2.0), (20.0, 4.0)] {
        forest.learn_one(&[place], label).unwrap();
    }
    let nearest = |query| forest.predict_one(&[query]).unwrap()[0];
    assert_eq!(
        [nearest(-1.0), nearest(10.0), nearest(16.0)],
        [1.0, 2.0, 4.0]
    );
    let tied = nearest(5.0);
    assert!(tied > 1.0 && tied < 2.0, "50 trees choose both: {tied}");
    forest.check_invariants().unwrap();
}

//! What the paper says of the forest, and what must hold at the edges.

use boundary_forest::{
    BoundaryClassifier, BoundaryForest, BoundaryRegressor, BoundaryTree, Label, TreeSettings,
};
use forest_core::{Classification, ForestSettings, OnlineLearner, Schema, Task, TreeRng, argmax};
use ndarray::{Array2, s};

fn classifier(trees: usize, limit: Option<u32>, width: usize) -> BoundaryClassifier {
    crate::forest(trees, limit, 0.0, width)
}

fn regressor(trees: usize, epsilon: f64, width: usize) -> BoundaryRegressor {
    crate::forest(trees, Some(50), epsilon, width)
}

/// Points of the unit cube, no two distances equal.
fn points(rows: usize, width: usize, seed: u64) -> Array2<f32> {
    let mut rng = TreeRng::new(seed, 0);
    Array2::from_shape_simple_fn((rows, width), || rng.uniform() as f32)
}

/// Inside or outside a ball.
fn classes(points: &Array2<f32>) -> Vec<u32> {
    let square = points.mapv(|v| (v - 0.5) * (v - 0.5));
    let rows = square.rows().into_iter();
    rows.map(|row| u32::from(row.sum() < 0.15)).collect()
}

fn sums(points: &Array2<f32>) -> Vec<f64> {
    let points = points.mapv(f64::from);
    points.rows().into_iter().map(|row| row.sum()).collect()
}

fn noise(rows: usize, classes: usize) -> Vec<u32> {
    let mut rng = TreeRng::new(77, 0);
    (0..rows).map(|_| rng.below(classes) as u32).collect()
}

fn indices(tree: &BoundaryTree) -> Vec<usize> {
    tree.samples().map(|sample| sample.index()).collect()
}

/// Every node of every tree: its sample and its children.
fn shape<T: Task<Target: Label>>(forest: &BoundaryForest<T>) -> Vec<(usize, Vec<usize>)> {
    let mut shape = Vec::new();
    for tree in forest.trees() {
        for (node, sample) in indices(tree).into_iter().enumerate() {
            shape.push((sample, tree.children(node).collect()));
        }
    }
    shape
}

/// "Immediate one-shot learning": shown a point and asked there, the forest is right.
#[test]
fn one_shot_a_class_shown_is_a_class_known() {
    let x = points(400, 3, 1);
    let y = noise(400, 4);
    for (trees, limit) in [(1, None), (7, Some(2))] {
        let mut forest = classifier(trees, limit, 3);
        for (row, (features, &class)) in x.rows().into_iter().zip(&y).enumerate() {
            forest.learn_one(&features.to_vec(), class).unwrap();
            let prediction = forest.predict_one(&features.to_vec()).unwrap();
            assert_eq!(argmax(&prediction), class as usize, "row {row}");
            assert!(row + 1 < trees || prediction[class as usize] == 1.0);
        }
    }
}

#[test]
fn one_shot_a_number_shown_is_predicted_within_epsilon() {
    let x = points(300, 2, 2);
    for epsilon in [0.0, 0.1] {
        let mut forest = regressor(9, epsilon, 2);
        for (features, y) in x.rows().into_iter().zip(sums(&x)) {
            forest.learn_one(&features.to_vec(), y).unwrap();
            let prediction = forest.predict_one(&features.to_vec()).unwrap()[0];
            let rounding = if epsilon > 0.0 { 1e-12 } else { 0.0 };
            assert!((prediction - y).abs() <= epsilon + rounding);
        }
    }
}

#[test]
fn samples_are_kept_sublinearly() {
    let x = points(16_000, 2, 3);
    let [few, many] = [1000, 16_000].map(|rows| {
        let mut forest = classifier(5, Some(50), 2);
        let part = x.slice(s![..rows, ..]);
        forest.learn(part, &classes(&x)[..rows]).unwrap();
        forest.samples().len() as f64
    });
    let power = (many / few).ln() / 16f64.ln();
    assert!(power < 0.75, "grows like N^{power}");
}

#[test]
fn only_what_some_tree_names_is_stored() {
    let x = points(3000, 2, 3);
    for batch in [1, 40, 3000] {
        let mut forest = classifier(20, Some(50), 2);
        let batches = x.axis_chunks_iter(ndarray::Axis(0), batch);
        for (x, y) in batches.zip(classes(&x).chunks(batch)) {
            forest.learn(x, y).unwrap();
        }
        let mut names: Vec<_> = forest.trees().flat_map(indices).chain(0..20).collect();
        names.sort_unstable();
        names.dedup();
        assert!(names.into_iter().eq(0..forest.samples().len()));
    }
}

#[test]
fn scaling_by_a_power_of_two_changes_no_bit() {
    let x = points(600, 11, 4);
    let queries = points(50, 11, 5);
    let learned = |scale: f32| {
        let mut forest = classifier(5, Some(4), 11);
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
        let mut order = indices(tree);
        assert_eq!(order.remove(0), i);
        orders.push(order.clone());
        order.sort_unstable();
        assert!(order.into_iter().eq((0..30).filter(|&point| point != i)));
    }
    orders.sort();
    orders.dedup();
    assert_eq!(orders.len(), 30);
}

/// Of 6000 pairs of trees that learn three rows offline, each of the 36 possible pairs of orders is equally likely.
#[test]
fn offline_orders_are_uniform_and_independent() {
    let x = points(3, 2, 7);
    let mut counts = [0; 36];
    let mut forest = regressor(12_000, 0.0, 2);
    forest.learn_shuffled(x.view(), &sums(&x)).unwrap();
    let mut number = 0;
    for (index, tree) in forest.trees().enumerate() {
        let order = indices(tree);
        let rows: usize = order.iter().map(|row| 1 << row).sum();
        assert_eq!(rows, 7, "every row once");
        number = 6 * number % 36 + 2 * order[0] + usize::from(order[1] > order[2]);
        counts[number] += index % 2;
    }
    assert!(forest_testing::statistics::is_uniform(&counts) > 1e-3);
}

#[test]
fn waiting_trees_predict_with_the_nearest_point_so_far() {
    let mut forest = regressor(50, 0.0, 1);
    assert_eq!(forest.predict_one(&[0.0]).unwrap(), [0.0]);
    for (place, label) in [(0.0, 1.0), (10.0, 2.0), (20.0, 4.0)] {
        forest.learn_one(&[place], label).unwrap();
    }
    for (query, nearest) in [(-1.0, 1.0), (10.0, 2.0), (16.0, 4.0)] {
        assert_eq!(forest.predict_one(&[query]).unwrap(), [nearest]);
    }
    let tied = forest.predict_one(&[5.0]).unwrap()[0];
    assert!(tied > 1.0 && tied < 2.0, "50 trees choose both: {tied}");
    forest.check_invariants().unwrap();
}

#[test]
fn a_class_that_no_node_has_gets_probability_zero() {
    let schema = Schema::<Classification>::new(1).unwrap();
    let schema = schema.with_classes(4).unwrap();
    let three = ForestSettings::default().with_trees(3);
    let mut forest = BoundaryClassifier::new(schema, TreeSettings::default(), three).unwrap();
    assert_eq!(forest.predict_one(&[0.0]).unwrap(), [0.25; 4]);
    forest.learn_one(&[0.0], 2).unwrap();
    assert_eq!(forest.predict_one(&[9.0]).unwrap(), [0.0, 0.0, 1.0, 0.0]);
}

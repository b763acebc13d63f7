//! What the paper says of the forest, and what must hold at the edges.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use boundary_forest::{
    BoundaryClassifier, BoundaryRegressor, BoundaryTree, ChildLimit, ClassifierSettings, Euclidean,
    Metric, Problem, RegressorSettings,
};
use forest_core::{Classification, Forest, OnlineLearner, Schema, TreeRng, argmax};
use ndarray::Array2;

fn classifier(trees: usize, limit: ChildLimit, width: usize) -> BoundaryClassifier {
    let settings = ClassifierSettings {
        max_children: limit,
    };
    BoundaryClassifier::<Euclidean>::new(Schema::new(width).unwrap(), settings, trees, 1).unwrap()
}

fn regressor(trees: usize, epsilon: f64, width: usize) -> BoundaryRegressor {
    let settings = RegressorSettings {
        epsilon,
        ..RegressorSettings::default()
    };
    BoundaryRegressor::<Euclidean>::new(Schema::new(width).unwrap(), settings, trees, 1).unwrap()
}

/// Points of the unit cube, no two distances equal.
fn points(rows: usize, width: usize, seed: u64) -> Array2<f32> {
    let mut rng = TreeRng::new(seed, 0);
    Array2::from_shape_simple_fn((rows, width), || rng.uniform() as f32)
}

/// Inside or outside a ball.
fn classes(points: &Array2<f32>) -> Vec<u32> {
    let inside = |row: ndarray::ArrayView1<'_, f32>| {
        row.iter().map(|v| (v - 0.5).powi(2)).sum::<f32>() < 0.15
    };
    points
        .rows()
        .into_iter()
        .map(|row| u32::from(inside(row)))
        .collect()
}

fn sums(points: &Array2<f32>) -> Vec<f64> {
    points
        .rows()
        .into_iter()
        .map(|row| row.iter().map(|&v| f64::from(v)).sum())
        .collect()
}

fn noise(rows: usize, classes: usize) -> Vec<u32> {
    let mut rng = TreeRng::new(77, 0);
    (0..rows).map(|_| rng.below(classes) as u32).collect()
}

#[test]
fn one_shot_a_class_shown_is_a_class_known() {
    let (x, y) = (points(400, 3, 1), noise(400, 4));
    for (trees, limit) in [(1, ChildLimit::Unlimited), (7, ChildLimit::AtMost(2))] {
        let mut forest = classifier(trees, limit, 3);
        for (row, (features, &class)) in x.rows().into_iter().zip(&y).enumerate() {
            forest.learn_one(&features.to_vec(), class).unwrap();
            let answer = forest.predict_one(&features.to_vec()).unwrap();
            assert_eq!(argmax(&answer), class as usize, "row {row}");
            assert!(row + 1 < trees || answer[class as usize] == 1.0);
        }
    }
}

#[test]
fn one_shot_a_number_shown_is_answered_exactly() {
    let x = points(300, 2, 2);
    let mut forest = regressor(9, 0.0, 2);
    for (features, y) in x.rows().into_iter().zip(sums(&x)) {
        forest.learn_one(&features.to_vec(), y).unwrap();
        assert_eq!(forest.predict_one(&features.to_vec()).unwrap(), [y]);
    }
}

#[test]
fn one_shot_is_within_epsilon_if_epsilon_is_positive() {
    let x = points(300, 2, 2);
    let mut forest = regressor(9, 0.1, 2);
    for (features, y) in x.rows().into_iter().zip(sums(&x)) {
        forest.learn_one(&features.to_vec(), y).unwrap();
        let answer = forest.predict_one(&features.to_vec()).unwrap()[0];
        assert!((answer - y).abs() <= 0.1 + 1e-12);
    }
}

#[test]
fn equal_positions_average_their_labels() {
    let mut forest = regressor(100, 0.0, 1);
    for label in [3.0, 5.0].repeat(60) {
        forest.learn_one(&[1.0], label).unwrap();
        let answer = forest.predict_one(&[1.0]).unwrap()[0];
        assert!((3.0..=5.0).contains(&answer), "{answer}");
    }
    let answer = forest.predict_one(&[1.0]).unwrap()[0];
    assert!((3.5..4.5).contains(&answer), "{answer}");
}

/// Samples kept of the first `rows` of a stream without noise.
fn stored(rows: usize) -> f64 {
    let x = points(16_000, 2, 3);
    let mut forest = classifier(5, ChildLimit::default(), 2);
    let part = x.slice(ndarray::s![..rows, ..]);
    forest.learn(part, &classes(&x)[..rows]).unwrap();
    forest.samples().len() as f64
}

#[test]
fn samples_are_kept_sublinearly() {
    let power = (stored(16_000) / stored(1_000)).ln() / 16f64.ln();
    assert!(power < 0.75, "grows like N^{power}");
}

#[test]
fn only_what_some_tree_names_is_stored() {
    let x = points(3_000, 2, 3);
    for batch in [1, 40, 3_000] {
        let mut forest = classifier(20, ChildLimit::default(), 2);
        let y = classes(&x);
        for start in (0..3_000).step_by(batch) {
            let rows = start..(start + batch).min(3_000);
            let part = x.slice(ndarray::s![rows.clone(), ..]);
            forest.learn(part, &y[rows]).unwrap();
        }
        let named = |tree: &BoundaryTree<_, _>| {
            tree.nodes()
                .map(|node| tree.sample(node).index())
                .collect::<Vec<_>>()
        };
        let mut names: Vec<_> = forest.trees().flat_map(named).collect();
        names.extend(0..20);
        names.sort_unstable();
        names.dedup();
        assert_eq!(names, (0..forest.samples().len()).collect::<Vec<_>>());
    }
}

/// Every node of every tree: its sample and its children.
fn shape<P: Problem, M: Metric>(forest: &Forest<BoundaryTree<P, M>>) -> Vec<(usize, Vec<usize>)> {
    let of_tree = |tree: &BoundaryTree<P, M>| {
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
        let answers = forest.predict((&queries * scale).view()).unwrap();
        (shape(&forest), answers)
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

#[test]
fn waiting_trees_answer_with_the_nearest_point_so_far() {
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

#[test]
fn a_class_that_no_node_has_gets_probability_zero() {
    let schema = Schema::<Classification>::new(1)
        .unwrap()
        .with_classes(4)
        .unwrap();
    let settings = ClassifierSettings::default();
    let mut forest = BoundaryClassifier::<Euclidean>::new(schema, settings, 3, 1).unwrap();
    assert_eq!(forest.predict_one(&[0.0]).unwrap(), [0.25; 4]);
    forest.learn_one(&[0.0], 2).unwrap();
    assert_eq!(forest.predict_one(&[9.0]).unwrap(), [0.0, 0.0, 1.0, 0.0]);
}

#[test]
fn features_at_the_ends_of_their_range_are_told_apart() {
    let mut forest = classifier(2, ChildLimit::default(), 2);
    forest.learn_one(&[f32::MAX, f32::MAX], 0).unwrap();
    forest
        .learn_one(&[-f32::MAX, f32::MIN_POSITIVE], 1)
        .unwrap();
    let answer = |features: [f32; 2]| argmax(&forest.predict_one(&features).unwrap());
    assert_eq!(answer([f32::MAX, f32::MAX.next_down()]), 0);
    assert_eq!(answer([-f32::MAX, 0.0]), 1);
}

#[test]
fn another_metric_is_another_type() {
    #[derive(Clone, Copy, Debug, Default)]
    struct FirstFeature;
    impl Metric for FirstFeature {
        fn proxy(x: &[f32], y: &[f32]) -> f64 {
            f64::from((x[0] - y[0]).abs())
        }
        fn distance(proxy: f64) -> f64 {
            proxy
        }
    }
    let settings = ClassifierSettings::default();
    let schema = Schema::new(2).unwrap();
    let mut forest = BoundaryClassifier::<FirstFeature>::new(schema, settings, 1, 1).unwrap();
    forest.learn_one(&[0.0, 5.0], 0).unwrap();
    forest.learn_one(&[1.0, 0.0], 1).unwrap();
    assert_eq!(forest.predict_one(&[0.9, 5.0]).unwrap(), [0.0, 1.0]);
}

#[test]
fn a_chain_of_nodes_overflows_no_stack() {
    let rows = 6_000;
    let x = Array2::from_shape_fn((rows, 1), |(row, _)| row as f32);
    let mut forest = regressor(1, 0.0, 1);
    forest.learn(x.view(), &sums(&x)).unwrap();
    let bytes = postcard::to_allocvec(&forest.clone()).unwrap();
    let loaded: BoundaryRegressor = postcard::from_bytes(&bytes).unwrap();
    loaded.check_invariants().unwrap();
    let tree = loaded.trees().next().unwrap();
    assert!(tree.nodes().all(|node| tree.children(node).count() <= 1));
}

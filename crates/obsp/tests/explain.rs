//! Oblique cuts in words.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use forest_core::ndarray::Array2;
use forest_core::{DecisionPath, ForestSettings, OnlineLearner, Regression, Schema, TreeRng};
use obsp::{BspRegressor, fixed};
use tessellation_tree::Side;

/// Returns the path of a point through a tree.
fn path(forest: &dyn OnlineLearner<Task = Regression>, tree: usize, x: &[f32]) -> DecisionPath {
    forest.decision_path(tree, x).unwrap()
}

fn forest() -> (BspRegressor, Array2<f32>) {
    let mut rng = TreeRng::new(8, 0);
    let rows = Array2::from_shape_fn((400, 3), |_| rng.uniform() as f32);
    let targets: Vec<f64> = rows
        .rows()
        .into_iter()
        .map(|row| f64::from(row[2]))
        .collect();
    let schema = Schema::<Regression>::new(3).unwrap();
    let mut forest =
        BspRegressor::new(schema, fixed(f64::INFINITY), ForestSettings::default()).unwrap();
    forest.learn(rows.view(), &targets).unwrap();
    (forest, rows)
}

#[test]
fn a_path_of_oblique_cuts_goes_the_way_of_the_point() {
    let (forest, rows) = forest();
    for (index, tree) in forest.trees().enumerate() {
        for row in rows.rows() {
            let x = row.as_slice().unwrap();
            let path = path(&forest, index, x);
            let taken: Vec<bool> = path.steps.iter().map(|step| step.holds).collect();
            let mut node = tree.root().unwrap();
            for step in path.steps {
                let rounded = (step.value - step.cut.threshold).abs() < 1e-12;
                assert!(rounded || step.holds == (step.value <= step.cut.threshold));
                assert_eq!(step.samples, node.points() as u64);
                let side = if step.holds { Side::Left } else { Side::Right };
                node = node.child(side).unwrap();
            }
            assert!(node.is_leaf());
            assert_eq!(Some(node.subtree), tree.leaf_at(x), "{taken:?}");
        }
    }
}

#[test]
fn oblique_cuts_read_as_sums() {
    let (forest, _) = forest();
    let words = path(&forest, 0, &[0.2, 0.6, 0.4]).to_string();
    let first = words.lines().next().unwrap();
    let (sum, _) = first.split_once(" = ").unwrap();
    let terms: Vec<&str> = sum
        .split([' ', '−', '+'])
        .filter(|part| !part.is_empty())
        .collect();
    assert_eq!(terms.len(), 2, "{first}");
    for term in terms {
        let (coefficient, name) = term.split_once('·').unwrap();
        assert!(coefficient.parse::<f64>().unwrap() < 1.0);
        assert!(["x0", "x1", "x2"].contains(&name), "{first}");
    }
}

//! Which samples stay in the store.

use boundary_forest::{BoundaryTree, ChildLimit};
use forest_core::OnlineLearner;
use ndarray::s;

use super::classifier;
use super::data::{classes, points};

/// Samples kept of the first `rows` of a stream without noise.
fn stored(rows: usize) -> f64 {
    let x = points(16_000, 2, 3);
    let mut forest = classifier(5, ChildLimit::default(), 2);
    let part = x.slice(s![..rows, ..]);
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
            let part = x.slice(s![rows.clone(), ..]);
            forest.learn(part, &y[rows]).unwrap();
        }
        let named = |tree: &BoundaryTree| {
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

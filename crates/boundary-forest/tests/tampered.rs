//! A tree decoded from altered bytes is refused, or harmless.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use boundary_forest::{
    BoundaryClassifier, BoundaryTree, ChildLimit, ClassifierSettings, Euclidean,
};
use forest_core::laws::Stream;
use forest_core::{
    Batch, Classification, Ground, OnlineLearner, OnlineTree, SampleId, Schema, TreeRng,
};

type Tree = BoundaryTree<Classification, Euclidean>;

fn forest(rows: usize) -> BoundaryClassifier {
    let settings = ClassifierSettings {
        max_children: ChildLimit::AtMost(3),
    };
    let schema = Schema::new(2).unwrap();
    let mut forest = BoundaryClassifier::<Euclidean>::new(schema, settings, 8, 1).unwrap();
    let stream = Stream::<Classification>::uniform(rows, 2, 31);
    stream.teach(&mut forest, 0, rows).unwrap();
    forest
}

/// These bytes with one to three of them replaced.
fn altered(bytes: &[u8], rng: &mut TreeRng) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..1 + rng.below(3) {
        let at = rng.below(bytes.len());
        bytes[at] = match rng.below(3) {
            0 => rng.below(256) as u8,
            1 => bytes[at].wrapping_add(1),
            _ => bytes[at].wrapping_sub(1),
        };
    }
    bytes
}

/// Whether `tree` passes its check; if so, asks it and teaches it one sample more.
fn survives(mut tree: Tree, forest: &BoundaryClassifier) -> bool {
    let (ground, mut rng) = (forest.ground(), TreeRng::new(2, 0));
    if tree.check(&ground).is_err() {
        return false;
    }
    let answer = tree.query(&[0.3, 0.7], &ground, &rng).unwrap();
    assert!(answer.distance.is_finite());
    let mut samples = forest.samples().clone();
    let next = SampleId::new(samples.len());
    samples.append(&Batch::one(&[0.3, 0.7], &1, forest.schema()).unwrap());
    let ground = Ground {
        samples: &samples,
        ..ground
    };
    tree.learn(next, &ground, &mut rng);
    true
}

#[test]
fn altered_trees_are_refused_or_harmless() {
    for rows in [5, 8, 200] {
        let forest = forest(rows);
        let original = postcard::to_allocvec(forest.trees().nth(3).unwrap()).unwrap();
        let (mut rng, mut refused, mut passed) = (TreeRng::new(9, 0), 0, 0);
        for _ in 0..20_000 {
            let bytes = altered(&original, &mut rng);
            let decoded = postcard::from_bytes::<Tree>(&bytes);
            let usable = decoded.is_ok_and(|tree| survives(tree, &forest));
            *if usable { &mut passed } else { &mut refused } += 1;
        }
        assert!(
            refused > passed,
            "{rows} rows: {refused} refused, {passed} passed"
        );
    }
}

#[test]
fn the_original_passes() {
    let forest = forest(200);
    let original = postcard::to_allocvec(forest.trees().nth(3).unwrap()).unwrap();
    assert!(survives(postcard::from_bytes(&original).unwrap(), &forest));
}

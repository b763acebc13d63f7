//! Insertion in shuffled blocks: the distribution of the orders, when predictions change, what it is for.

use boundary_forest::{
    BoundaryClassifier, BoundaryRegressor, BoundaryTree, ClassifierSettings, Euclidean, Insertion,
    OfflineError, PointSchema, RegressorSettings, Retriever, RetrieverSettings,
};
use forest_core::{ForestSettings, OnlineLearner, Schema};
use ndarray::{Array2, s};

use super::data::{noise, points, sums};
use super::trees::pairs_are_uniform;

fn regressor(trees: usize, block: u32) -> BoundaryRegressor {
    let settings = RegressorSettings {
        insertion: Insertion::ShuffledBlocks(block),
        ..RegressorSettings::default()
    };
    BoundaryRegressor::<Euclidean>::new(
        Schema::new(2).unwrap(),
        settings,
        ForestSettings::default().with_trees(trees).with_seed(1),
    )
    .unwrap()
}

/// No two labels are equal, so every row is kept, and a block of three shows its order.
#[test]
fn orders_within_blocks_are_uniform_and_independent() {
    const BLOCKS: usize = 6000;
    let x = points(2 + 3 * BLOCKS, 2, 9);
    let mut forest = regressor(2, 3);
    forest.learn(x.view(), &sums(&x)).unwrap();
    let orders = |tree: &BoundaryTree| {
        let samples: Vec<_> = tree.nodes().map(|node| tree.sample(node).index()).collect();
        let blocks = samples[2..].chunks_exact(3).enumerate();
        let order = |(block, samples): (usize, &[usize])| {
            let first = 2 + 3 * block;
            samples.iter().map(|sample| sample - first).collect()
        };
        blocks.map(order).collect::<Vec<Vec<_>>>()
    };
    let [a, b] = [0, 1].map(|tree| orders(forest.trees().nth(tree).unwrap()));
    assert_eq!((a.len(), b.len()), (BLOCKS, BLOCKS));
    pairs_are_uniform(a.into_iter().zip(b));
}

#[test]
fn predictions_change_when_a_block_is_complete() {
    let (x, queries) = (points(4 + 50, 2, 10), points(40, 2, 11));
    let (mut forest, y) = (regressor(4, 10), sums(&x));
    let mut before = None;
    for (row, &target) in y.iter().enumerate() {
        forest.learn(x.slice(s![row..=row, ..]), &[target]).unwrap();
        forest.check_invariants().unwrap();
        let after = forest.predict(queries.view()).unwrap();
        let complete = row < 4 || (row + 1 - 4) % 10 == 0;
        assert_eq!(before.as_ref() != Some(&after), complete, "row {row}");
        before = Some(after);
    }
    assert!(forest.trees().all(|tree| tree.len() == 54));
}

#[test]
fn samples_that_no_tree_keeps_are_dropped_with_their_block() {
    let x = points(1000, 2, 12);
    let settings = ClassifierSettings {
        insertion: Insertion::ShuffledBlocks(80),
        ..ClassifierSettings::default()
    };
    let schema = Schema::new(2).unwrap();
    let mut forest = BoundaryClassifier::<Euclidean>::new(
        schema,
        settings,
        ForestSettings::default().with_trees(10).with_seed(1),
    )
    .unwrap();
    forest.learn(x.view(), &[7; 1000]).unwrap();
    assert_eq!(forest.samples().len(), 10 + 990 % 80);
    forest.learn(x.view(), &noise(1000, 2)).unwrap();
    forest.check_invariants().unwrap();
}

/// Comparisons per query and tree after 3000 ascending numbers.
fn comparisons_on_sorted(insertion: Insertion) -> usize {
    let settings = RetrieverSettings {
        insertion,
        ..RetrieverSettings::default()
    };
    let schema = PointSchema::new(1).unwrap();
    let mut forest = Retriever::<Euclidean>::new(
        schema,
        settings,
        ForestSettings::default().with_trees(5).with_seed(1),
    )
    .unwrap();
    let x = Array2::from_shape_fn((3005, 1), |(row, _)| row as f32);
    forest.learn(x.view()).unwrap();
    let of_query = |query: f32| {
        let walks = forest.walks(&[query]).unwrap();
        walks.iter().map(|walk| walk.comparisons).sum::<usize>()
    };
    (0..30).map(|i| of_query(i as f32 * 100.0)).sum::<usize>() / (30 * 5)
}

#[test]
fn blocks_keep_walks_short_on_sorted_streams() {
    let at_once = comparisons_on_sorted(Insertion::AtOnce);
    let in_blocks = comparisons_on_sorted(Insertion::ShuffledBlocks(500));
    assert!(at_once > 1000, "{at_once}");
    assert!(in_blocks < 150, "{in_blocks}");
}

#[test]
fn an_offline_forest_has_no_blocks() {
    let (x, settings) = (points(30, 2, 13), *regressor(3, 10).settings());
    let schema = Schema::new(2).unwrap();
    let forest = BoundaryRegressor::<Euclidean>::offline(
        schema,
        settings,
        ForestSettings::default().with_trees(3).with_seed(1),
        x.view(),
        &sums(&x),
    );
    let Err(OfflineError::Setting(error)) = forest else {
        panic!("it was accepted")
    };
    assert_eq!(error.parameter, "shuffle_block");
}

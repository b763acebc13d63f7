//! Random sequences of samples that come and go, with all that makes trees differ, and the batch trees to compare with.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use dynamic_forest::DynamicSettings;
use forest_core::{
    Classification, Forest, ForestSettings, Inequality, OnlineLearner, OnlineTree, Regression,
    Schema, Task, TreeRng, category,
};
use ndarray::{Array2, ArrayView2};

/// Values with ties, constants, both zeros and extremes.
pub(crate) fn numbers(rng: &mut TreeRng, width: usize) -> Vec<f32> {
    let value = |index: usize, rng: &mut TreeRng| match index % 6 {
        0 => rng.uniform() as f32,
        1 => rng.below(3) as f32,
        2 => [0.0, -0.0, 1e-40, -1e-40][rng.below(4)],
        3 if rng.below(40) == 0 => 7.0,
        3 => 5.0,
        4 => [f32::MIN, f32::MAX, 1.0][rng.below(3)],
        _ => (rng.normal() * 100.0) as f32,
    };
    (0..width).map(|index| value(index, rng)).collect()
}

/// Numbers some of which are missing, few and many categories, and both in one feature.
pub(crate) fn mixed(rng: &mut TreeRng, width: usize) -> Vec<f32> {
    let mut x = numbers(rng, width);
    for (index, value) in x.iter_mut().enumerate() {
        let drawn = rng.below(40) as u32;
        *value = match index % 7 {
            0 if drawn < 8 => f32::NAN,
            // Others come late, and rarely.
            1 if drawn == 0 => category(1 + rng.below(3) as u32),
            1 => category(0),
            2 => [5.0, f32::NAN, -f32::NAN, category(1)][drawn as usize % 4],
            3 if drawn > 0 => f32::NAN,
            4 if drawn <= 5 => f32::NAN,
            4 => category(drawn),
            5 if drawn < 4 => category(drawn / 2),
            _ => *value,
        };
    }
    x
}

/// Returns a value, or another number where it is missing.
fn known(value: f32) -> f32 {
    if value.is_nan() { 0.6 } else { value }
}

/// A task whose targets can be drawn.
pub(crate) trait Drawn: Task {
    /// Returns the target at a point, with noise; new classes and magnitudes appear over time.
    fn draw(rng: &mut TreeRng, x: &[f32], time: usize) -> Self::Target;
}

impl Drawn for Classification {
    fn draw(rng: &mut TreeRng, x: &[f32], time: usize) -> u32 {
        let class = (known(x[0]) * 3.0) as u32 + rng.below(5) as u32 / 4;
        let late = time > 150 && rng.below(4) == 3;
        class + u32::from(late)
    }
}

impl Drawn for Regression {
    fn draw(rng: &mut TreeRng, x: &[f32], time: usize) -> f64 {
        let noise = [0.0, 0.5, rng.normal()][rng.below(3)];
        let value = f64::from((known(x[0]) * 4.0).round()) + noise;
        let is_large = time > 120 && rng.below(50) == 0;
        if is_large { value * 1e6 } else { value }
    }
}

/// K, `min_samples_split`, `min_samples_leaf`, thresholds; ε.
pub(crate) fn settings(
    (max_features, min_samples_split, min_samples_leaf, thresholds): (Option<u32>, u32, u32, u32),
    recheck: f64,
) -> DynamicSettings {
    DynamicSettings {
        max_features,
        min_samples_split,
        min_samples_leaf,
        thresholds,
        recheck,
    }
}

/// Two trees.
pub(crate) fn forest<K: OnlineTree<Settings = DynamicSettings>>(
    width: usize,
    settings: &DynamicSettings,
) -> Forest<K> {
    let trees = ForestSettings::default().with_trees(2).with_seed(3);
    Forest::new(Schema::new(width).unwrap(), settings.clone(), trees).unwrap()
}

/// Learns a sample of this weight.
pub(crate) fn learn<K: OnlineTree>(
    forest: &mut Forest<K>,
    x: &[f32],
    target: <K::Task as Task>::Target,
    weight: f64,
) {
    let x = ArrayView2::from_shape((1, x.len()), x).unwrap();
    forest.learn_weighted(x, &[target], &[weight]).unwrap();
}

/// What a node is, bit for bit: its split, the number of its samples, what it predicts.
type NodeBits = (Option<(usize, u64)>, u64, Vec<u64>);

fn nodes<K: OnlineTree>(forest: &Forest<K>) -> Vec<NodeBits> {
    let trees = (0..2).map(|tree| forest.export(tree).unwrap());
    let nodes = trees.flat_map(|tree| tree.nodes).map(|node| {
        let bits = |split: Inequality| (split.normal[0].0, split.threshold.to_bits());
        let split = node.cut.map(bits);
        let mut prediction: Vec<_> = node.prediction.into_iter().map(f64::to_bits).collect();
        // Classes that have all been forgotten have a frequency of 0.
        while prediction.pop_if(|bits| *bits == 0).is_some() {}
        (split, node.samples, prediction)
    });
    nodes.collect()
}

/// Returns the number of splits of all trees.
pub(crate) fn splits<T: Task>(forest: &dyn OnlineLearner<Task = T>) -> usize {
    let trees = (0..forest.trees()).map(|tree| forest.export(tree).unwrap());
    let nodes = trees.flat_map(|tree| tree.nodes);
    nodes.filter(|node| node.cut.is_some()).count()
}

/// Compares the trees with those that are built at once of the samples that they hold.
fn are_batch_trees<K: OnlineTree<Settings = DynamicSettings>>(forest: &Forest<K>) -> bool {
    let store = forest.samples();
    let ids: Vec<_> = store.ids().collect();
    let rows = ids.iter().flat_map(|&id| store.features(id)).copied();
    let rows = Array2::from_shape_vec((ids.len(), store.width()), rows.collect()).unwrap();
    let targets: Vec<_> = ids.iter().map(|&id| store.target(id)).collect();
    let weights: Vec<_> = ids.iter().map(|&id| store.weight(id).value()).collect();
    let mut batch = self::forest::<K>(store.width(), forest.settings());
    let fitted = batch.fit_at_once(rows.view(), &targets, Some(&weights), &|| true);
    fitted.unwrap().unwrap();
    nodes(forest) == nodes(&batch)
}

/// Learns rows that `draw` returns, with weights, and forgets, at random. An exact tree is the batch tree after every
/// step; a lazy one holds together.
pub(crate) fn come_and_go<K>(
    seed: u64,
    width: usize,
    settings: &DynamicSettings,
    steps: usize,
    draw: fn(&mut TreeRng, usize) -> Vec<f32>,
    weight: fn(&mut TreeRng, usize) -> f64,
) where
    K: OnlineTree<Task: Drawn, Settings = DynamicSettings>,
{
    let mut rng = TreeRng::new(seed, 0);
    let mut forest = forest::<K>(width, settings);
    let mut held = Vec::new();
    let mut seen = 0u64;
    let mut rows: Vec<Vec<f32>> = Vec::new();
    for time in 0..steps {
        let grows = rng.below(10) < [9, 5, 8, 1][time * 4 / steps];
        if grows || held.is_empty() {
            let again = !rows.is_empty() && rng.below(4) == 0;
            let x = if again {
                rows[rng.below(rows.len())].clone()
            } else {
                draw(&mut rng, width)
            };
            let target = K::Task::draw(&mut rng, &x, time);
            learn(&mut forest, &x, target, weight(&mut rng, time));
            rows.push(x);
            held.push(seen);
            seen += 1;
        } else {
            let arrival = held.swap_remove(rng.below(held.len()));
            forest.forget(arrival).unwrap();
        }
        let step = (seed, width, time);
        let checked = forest.check_invariants();
        assert!(checked.is_ok(), "{step:?}: {checked:?}");
        let exact = settings.recheck == 0.0 && !held.is_empty();
        assert!(!exact || are_batch_trees(&forest), "{step:?}");
    }
}

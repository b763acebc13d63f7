//! What proceeds side by side changes nothing: points that are predicted together have the predictions of points alone,
//! and what is walked ahead of learning makes the trees of single rows.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::num::NonZeroU32;
use std::time::Instant;

use forest_core::ndarray::{Array2, s};
use forest_core::{
    Forest, ForestSettings, OnlineLearner, OnlineTree, Retention, Schema, Task, TreeRng, Vote,
};
use forest_testing::conformance::{self, ConformanceTask};
use mondrian::{MondrianRegressor, MondrianTree, TessellationSettings, fixed, increasing};
use tessellation_tree::{ClassFrequencies, KneserNey, LabelModel, LeafMeans};

use crate::{AggregatedClasses, AggregatedMeans, TargetOf};

const ROWS: usize = 700;

/// Points of a grid, so that many share a leaf or are alike.
fn points(rows: usize, features: usize, places: usize, seed: u64) -> Array2<f32> {
    let mut rng = TreeRng::new(seed, 0);
    Array2::from_shape_simple_fn((rows, features), || {
        rng.below(places) as f32 / places as f32
    })
}

/// Returns the expected prediction of the forest: the sum of those of its trees alone, in their order.
fn alone<L: LabelModel>(forest: &Forest<MondrianTree<L>>, x: &[f32]) -> Vec<f64> {
    let context = forest.context();
    let first = forest.trees().next().unwrap();
    let mut sum = vec![0.0; first.accumulator_width(&context.outputs)];
    for tree in forest.trees() {
        let mut accumulator = vec![f64::NAN; sum.len()];
        tree.vote(x, &context, &mut accumulator);
        forest_core::accumulate(&mut sum, &accumulator);
    }
    let mut prediction = vec![0.0; L::Task::width(&context.outputs)];
    first.finish(&sum, forest.trees().len(), &mut prediction);
    prediction
}

fn predictions_do_not_depend_on_blocks<L: LabelModel>(
    vote: Vote,
    target: fn(&[f32]) -> TargetOf<L>,
) {
    let asked = points(ROWS, 3, 50, 2);
    for (budget, rows) in [(f64::INFINITY, 600), (2.0, 600), (1.0, 1), (1.0, 0)] {
        let mut settings = fixed(budget);
        settings.labels.vote = vote;
        let trees = ForestSettings::default().with_trees(3).with_seed(4);
        let schema = Schema::new(3).unwrap();
        let mut forest = Forest::<MondrianTree<L>>::new(schema, settings, trees).unwrap();
        let learned = points(rows, 3, 50, 1);
        let targets = learned.rows().into_iter();
        let targets: Vec<_> = targets.map(|x| target(x.as_slice().unwrap())).collect();
        forest.learn(learned.view(), &targets).unwrap();
        let expected = asked.rows().into_iter();
        let expected = expected.map(|x| alone(&forest, x.as_slice().unwrap()));
        let expected: Vec<Vec<f64>> = expected.collect();
        for block in [1, 15, 16, 17, 64, ROWS] {
            for start in (0..ROWS).step_by(block) {
                let end = ROWS.min(start + block);
                let predictions = forest.predict(asked.slice(s![start..end, ..])).unwrap();
                for (own, expected) in predictions.rows().into_iter().zip(&expected[start..]) {
                    let same = own
                        .iter()
                        .zip(expected)
                        .all(|(a, b)| a.to_bits() == b.to_bits());
                    assert!(same, "{block} {budget}: {own} {expected:?}");
                }
            }
        }
    }
}

fn number(x: &[f32]) -> f64 {
    f64::from(x[0] + 10.0 * x[1]) / 7.0
}

fn class(x: &[f32]) -> u32 {
    (5.0 * x[0] + 3.0 * x[2]) as u32
}

#[test]
fn points_side_by_side_have_the_predictions_of_points_alone() {
    predictions_do_not_depend_on_blocks::<LeafMeans>(Vote::default(), number);
    predictions_do_not_depend_on_blocks::<AggregatedMeans>(Vote::default(), number);
    predictions_do_not_depend_on_blocks::<KneserNey>(Vote::default(), class);
    for vote in [Vote::Frequencies, Vote::Majority] {
        predictions_do_not_depend_on_blocks::<ClassFrequencies>(vote, class);
        predictions_do_not_depend_on_blocks::<AggregatedClasses>(vote, class);
    }
}

#[test]
fn large_trees_learn_and_predict_together_as_alone() {
    fn check<L: LabelModel<Task: ConformanceTask>>() {
        let build = conformance::forests::<MondrianTree<L>>(1, fixed(f64::INFINITY));
        conformance::large_trees_are_small_ones(&build).unwrap();
    }
    check::<LeafMeans>();
    check::<AggregatedMeans>();
    check::<AggregatedClasses>();
}

/// Learns the same rows in batches of several lengths and one by one.
fn batches_are_rows(settings: &TessellationSettings, retention: Retention) {
    let points = points(900, 2, 40, 6);
    let target = |row: usize| (row % 7) as f64;
    let trees = ForestSettings::default()
        .with_trees(3)
        .with_seed(3)
        .with_retention(retention);
    let empty = MondrianRegressor::new(Schema::new(2).unwrap(), settings.clone(), trees).unwrap();
    let mut alone = empty.clone();
    for (row, x) in points.rows().into_iter().enumerate() {
        alone.learn_one(x.as_slice().unwrap(), target(row)).unwrap();
    }
    for batch in [2, 3, 15, 16, 17, 40, 900] {
        let mut forest = empty.clone();
        for start in (0..900).step_by(batch) {
            let rows = start..900.min(start + batch);
            let targets: Vec<f64> = rows.clone().map(target).collect();
            forest.learn(points.slice(s![rows, ..]), &targets).unwrap();
            forest.check_invariants().unwrap();
        }
        assert!(forest.trees().eq(alone.trees()), "{batch} {settings:?}");
    }
}

#[test]
fn batches_make_the_trees_of_single_rows() {
    let small_leaves = TessellationSettings {
        max_uncut: 4,
        ..fixed(f64::INFINITY)
    };
    for settings in [
        fixed(f64::INFINITY),
        fixed(3.0),
        increasing(8.0, 2),
        small_leaves,
    ] {
        batches_are_rows(&settings, Retention::Everything);
        for window in [1, 2, 30] {
            batches_are_rows(&settings, Retention::Latest(window));
        }
    }
    let bounded = TessellationSettings {
        max_nodes: NonZeroU32::new(301),
        ..fixed(f64::INFINITY)
    };
    batches_are_rows(&bounded, Retention::Everything);
}

/// Batch after batch takes as long as the first one of another tree, which is learned beside it, so that a busy machine
/// slows both: a pass over the points of a leaf for each sample would take nine times as long in the sixth batch
/// already.
#[test]
fn sorted_points_take_linear_time_with_a_small_budget() {
    const BATCH: usize = 50_000;
    let one = ForestSettings::default().with_trees(1).with_seed(1);
    let empty = MondrianRegressor::new(Schema::new(1).unwrap(), fixed(3.0), one).unwrap();
    let seconds = |forest: &mut MondrianRegressor, start: usize, all: usize| {
        let features =
            Array2::from_shape_fn((BATCH, 1), |(row, _)| (start + row) as f32 / all as f32);
        let targets: Vec<f64> = (start..start + BATCH).map(|row| row as f64).collect();
        let begin = Instant::now();
        forest.learn(features.view(), &targets).unwrap();
        begin.elapsed().as_secs_f64()
    };
    let mut large = empty.clone();
    let mut least = f64::INFINITY;
    for batch in 0..10 {
        let late = seconds(&mut large, batch * BATCH, 10 * BATCH);
        if batch > 4 {
            least = least.min(late / seconds(&mut empty.clone(), 0, BATCH));
        }
    }
    assert!(
        least < 5.0,
        "late batches take {least:.1} times as long or more"
    );
    large.refine().unwrap();
    large.check_invariants().unwrap();
    assert!(large.footprint().nodes < 100);
}

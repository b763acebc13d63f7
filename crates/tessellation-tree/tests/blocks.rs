//! Points that are predicted side by side have the predictions of points that are predicted alone.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use forest_core::ndarray::{Array2, s};
use forest_core::{Forest, ForestSettings, OnlineLearner, OnlineTree, Schema, Task, TreeRng, Vote};
use forest_testing::conformance::{self, ConformanceTask};
use mondrian::{MondrianSettings, MondrianTree, fixed};
use tessellation_tree::LabelModel;
use tessellation_tree::{
    AggregatedClasses, AggregatedMeans, ClassAggregation, ClassFrequencies, KneserNey,
    KneserNeySettings, LeafMeans, MeanAggregation,
};

const ROWS: usize = 700;

fn points(seed: u64) -> Array2<f32> {
    let mut rng = TreeRng::new(seed, 0);
    Array2::from_shape_simple_fn((ROWS, 3), || rng.below(50) as f32 / 50.0)
}

/// Returns the expected prediction of the forest: the sum of those of its trees alone, in their order.
fn alone<L: LabelModel>(forest: &Forest<MondrianTree<L>>, x: &[f32]) -> Vec<f64> {
    let context = forest.context();
    let first = forest.trees().next().unwrap();
    let width = first.accumulator_width(&context.outputs);
    let mut sum = vec![0.0; width];
    for tree in forest.trees() {
        let mut accumulator = vec![f64::NAN; width];
        tree.vote(x, &context, &mut accumulator);
        let votes = sum.iter_mut().zip(accumulator);
        votes.for_each(|(sum, vote)| *sum += vote);
    }
    let mut prediction = vec![0.0; L::Task::width(&context.outputs)];
    first.finish(&sum, forest.trees().len(), &mut prediction);
    prediction
}

fn predictions_do_not_depend_on_blocks<L: LabelModel>(
    labels: L::Settings,
    target: impl Fn(&[f32]) -> <L::Task as Task>::Target,
) {
    for (budget, rows) in [(f64::INFINITY, 600), (2.0, 600), (1.0, 1), (1.0, 0)] {
        let settings = MondrianSettings {
            labels: labels.clone(),
            ..fixed(budget)
        };
        let trees = ForestSettings::default().with_trees(3).with_seed(4);
        let schema = Schema::new(3).unwrap();
        let mut forest = Forest::<MondrianTree<L>>::new(schema, settings, trees).unwrap();
        let (learned, asked) = (points(1), points(2));
        let targets: Vec<_> = learned
            .rows()
            .into_iter()
            .take(rows)
            .map(|x| target(x.as_slice().unwrap()))
            .collect();
        forest
            .learn(learned.slice(s![..rows, ..]), &targets)
            .unwrap();
        let expected: Vec<Vec<f64>> = asked
            .rows()
            .into_iter()
            .map(|x| alone(&forest, x.as_slice().unwrap()))
            .collect();
        for block in [1, 15, 16, 17, 64, ROWS] {
            for start in (0..ROWS).step_by(block) {
                let end = ROWS.min(start + block);
                let predictions = forest.predict(asked.slice(s![start..end, ..])).unwrap();
                for (prediction, expected) in predictions.rows().into_iter().zip(&expected[start..])
                {
                    let same = prediction
                        .iter()
                        .zip(expected)
                        .all(|(a, b)| a.to_bits() == b.to_bits());
                    assert!(same, "{block} {budget}: {prediction} {expected:?}");
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
    predictions_do_not_depend_on_blocks::<LeafMeans>((), number);
    predictions_do_not_depend_on_blocks::<AggregatedMeans>(MeanAggregation::default(), number);
    for vote in [Vote::Frequencies, Vote::Majority] {
        predictions_do_not_depend_on_blocks::<ClassFrequencies>(vote, class);
        let labels = ClassAggregation {
            vote,
            ..ClassAggregation::default()
        };
        predictions_do_not_depend_on_blocks::<AggregatedClasses>(labels, class);
    }
    predictions_do_not_depend_on_blocks::<KneserNey>(KneserNeySettings::default(), class);
}

#[test]
fn large_trees_learn_and_predict_together_as_alone() {
    fn check<L: LabelModel<Task: ConformanceTask>>(labels: &L::Settings) {
        let trees = ForestSettings::default().with_trees(1);
        let build = |schema, seed| {
            let settings = MondrianSettings {
                labels: labels.clone(),
                ..fixed(f64::INFINITY)
            };
            Forest::<MondrianTree<L>>::new(schema, settings, trees.with_seed(seed)).unwrap()
        };
        conformance::large_trees_are_small_ones(&build).unwrap();
    }
    check::<LeafMeans>(&());
    check::<AggregatedMeans>(&MeanAggregation::default());
    check::<AggregatedClasses>(&ClassAggregation::default());
}

//! Without labels a tree of the batch forest has the distribution of the tessellation tree.

use forest_core::{Classification, SampleStore, TreeRng};
use forest_testing::statistics::{same_distribution, same_frequencies};
use mondrian::AxisCuts;
use random_tessellation::batch::{BatchForest, BatchSettings, BatchTree, Rates};
use random_tessellation::{Budget, CutSettings, LinearCuts, Pause, TessellationSettings};
use tessellation_tree::{ClassFrequencies, CutDistribution, NodeView, TessellationTree};

use crate::{matrix, schema, training, trees};

const TREES: usize = 8_000;

/// Probability with which a comparison fails by chance.
const LEVEL: f64 = 1e-4;

/// What is compared of a tree.
struct Summary {
    leaves: usize,
    /// For each point the first one that shares its leaf.
    company: Vec<usize>,
    first_cut: f64,
    all_cuts: f64,
}

impl Summary {
    fn new(points: &[Vec<f32>], times: &[f64], together: impl Fn(&[f32], &[f32]) -> bool) -> Self {
        let first = |a: &Vec<f32>| points.iter().position(|b| together(a, b)).unwrap();
        Self {
            leaves: times.len() + 1,
            company: points[..5].iter().map(first).collect(),
            first_cut: times.first().copied().unwrap_or(f64::INFINITY),
            all_cuts: times.iter().sum(),
        }
    }
}

fn of_batch<D: CutDistribution>(points: &[Vec<f32>], tree: &BatchTree<D>) -> Summary {
    let together = |a: &[f32], b: &[f32]| tree.leaf_at(a) == tree.leaf_at(b);
    Summary::new(points, &tree.cut_times(), together)
}

fn of_engine<D: CutDistribution>(
    points: &[Vec<f32>],
    tree: &TessellationTree<D, ClassFrequencies>,
) -> Summary {
    let cuts = tree.walk().filter_map(|node: NodeView<'_, D>| node.cut());
    let mut times: Vec<f64> = cuts.map(|(_, time)| time).collect();
    times.sort_by(f64::total_cmp);
    Summary::new(points, &times, |a, b| tree.leaf_at(a) == tree.leaf_at(b))
}

/// Returns the smallest p-value of all respects.
fn p_value(one: &[Summary], other: &[Summary]) -> f64 {
    let company = |of: &[Summary]| of.iter().map(|s| s.company.clone()).collect::<Vec<_>>();
    let times = |of: &[Summary], time: fn(&Summary) -> f64| {
        let cut = of.iter().filter(|s| s.leaves > 1);
        cut.map(time).collect::<Vec<_>>()
    };
    let same_times =
        |time: fn(&Summary) -> f64| same_distribution(times(one, time), times(other, time));
    let leaves = |of: &[Summary]| of.iter().map(|s| s.leaves).collect::<Vec<_>>();
    [
        same_frequencies(leaves(one).into_iter(), leaves(other).into_iter()),
        same_frequencies(company(one).into_iter(), company(other).into_iter()),
        same_times(|s| s.first_cut),
        same_times(|s| s.all_cuts),
    ]
    .into_iter()
    .fold(1.0, f64::min)
}

/// Twelve points, two of them equal, the last four without labels if nothing is paused.
fn points(d: usize) -> Vec<Vec<f32>> {
    let mut rng = TreeRng::new(d as u64, 3);
    let mut points: Vec<Vec<f32>> = (0..12)
        .map(|_| (0..d).map(|_| rng.uniform() as f32).collect())
        .collect();
    points[11] = points[2].clone();
    points
}

/// Returns how probable the difference to the engine's trees is, if the distributions are the same.
fn against_the_engine<D: CutDistribution>(
    d: usize,
    cuts: &CutSettings,
    budget: f64,
    pause: Pause,
    rates: Rates,
) -> f64 {
    let points = points(d);
    let labels: Vec<u32> = (0..12).map(|i| u32::from(i % 4 == 3)).collect();
    let with_labels = if pause == Pause::Never { 8 } else { 12 };
    let settings = BatchSettings {
        cuts: cuts.clone(),
        budget,
        particles: 1,
        pause,
        rates,
        ..BatchSettings::default()
    };
    let (rows, test_rows) = points.split_at(with_labels);
    let [rows, test_rows] = [rows, &[test_rows, &points[..1]].concat()].map(matrix);
    let mut training = training(&rows, &labels[..with_labels]);
    training.test_rows = Some(test_rows.view());
    let forest = BatchForest::<D>::fit(schema(d), training, &settings, trees(TREES), |_| ());
    let batch: Vec<_> = forest
        .unwrap()
        .trees()
        .iter()
        .map(|tree| of_batch(&points, tree))
        .collect();
    p_value(&batch, &engine::<D>(&points, &labels, cuts, budget, pause))
}

fn engine<D: CutDistribution>(
    points: &[Vec<f32>],
    labels: &[u32],
    cuts: &CutSettings,
    budget: f64,
    pause: Pause,
) -> Vec<Summary> {
    let d = points[0].len();
    let store =
        SampleStore::<Classification>::with_samples(matrix(points).view(), labels, &schema(d));
    let settings = TessellationSettings {
        cuts: cuts.clone(),
        budget: Budget::Fixed(budget),
        pause,
        ..TessellationSettings::default()
    };
    let store = store.unwrap();
    let draw = |index| {
        let mut rng = TreeRng::new(99, index);
        let tree =
            TessellationTree::<D, ClassFrequencies>::batch(&store, &settings, budget, &mut rng);
        of_engine(points, &tree)
    };
    (0..TREES).map(draw).collect()
}

/// With budgets that give about three leaves.
fn has_the_law<D: CutDistribution>(d: usize, cuts: &CutSettings, budget: f64) {
    for pause in [Pause::Never, Pause::WhileLabelsAgree] {
        for budget in [budget, f64::INFINITY] {
            let p = against_the_engine::<D>(d, cuts, budget, pause, Rates::Exact);
            assert!(p > LEVEL, "d = {d}, {pause:?}, up to {budget}: p = {p}");
        }
    }
}

#[test]
fn uniform_and_weighted_trees_have_the_law_of_the_engine() {
    for d in [1, 2, 5] {
        has_the_law::<LinearCuts>(d, &CutSettings::default(), 3.0);
        let weights: Vec<f64> = (0..d).map(|i| 1.0 / (i + 1) as f64).collect();
        has_the_law::<LinearCuts>(d, &CutSettings::weighted(&weights), 3.0);
    }
}

#[test]
fn axis_aligned_and_sparse_trees_have_the_law_of_the_engine() {
    has_the_law::<AxisCuts>(2, &CutSettings::default(), 0.8);
    has_the_law::<AxisCuts>(3, &CutSettings::weighted(&[1.0, 0.0, 2.0]), 0.6);
}

#[test]
fn rates_of_balls_are_distinguished() {
    let p = |pause| {
        against_the_engine::<LinearCuts>(
            3,
            &CutSettings::default(),
            3.0,
            pause,
            Rates::BallAsPrinted,
        )
    };
    assert!(p(Pause::Never) < 1e-12 && p(Pause::WhileLabelsAgree) < 1e-12);
    let axes = CutSettings::default();
    let p = against_the_engine::<AxisCuts>(2, &axes, 0.8, Pause::Never, Rates::BallAsPrinted);
    assert!(p < 1e-12);
}

/// In one dimension the ball of a leaf is its hull.
#[test]
fn rates_of_balls_are_exact_on_a_line() {
    let p = against_the_engine::<LinearCuts>(
        1,
        &CutSettings::default(),
        3.0,
        Pause::Never,
        Rates::BallAsPrinted,
    );
    assert!(p > LEVEL);
}

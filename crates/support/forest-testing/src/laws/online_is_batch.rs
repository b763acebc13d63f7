//! Inserted, removed, widened, or in another unit: the online tree has the distribution of the one drawn at once.

use forest_core::ndarray::ArrayView2;
use forest_core::{
    Forest, ForestSettings, OnlineLearner, OnlineTree, Regression, SampleId, SampleStore, Schema,
    TreeRng,
};
use tessellation_tree::{Budget, CutDistribution};

use super::summary::{Summary, compare};
use super::{Experiment, Tree, target};
use crate::conformance::Broken;

/// When leaves are brought up to the budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refining {
    /// Once, after the last sample.
    AtTheEnd,
    /// After every sample.
    AfterEverySample,
}

/// Trees that got the points one by one and were refined to the budget have the distribution of trees drawn
/// from all points at once: number of leaves, size of the biggest, depths, who shares a leaf, cut
/// times, each by a two-sample test.
///
/// # Errors
/// The first respect in which they differ, with its p-value.
pub fn online_is_batch<D: CutDistribution>(
    experiment: &Experiment<'_, D>,
    refining: Refining,
) -> Result<(), Broken> {
    let (online, batch) = (online(experiment, refining), batch(experiment));
    compare("online_is_batch", experiment, &online, &batch)
}

/// Trees of two experiments on the same points have the same distribution.
///
/// # Errors
/// The first respect in which they differ, with its p-value.
pub fn compare_laws<A: CutDistribution, B: CutDistribution>(
    a: &Experiment<'_, A>,
    b: &Experiment<'_, B>,
) -> Result<(), Broken> {
    let other = Experiment {
        seed: b.seed ^ 0xB,
        ..b.clone()
    };
    let (one, other) = (
        online(a, Refining::AtTheEnd),
        online(&other, Refining::AtTheEnd),
    );
    compare("compare_laws", a, &one, &other)
}

/// Returns the trees of an experiment, their points one by one.
pub(super) fn online<D: CutDistribution>(
    experiment: &Experiment<'_, D>,
    refining: Refining,
) -> Vec<Summary> {
    let store = experiment.store();
    let context = experiment.context(&store);
    let grow = |index| {
        let mut rng = TreeRng::new(experiment.seed, index);
        let mut tree = Tree::<D>::new(experiment.features(), &experiment.settings.cuts);
        for id in 0..store.len() {
            tree.learn(SampleId::new(id), &context, &mut rng);
            if refining == Refining::AfterEverySample {
                let budget = experiment.settings.budget.at(id + 1);
                tree.refine(budget, &context, &mut rng);
            }
        }
        tree.refine(experiment.budget(), &context, &mut rng);
        Summary::of(&tree, experiment.points)
    };
    (0..experiment.trees).map(grow).collect()
}

pub(super) fn batch<D: CutDistribution>(experiment: &Experiment<'_, D>) -> Vec<Summary> {
    let (store, budget) = (experiment.store(), experiment.budget());
    let draw = |index| {
        let mut rng = TreeRng::new(experiment.seed ^ 0xBA7C, index);
        let tree = Tree::<D>::batch(&store, &experiment.settings, budget, &mut rng);
        Summary::of(&tree, experiment.points)
    };
    (0..experiment.trees).map(draw).collect()
}

/// Samples inserted before some are removed; the others are inserted afterwards.
const BEFORE: usize = 8;

/// Positions of the samples that are removed.
const REMOVED: [usize; 3] = [1, 3, 6];

/// Trees that got eight points, lost three of them in a random order, got the other points and were
/// refined have the distribution of trees drawn at once from the points that are left.
///
/// # Errors
/// The first respect in which they differ, with its p-value.
pub fn removal_keeps_the_law<D: CutDistribution>(
    experiment: &Experiment<'_, D>,
) -> Result<(), Broken> {
    let is_left = |(index, _): &(usize, &Vec<f32>)| !REMOVED.contains(index);
    let numbered = experiment.points.iter().enumerate();
    let left: Vec<Vec<f32>> = numbered
        .filter(is_left)
        .map(|(_, point)| point.clone())
        .collect();
    let mut store = experiment.store();
    let after: Vec<_> = (0..experiment.trees)
        .map(|index| changed(experiment, &store, &left, index))
        .collect();
    REMOVED
        .iter()
        .for_each(|&id| store.forget(SampleId::new(id)));
    let batch: Vec<_> = (0..experiment.trees)
        .map(|index| at_once(experiment, &store, &left, index))
        .collect();
    compare("removal_keeps_the_law", experiment, &after, &batch)
}

/// Returns the largest budget that the tree has seen: that of the samples held before the removals.
fn budget<D: CutDistribution>(experiment: &Experiment<'_, D>) -> f64 {
    let last = experiment.points.len() - REMOVED.len();
    experiment.settings.budget.at(last.max(BEFORE))
}

fn changed<D: CutDistribution>(
    experiment: &Experiment<'_, D>,
    store: &SampleStore<Regression>,
    left: &[Vec<f32>],
    index: usize,
) -> Summary {
    let context = experiment.context(store);
    let mut rng = TreeRng::new(experiment.seed, index);
    let mut tree = Tree::<D>::new(experiment.features(), &experiment.settings.cuts);
    (0..BEFORE).for_each(|id| tree.learn(SampleId::new(id), &context, &mut rng));
    let mut removed = REMOVED;
    rng.shuffle(&mut removed);
    for id in removed {
        tree.forget(SampleId::new(id), &context, &mut rng);
    }
    (BEFORE..store.len()).for_each(|id| tree.learn(SampleId::new(id), &context, &mut rng));
    tree.refine(budget(experiment), &context, &mut rng);
    Summary::of(&tree, left)
}

fn at_once<D: CutDistribution>(
    experiment: &Experiment<'_, D>,
    store: &SampleStore<Regression>,
    left: &[Vec<f32>],
    index: usize,
) -> Summary {
    let mut rng = TreeRng::new(experiment.seed ^ 0xBA7C, index);
    let tree = Tree::<D>::batch(store, &experiment.settings, budget(experiment), &mut rng);
    Summary::of(&tree, left)
}

/// Trees that learned the first `narrow` points of `experiment` without their last feature, and the others with it, have the distribution of
/// trees drawn at once from all points of `wide`: those of `experiment` with 0 for what the first had not.
///
/// # Errors
/// The first respect in which they differ, with its p-value.
pub fn widening_keeps_the_law<D: CutDistribution>(
    experiment: &Experiment<'_, D>,
    narrow: usize,
    wide: &Experiment<'_, D>,
) -> Result<(), Broken> {
    let widened = widened(experiment, narrow);
    let widened: Vec<_> = widened
        .trees()
        .map(|tree| Summary::of(tree, wide.points))
        .collect();
    compare("widening_keeps_the_law", wide, &widened, &batch(wide))
}

/// Returns all trees of an experiment as one forest.
fn widened<D: CutDistribution>(experiment: &Experiment<'_, D>, narrow: usize) -> Forest<Tree<D>> {
    let features = experiment.features();
    let schema = Schema::new(features - 1).expect("points have two dimensions or more");
    let settings = ForestSettings::default()
        .with_trees(experiment.trees)
        .with_seed(experiment.seed);
    let forest = Forest::new(schema, experiment.settings.clone(), settings);
    let mut forest = forest.expect("the settings of an experiment are sound");
    let (first, others) = experiment.points.split_at(narrow);
    learn(&mut forest, first, 0);
    forest.widen(features).expect("there is one feature more");
    learn(&mut forest, others, narrow);
    forest.refine_to(0.0);
    forest
}

/// Learns as many numbers of each point as the forest has features.
fn learn<D: CutDistribution>(forest: &mut Forest<Tree<D>>, points: &[Vec<f32>], first: usize) {
    let width = forest.schema().features();
    let cells = points.iter().flat_map(|point| &point[..width]);
    let cells: Vec<f32> = cells.copied().collect();
    let rows = ArrayView2::from_shape((points.len(), width), &cells).expect("rows are whole");
    let targets: Vec<f64> = (first..first + points.len()).map(target).collect();
    forest.learn(rows, &targets).expect("points are finite");
}

/// Points times `factor` and budgets over it give the same trees, whose cuts come at the times over it; bit for bit, as
/// `factor` is a power of two.
///
/// # Errors
/// The first tree that differs.
pub fn units_do_not_matter<D: CutDistribution>(
    experiment: &Experiment<'_, D>,
    factor: f32,
) -> Result<(), Broken> {
    let points = experiment.points.iter();
    let scaled: Vec<Vec<f32>> = points
        .map(|point| point.iter().map(|x| x * factor).collect())
        .collect();
    let mut other = experiment.clone();
    other.points = &scaled;
    other.settings.budget = over(experiment.settings.budget, factor.into());
    let grown = |experiment| online(experiment, Refining::AfterEverySample);
    let pairs = grown(experiment).into_iter().zip(grown(&other));
    for (index, (own, scaled)) in pairs.enumerate() {
        let back = scaled.with_times_by(factor.into());
        if own != back {
            return Err(Broken {
                check: "units_do_not_matter",
                how: format!("tree {index}, points times {factor}: {own:?}, and {back:?}"),
            });
        }
    }
    Ok(())
}

fn over(budget: Budget, factor: f64) -> Budget {
    match budget {
        Budget::Fixed(budget) => Budget::Fixed(budget / factor),
        Budget::Schedule { scale, power } => Budget::Schedule {
            scale: scale / factor,
            power,
        },
    }
}

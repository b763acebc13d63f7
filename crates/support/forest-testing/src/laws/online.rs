//! Inserted, removed, widened, or in another unit: the online tree has the distribution of the one drawn at once.

use forest_core::ndarray::ArrayView2;
use forest_core::{
    Forest, ForestContext, ForestSettings, OnlineLearner, OnlineTree, Regression, SampleId,
    SampleStore, Schema, TreeRng,
};
use tessellation_tree::{Budget, CutDistribution, NodeView, Pause, Side, Subtree};

use super::{Experiment, Tree, judge, target};
use crate::statistics::{same_distribution, same_frequencies};

/// Number of points whose partition into leaves is compared.
const TRACKED: usize = 5;

/// The shape of a tree over its points.
#[derive(Clone, Debug, PartialEq)]
struct Summary {
    leaves: usize,
    biggest: usize,
    /// For each tracked point, the first tracked point in the same leaf.
    partition: Vec<usize>,
    /// Depths of the leaves of the first and the last point.
    depths: [usize; 2],
    /// Time of the root's cut; infinite if it has none.
    first_cut: f64,
    /// Sum of all cut times: depends on later times too.
    all_cuts: f64,
}

impl Summary {
    fn of<D: CutDistribution>(tree: &Tree<D>, points: &[Vec<f32>]) -> Self {
        let cut_times = || {
            tree.walk()
                .filter_map(|node| node.cut())
                .map(|(_, time)| time)
        };
        let depth = |point: &Vec<f32>| tree.nodes_above(point).count();
        Self {
            leaves: tree.leaves().count(),
            biggest: tree.leaves().map(|leaf| leaf.points()).max().unwrap_or(0),
            partition: partition_of(tree, points),
            depths: [&points[0], &points[points.len() - 1]].map(depth),
            first_cut: cut_times().next().unwrap_or(f64::INFINITY),
            all_cuts: cut_times().sum(),
        }
    }
}

/// Returns, for each of the first few points, the first one that is in the same leaf.
pub(super) fn partition_of<D: CutDistribution>(tree: &Tree<D>, points: &[Vec<f32>]) -> Vec<usize> {
    let tracked = &points[..points.len().min(TRACKED)];
    let first = |a: &Vec<f32>| {
        let mut same = tracked.iter().map(|b| tree.leaf_at(a) == tree.leaf_at(b));
        same.position(|same| same).unwrap_or(TRACKED)
    };
    tracked.iter().map(first).collect()
}

/// Compares two samples of summaries in every respect.
fn compare(one: &[Summary], other: &[Summary]) {
    let frequencies = |what: &str, key: fn(&Summary) -> Vec<usize>| {
        let p = same_frequencies(one.iter().map(key), other.iter().map(key));
        judge(what, p);
    };
    frequencies("number of leaves, size of the biggest", |s| {
        vec![s.leaves, s.biggest]
    });
    frequencies("depths of the first and last point", |s| s.depths.to_vec());
    frequencies("which points share a leaf", |s| s.partition.clone());
    let times = |what: &str, time: fn(&Summary) -> f64| {
        let [one, other] = [one, other].map(|sample| {
            let cut = sample.iter().filter(|s| s.first_cut.is_finite());
            cut.map(time).collect()
        });
        judge(what, same_distribution(one, other));
    };
    times("time of the first cut", |s| s.first_cut);
    times("sum of all cut times", |s| s.all_cuts);
}

/// When leaves are brought up to the budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refining {
    /// Once, after the last sample.
    AtTheEnd,
    /// After every sample.
    AfterEverySample,
}

/// Checks that trees that got the points one by one and were refined to the budget have the distribution of trees drawn
/// from all points at once, in all respects of a summary.
pub(super) fn online_is_batch<D: CutDistribution>(
    experiment: &Experiment<'_, D>,
    refining: Refining,
) {
    compare(&online(experiment, refining), &batch(experiment));
}

/// Checks that trees of two experiments on the same points have the same distribution.
pub(super) fn compare_laws<A: CutDistribution, B: CutDistribution>(
    a: &Experiment<'_, A>,
    b: &Experiment<'_, B>,
) {
    let other = Experiment {
        seed: b.seed ^ 0xB,
        ..b.clone()
    };
    compare(
        &online(a, Refining::AtTheEnd),
        &online(&other, Refining::AtTheEnd),
    );
}

/// Returns the trees of an experiment, their points one by one.
fn online<D: CutDistribution>(experiment: &Experiment<'_, D>, refining: Refining) -> Vec<Summary> {
    let store = experiment.store();
    let context = experiment.context(&store);
    let grow = |index| {
        let tree = experiment.grown(&store, index, |tree, held, rng| {
            if refining == Refining::AfterEverySample {
                tree.refine_to(experiment.settings.budget.at(held), &context, rng);
            }
            if held == store.len() {
                tree.refine_to(experiment.budget(), &context, rng);
            }
        });
        Summary::of(&tree, experiment.points)
    };
    (0..experiment.trees).map(grow).collect()
}

fn batch<D: CutDistribution>(experiment: &Experiment<'_, D>) -> Vec<Summary> {
    at_once(
        experiment,
        &experiment.store(),
        experiment.budget(),
        experiment.points,
    )
}

/// Returns trees of what is held, drawn at once.
fn at_once<D: CutDistribution>(
    experiment: &Experiment<'_, D>,
    store: &SampleStore<Regression>,
    budget: f64,
    points: &[Vec<f32>],
) -> Vec<Summary> {
    let draw = |index| {
        let mut rng = TreeRng::new(experiment.seed ^ 0xBA7C, index);
        Summary::of(
            &Tree::<D>::batch(store, &experiment.settings, budget, &mut rng),
            points,
        )
    };
    (0..experiment.trees).map(draw).collect()
}

/// Samples inserted before some are removed; the others are inserted afterwards.
const BEFORE: usize = 8;

/// Positions of the samples that are removed.
const REMOVED: [usize; 3] = [1, 3, 6];

/// Checks that trees that got eight points, lost three of them in a random order, got the other points and were refined
/// have the distribution of trees drawn at once from the points that are left.
pub(super) fn removal_keeps_the_law<D: CutDistribution>(experiment: &Experiment<'_, D>) {
    let numbered = experiment.points.iter().enumerate();
    let left = numbered.filter(|(index, _)| !REMOVED.contains(index));
    let left: Vec<Vec<f32>> = left.map(|(_, point)| point.clone()).collect();
    let mut store = experiment.store();
    // The largest budget that the tree has seen: that of the samples held before the removals.
    let budget = experiment.settings.budget.at(left.len().max(BEFORE));
    let mut after = Vec::with_capacity(experiment.trees);
    for index in 0..experiment.trees {
        let context = experiment.context(&store);
        let tree = experiment.grown(&store, index, |tree, held, rng| {
            if held == BEFORE {
                let mut removed = REMOVED;
                rng.shuffle(&mut removed);
                for id in removed {
                    tree.forget(SampleId::new(id), &context, rng);
                }
            }
            if held == store.len() {
                tree.refine_to(budget, &context, rng);
            }
        });
        after.push(Summary::of(&tree, &left));
    }
    for id in REMOVED {
        store.forget(SampleId::new(id));
    }
    compare(&after, &at_once(experiment, &store, budget, &left));
}

/// Checks that trees that learned the first `narrow` points of `experiment` without their last feature, and the others
/// with it, have the distribution of trees drawn at once from the points of `wide`, with 0 for it.
pub(super) fn widening_keeps_the_law<D: CutDistribution>(
    experiment: &Experiment<'_, D>,
    narrow: usize,
    wide: &Experiment<'_, D>,
) {
    let features = experiment.features();
    let schema = Schema::new(features - 1).expect("points have two dimensions or more");
    let settings = ForestSettings::default().with_seed(experiment.seed);
    let settings = settings.with_trees(experiment.trees);
    let forest = Forest::<Tree<D>>::new(schema, experiment.settings.clone(), settings);
    let mut forest = forest.expect("the settings of an experiment are sound");
    let (first, others) = experiment.points.split_at(narrow);
    learn(&mut forest, first, 0);
    forest.widen(features).expect("there is one feature more");
    learn(&mut forest, others, narrow);
    forest.refine_to(0.0);
    let trees = forest.trees();
    let widened: Vec<_> = trees.map(|tree| Summary::of(tree, wide.points)).collect();
    compare(&widened, &batch(wide));
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

/// Checks that points times `factor`, a power of two, and budgets over it give the same trees, with times over it, bit
/// for bit.
pub(super) fn units_do_not_matter<D: CutDistribution>(experiment: &Experiment<'_, D>, factor: f32) {
    let points = experiment.points.iter();
    let scaled: Vec<Vec<f32>> = points
        .map(|point| point.iter().map(|x| x * factor).collect())
        .collect();
    let by = f64::from(factor);
    let mut other = experiment.clone();
    other.points = &scaled;
    other.settings.budget = match experiment.settings.budget {
        Budget::Fixed(budget) => Budget::Fixed(budget / by),
        Budget::Schedule { scale, power } => Budget::Schedule {
            scale: scale / by,
            power,
        },
    };
    let grown = |experiment| online(experiment, Refining::AfterEverySample);
    for (own, mut scaled) in grown(experiment).into_iter().zip(grown(&other)) {
        scaled.first_cut *= by;
        scaled.all_cuts *= by;
        assert_eq!(own, scaled, "points times {factor}");
    }
}

/// Checks that after each sample the leaf it reached is exposed to exactly the budget of that moment; if the sample is
/// alone, so is the leaf beside it. Leaves that may not be cut are exposed to nothing.
pub(super) fn learning_exposes_to_the_budget<D: CutDistribution>(experiment: &Experiment<'_, D>) {
    let store = experiment.store();
    let context = experiment.context(&store);
    for index in 0..experiment.trees {
        experiment.grown(&store, index, |tree, held, _| {
            if let Some(leaf) = exposed_leaf(tree, &experiment.points[held - 1]) {
                let expected = if may_be_cut(&leaf, &context) {
                    experiment.settings.budget.at(held)
                } else {
                    leaf.birth
                };
                assert_eq!(leaf.time(), expected, "tree {index} after {held} samples");
            }
        });
    }
}

/// Returns the leaf of a sample or, if the sample is alone in it, the leaf of several beside it.
fn exposed_leaf<'t, D: CutDistribution>(tree: &'t Tree<D>, x: &[f32]) -> Option<NodeView<'t, D>> {
    let path: Vec<NodeView<'t, D>> = tree.nodes_above(x).collect();
    let leaf = *path.last()?;
    if leaf.points() > 1 {
        return Some(leaf);
    }
    let parent = path.iter().rev().nth(1)?;
    let sides = [Side::Left, Side::Right].into_iter();
    let mut siblings = sides.filter_map(|side| parent.child(side));
    let is_other = |subtree| subtree != leaf.subtree && matches!(subtree, Subtree::Leaf(_));
    siblings.find(|other| is_other(other.subtree))
}

/// Returns whether a leaf may be cut, from the definitions of `max_uncut` and [`Pause`].
fn may_be_cut<D: CutDistribution>(
    leaf: &NodeView<'_, D>,
    context: &ForestContext<'_, Regression>,
) -> bool {
    let mut targets = leaf.samples().map(|id| context.samples.target(id));
    let first = targets.next();
    let agree = targets.all(|target| Some(target) == first);
    let settings: &<Tree<D> as OnlineTree>::Settings = context.settings();
    let pauses = settings.pause == Pause::WhileLabelsAgree && agree;
    leaf.points() > settings.max_uncut as usize && !pauses
}

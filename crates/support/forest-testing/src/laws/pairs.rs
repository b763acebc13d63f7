//! When pairs and sets of points are first cut, in closed form; and that looking at some of the points only changes nothing.

use forest_core::{SampleStore, TreeRng};
use tessellation_tree::{CutDistribution, NodeView};

use super::summary::company;
use super::{Experiment, Tree, judge};
use crate::conformance::Broken;
use crate::statistics;

/// In trees of all points, each pair (a, b) of the first few is still together at the budget t with
/// probability exp(−t·Λ({a, b})), where `pair_mass` is Λ({a, b}) in closed form.
///
/// Holds without a limit on splitting and for a fixed budget.
///
/// # Errors
/// The first pair that is together too often or too seldom.
pub fn pairs_separate_in_time<D: CutDistribution>(
    experiment: &Experiment<'_, D>,
    pair_mass: impl Fn(&[f32], &[f32]) -> f64,
) -> Result<(), Broken> {
    let points = &experiment.points[..experiment.points.len().min(5)];
    let trees = grown(experiment);
    for (index, a) in points.iter().enumerate() {
        for b in &points[..index] {
            let together = trees.iter().filter(|tree| tree.share_a_leaf(a, b)).count();
            let probability = (-experiment.budget() * pair_mass(a, b)).exp();
            let p = statistics::same_probability(together, trees.len(), probability);
            let what = format!("{a:?} and {b:?} together, expected {probability:.4}");
            judge("pairs_separate_in_time", &what, p)?;
        }
    }
    Ok(())
}

/// Trees that got the points one by one.
fn grown<D: CutDistribution>(experiment: &Experiment<'_, D>) -> Vec<Tree<D>> {
    let store = experiment.store();
    let grow = |index| grow_one(experiment, &store, index);
    (0..experiment.trees).map(grow).collect()
}

pub(super) fn grow_one<D: CutDistribution>(
    experiment: &Experiment<'_, D>,
    store: &SampleStore<forest_core::Regression>,
    index: usize,
) -> Tree<D> {
    use forest_core::{OnlineTree, SampleId};
    let mut rng = TreeRng::new(experiment.seed, index);
    let mut tree = Tree::<D>::new(experiment.features(), &experiment.settings.cuts);
    let context = experiment.context(store);
    for id in 0..store.len() {
        tree.learn(SampleId::new(id), &context, &mut rng);
    }
    tree
}

/// In trees without a limit on cutting and with an infinite budget, every subset of the first six
/// points is first cut at a time that is exponential with rate Λ(subset), where `mass` computes Λ.
///
/// # Errors
/// The first subset whose time has another distribution.
pub fn subsets_are_first_cut_in_time<D: CutDistribution>(
    experiment: &Experiment<'_, D>,
    mass: impl Fn(&[&[f32]]) -> f64,
) -> Result<(), Broken> {
    let points = experiment.points.len().min(6);
    let store = experiment.store();
    let trees: Vec<_> = (0..experiment.trees)
        .map(|index| nodes_of(&grow_one(experiment, &store, index)))
        .collect();
    for subset in 1u32..1 << points {
        let members: Vec<usize> = (0..points).filter(|i| subset & (1 << i) != 0).collect();
        if members.len() < 2 {
            continue;
        }
        let of_members: Vec<&[f32]> = members.iter().map(|&i| &experiment.points[i][..]).collect();
        let rate = mass(&of_members);
        let times = trees.iter().map(|nodes| rate * first_cut_of(nodes, subset));
        let p = statistics::has_distribution(times.collect(), |t| -(-t).exp_m1());
        judge(
            "subsets_are_first_cut_in_time",
            &format!("points {members:?}"),
            p,
        )?;
    }
    Ok(())
}

/// A node's samples, a bit each, and the time of its cut, infinite if it has none.
type Node = (u32, f64);

/// Returns the nodes of a tree, each after those above it.
fn nodes_of<D: CutDistribution>(tree: &Tree<D>) -> Vec<Node> {
    let bits = |node: &NodeView<'_, D>| node.samples().map(|id| 1u32 << id.index()).sum();
    let time = |node: &NodeView<'_, D>| node.cut().map_or(f64::INFINITY, |(_, time)| time);
    tree.walk().map(|node| (bits(&node), time(&node))).collect()
}

/// Returns the time of the first cut that has samples of `subset` on both sides.
fn first_cut_of(nodes: &[Node], subset: u32) -> f64 {
    let mut holding_all = nodes
        .iter()
        .filter(|(samples, _)| samples & subset == subset);
    let last = holding_all.next_back();
    last.expect("the root holds all points").1
}

/// Returns the partition of the first few points, from trees grown on all of them, has the distribution of trees
/// grown on the few alone. Holds without a limit on splitting.
///
/// # Errors
/// The p-value, if it has not.
pub fn subsets_are_consistent<D: CutDistribution>(
    experiment: &Experiment<'_, D>,
) -> Result<(), Broken> {
    let few = &experiment.points[..experiment.points.len().min(5)];
    let seed = TreeRng::new(experiment.seed, 0).bits();
    let alone = Experiment {
        points: few,
        seed,
        ..experiment.clone()
    };
    let partitions = |experiment: &Experiment<'_, D>| {
        let store = experiment.store();
        let partition = |index| {
            let tree = grow_one(experiment, &store, index);
            company(few, |a, b| tree.share_a_leaf(a, b))
        };
        (0..experiment.trees).map(partition).collect::<Vec<_>>()
    };
    let (whole, alone) = (partitions(experiment), partitions(&alone));
    let p = statistics::same_frequencies(whole.into_iter(), alone.into_iter());
    judge("subsets_are_consistent", "which points share a leaf", p)
}

//! When pairs and sets of points are first cut, in closed form; subsets of points; and cuts as they are read.

use forest_core::{Inequality, TreeRng};
use tessellation_tree::{CutDistribution, CutSettings, NodeView, Side};

use super::online::partition_of;
use super::{Experiment, Tree, judge};
use crate::statistics;

/// Checks that in trees of all points, each pair (a, b) of the first few is still together at the budget t with
/// probability exp(−t·Λ({a, b})), where `pair_mass` is Λ({a, b}) in closed form.
///
/// Holds without a limit on splitting and for a fixed budget.
pub(super) fn pairs_separate_in_time<D: CutDistribution>(
    experiment: &Experiment<'_, D>,
    pair_mass: impl Fn(&[f32], &[f32]) -> f64,
) {
    let points = &experiment.points[..experiment.points.len().min(5)];
    let trees = grown(experiment);
    for (index, a) in points.iter().enumerate() {
        for b in &points[..index] {
            let in_one = |tree: &&Tree<D>| tree.leaf_at(a) == tree.leaf_at(b);
            let together = trees.iter().filter(in_one).count();
            let probability = (-experiment.budget() * pair_mass(a, b)).exp();
            let p = statistics::same_probability(together, trees.len(), probability);
            let what = format!("{a:?} and {b:?} together, expected {probability:.4}");
            judge(&what, p);
        }
    }
}

/// Returns the trees of an experiment, which got the points one by one.
fn grown<D: CutDistribution>(experiment: &Experiment<'_, D>) -> Vec<Tree<D>> {
    let store = experiment.store();
    let grow = |index| experiment.grown(&store, index, |_, _, _| {});
    (0..experiment.trees).map(grow).collect()
}

/// Checks that in trees without a limit on cutting and with an infinite budget, every subset of the first six points is
/// first cut at a time that is exponential with rate Λ(subset), where `mass` computes Λ.
pub(super) fn subsets_are_first_cut_in_time<D: CutDistribution>(
    experiment: &Experiment<'_, D>,
    mass: impl Fn(&[&[f32]]) -> f64,
) {
    let points = experiment.points.len().min(6);
    let trees: Vec<_> = grown(experiment).iter().map(nodes_of).collect();
    for subset in 1u32..1 << points {
        let members: Vec<usize> = (0..points).filter(|i| subset & (1 << i) != 0).collect();
        if members.len() < 2 {
            continue;
        }
        let of_members: Vec<&[f32]> = members.iter().map(|&i| &experiment.points[i][..]).collect();
        let rate = mass(&of_members);
        let times = trees.iter().map(|nodes| rate * first_cut_of(nodes, subset));
        let p = statistics::has_distribution(times.collect(), |t| -(-t).exp_m1());
        judge(&format!("points {members:?}"), p);
    }
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
    let holds_all = |(samples, _): &&Node| samples & subset == subset;
    let last = nodes.iter().rfind(holds_all);
    last.expect("the root holds all points").1
}

/// Checks that trees of all points divide the first few as trees of these alone do, without a limit on splitting.
pub(super) fn subsets_are_consistent<D: CutDistribution>(experiment: &Experiment<'_, D>) {
    let few = &experiment.points[..experiment.points.len().min(5)];
    let seed = TreeRng::new(experiment.seed, 0).bits();
    let alone = Experiment {
        points: few,
        seed,
        ..experiment.clone()
    };
    let partitions = |experiment: &Experiment<'_, D>| {
        let store = experiment.store();
        let partition = |index| partition_of(&experiment.grown(&store, index, |_, _, _| {}), few);
        (0..experiment.trees).map(partition).collect::<Vec<_>>()
    };
    let p = statistics::same_frequencies(
        partitions(experiment).into_iter(),
        partitions(&alone).into_iter(),
    );
    judge("which points share a leaf", p);
}

/// Cuts, each tested with as many points.
const CUTS: usize = 300;

/// Checks that a point lies left of a cut just if it satisfies the cut's inequality, up to rounding.
pub(super) fn cuts_are_their_inequalities<D: CutDistribution>(d: usize, settings: &CutSettings) {
    let mut rng = TreeRng::new(d as u64, 3);
    let mut cuts = D::new(d, settings);
    let mut inequality = Inequality::default();
    let mut seen = 0;
    let mut left = 0;
    while seen < CUTS {
        let [a, b] = [point(d, &mut rng), point(d, &mut rng)];
        let rate = cuts.rate_between(&a, &b);
        let Some(cut) = cuts.draw_between([&a, &b], rate, &mut rng) else {
            continue;
        };
        seen += 1;
        cuts.inequality(&cut, &mut inequality);
        let sound = |(feature, entry): &(usize, f64)| *feature < d && *entry != 0.0;
        let normal = &inequality.normal;
        let is_sound = !normal.is_empty() && normal.iter().all(sound);
        assert!(is_sound, "{inequality:?}");
        for _ in 0..CUTS {
            let x = point(d, &mut rng);
            let beyond = inequality.value(&x) - inequality.threshold;
            let side = cuts.side(&cut, &x);
            let agree = (side == Side::Left) == (beyond <= 0.0);
            assert!(agree || beyond.abs() < 1e-9, "{inequality:?} at {x:?}");
            left += usize::from(side == Side::Left);
        }
        cuts.release(&cut);
    }
    // Cuts between random points have some on both sides.
    assert!((CUTS..CUTS * (CUTS - 1)).contains(&left), "{inequality:?}");
}

fn point(d: usize, rng: &mut TreeRng) -> Vec<f32> {
    (0..d).map(|_| 4.0 * rng.uniform() as f32 - 1.0).collect()
}

//! When sets of points are first cut, in closed form.

use crate::conformance::Broken;
use tessellation_tree::{CutDistribution, NodeView};

use super::pairs::grow_one;
use super::{Experiment, Tree, judge};
use crate::statistics;

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
    let time = |node: &NodeView<'_, D>| node.cut().map_or(f64::INFINITY, |cut| cut.time);
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

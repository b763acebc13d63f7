//! Self-consistency: looking at some of the points only.

use crate::conformance::Broken;
use forest_core::TreeRng;
use tessellation_tree::CutDistribution;

use super::pairs::grow_one;
use super::summary::company;
use super::{Experiment, judge};
use crate::statistics;

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

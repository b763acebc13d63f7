//! Online = batch, in distribution.

use crate::conformance::Broken;
use forest_core::{OnlineTree, SampleId, TreeRng};
use tessellation_tree::CutDistribution;

use super::summary::{Summary, compare};
use super::{Experiment, Tree};

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

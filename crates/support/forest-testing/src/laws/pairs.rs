//! Two points, in closed form.

use crate::conformance::Broken;
use forest_core::{SampleStore, TreeRng};
use tessellation_tree::CutDistribution;

use super::{Experiment, Tree, judge};
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

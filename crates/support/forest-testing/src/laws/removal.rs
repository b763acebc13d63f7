//! Removing samples.

use crate::conformance::Broken;
use forest_core::{ForgetTree, OnlineTree, Regression, SampleId, SampleStore, TreeRng};
use tessellation_tree::CutDistribution;

use super::summary::{Summary, compare};
use super::{Experiment, Tree};

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

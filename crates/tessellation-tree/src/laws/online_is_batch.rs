//! Online = batch, in law.

use forest_core::laws::Broken;
use forest_core::ndarray::Array2;
use forest_core::{Forest, OnlineLearner, Regression, Schema, TreeRng};

use super::summary::{Summary, compare};
use super::{Experiment, Tree, target};
use crate::{CutMeasure, Refine};

/// Trees that got the points one by one, then refined to the budget, have the law of trees drawn
/// from all points at once: number of leaves, size of the biggest, depths, who shares a leaf, cut
/// times, each by a two-sample test.
///
/// # Errors
/// The first respect in which they differ, with its p-value.
pub fn online_is_batch<M: CutMeasure>(experiment: &Experiment<'_, M>) -> Result<(), Broken> {
    let (online, batch) = (online(experiment), batch(experiment));
    compare("online_is_batch", experiment, &online, &batch)
}

pub(super) fn online<M: CutMeasure>(experiment: &Experiment<'_, M>) -> Vec<Summary> {
    let points = experiment.points;
    let schema = Schema::<Regression>::new(experiment.features()).expect("points have a dimension");
    let settings = experiment.settings.clone();
    let forest = Forest::<Tree<M>>::new(schema, settings, experiment.trees, experiment.seed);
    let mut forest = forest.expect("the settings are valid");
    let flat = points.concat();
    let rows = Array2::from_shape_vec((points.len(), experiment.features()), flat);
    let targets: Vec<f64> = (0..points.len()).map(target).collect();
    forest
        .learn(rows.expect("points agree in width").view(), &targets)
        .expect("finite points");
    forest.refine();
    forest
        .trees()
        .map(|tree| Summary::of(tree, points))
        .collect()
}

pub(super) fn batch<M: CutMeasure>(experiment: &Experiment<'_, M>) -> Vec<Summary> {
    let (store, budget) = (experiment.store(), experiment.budget());
    let (features, settings) = (experiment.features(), &experiment.settings);
    let draw = |index| {
        let mut rng = TreeRng::new(experiment.seed ^ 0xBA7C, index);
        let tree = Tree::<M>::batch(&store, features, settings, budget, &mut rng);
        Summary::of(&tree, experiment.points)
    };
    (0..experiment.trees).map(draw).collect()
}

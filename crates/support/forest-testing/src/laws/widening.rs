//! More features while a tree learns, in distribution.

use crate::conformance::Broken;
use forest_core::ndarray::ArrayView2;
use forest_core::{Forest, ForestSettings, OnlineLearner, Schema};
use tessellation_tree::WidenCuts;

use super::online_is_batch::batch;
use super::summary::{Summary, compare};
use super::{Experiment, Tree, target};

/// Trees that learned the first `narrow` points of `experiment` without their last feature, and the others with it, have the distribution of
/// trees drawn at once from all points of `wide`: those of `experiment` with 0 for what the first had not.
///
/// # Errors
/// The first respect in which they differ, with its p-value.
pub fn widening_keeps_the_law<D: WidenCuts>(
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
fn widened<D: WidenCuts>(experiment: &Experiment<'_, D>, narrow: usize) -> Forest<Tree<D>> {
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
fn learn<D: WidenCuts>(forest: &mut Forest<Tree<D>>, points: &[Vec<f32>], first: usize) {
    let width = forest.schema().features();
    let cells = points.iter().flat_map(|point| &point[..width]);
    let cells: Vec<f32> = cells.copied().collect();
    let rows = ArrayView2::from_shape((points.len(), width), &cells).expect("rows are whole");
    let targets: Vec<f64> = (first..first + points.len()).map(target).collect();
    forest.learn(rows, &targets).expect("points are finite");
}

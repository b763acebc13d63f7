//! No unit of the features is built in.

use forest_core::{OnlineTree, SampleId, TreeRng};
use forest_testing::conformance::Broken;

use super::summary::Summary;
use super::{Experiment, Tree};
use crate::{Budget, CutDistribution};

/// Points times `factor` and budgets over it give the same trees, whose cuts come at the times over it; bit for bit, as
/// `factor` is a power of two.
///
/// # Errors
/// The first tree that differs.
pub fn units_do_not_matter<D: CutDistribution>(
    experiment: &Experiment<'_, D>,
    factor: f32,
) -> Result<(), Broken> {
    let points = experiment.points.iter();
    let scaled: Vec<Vec<f32>> = points
        .map(|point| point.iter().map(|x| x * factor).collect())
        .collect();
    let mut other = experiment.clone();
    other.points = &scaled;
    other.settings.budget = over(experiment.settings.budget, factor.into());
    for index in 0..experiment.trees {
        let (own, scaled) = (grow(experiment, index), grow(&other, index));
        let back = scaled.with_times_by(factor.into());
        if own != back {
            return Err(Broken {
                law: "units_do_not_matter",
                how: format!("tree {index}, points times {factor}: {own:?}, and {back:?}"),
            });
        }
    }
    Ok(())
}

fn over(budget: Budget, factor: f64) -> Budget {
    match budget {
        Budget::Fixed(budget) => Budget::Fixed(budget / factor),
        Budget::Schedule { scale, power } => Budget::Schedule {
            scale: scale / factor,
            power,
        },
    }
}

/// A tree that has all points, refined after every other one.
fn grow<D: CutDistribution>(experiment: &Experiment<'_, D>, index: usize) -> Summary {
    let store = experiment.store();
    let context = experiment.context(&store);
    let mut rng = TreeRng::new(experiment.seed, index);
    let mut tree = Tree::<D>::new(experiment.features(), &experiment.settings.cuts);
    for id in 0..store.len() {
        tree.learn(SampleId::new(id), &context, &mut rng);
        if id % 2 == 1 {
            tree.refine(experiment.settings.budget.at(id + 1), &context, &mut rng);
        }
    }
    Summary::of(&tree, experiment.points)
}

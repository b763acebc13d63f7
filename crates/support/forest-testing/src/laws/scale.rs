//! No unit of the features is built in.

use crate::conformance::Broken;
use tessellation_tree::{Budget, CutDistribution};

use super::Experiment;
use super::online_is_batch::{Refining, online};

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
    let grown = |experiment| online(experiment, Refining::AfterEverySample);
    let pairs = grown(experiment).into_iter().zip(grown(&other));
    for (index, (own, scaled)) in pairs.enumerate() {
        let back = scaled.with_times_by(factor.into());
        if own != back {
            return Err(Broken {
                check: "units_do_not_matter",
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

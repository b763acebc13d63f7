//! The learner by name.

use forest_core::parameters::Values;
use forest_core::registry::{Built, Entry, WINDOW};
use forest_core::{Classification, ForestSettings, Regression, Schema};

use crate::settings::PARAMETERS;
use crate::{ResidualClassifier, ResidualClassifierSettings, ResidualForest, ResidualSettings};

/// The algorithms of this crate, as rows of the table.
pub const ALGORITHMS: &[&Entry] = &[RESIDUAL_FOREST];

/// `residual-forest`: for numbers chains of residual stages of dynamic trees, for classes a mixture of the readings of one forest.
pub const RESIDUAL_FOREST: &Entry = &Entry {
    paper: "ours, after Friedman: Greedy Function Approximation, Annals of Statistics 29, 2001",
    trees: 100,
    parameters: &[&PARAMETERS, &[WINDOW]],
    classes: Some(classes),
    numbers: Some(numbers),
    ..Entry::new(
        "residual-forest",
        "dynamic trees in an online mixture: for classes read at nodes of several sizes, beside a linear and a quadratic function; for numbers boosted row by row",
    )
};

fn classes(
    v: &mut Values,
    schema: Schema<Classification>,
    forest: ForestSettings,
) -> Built<Classification> {
    let (settings, forest) = (ResidualClassifierSettings::of(v), v.window(forest));
    Ok(Box::new(ResidualClassifier::new(schema, settings, forest)?))
}

fn numbers(
    v: &mut Values,
    schema: Schema<Regression>,
    forest: ForestSettings,
) -> Built<Regression> {
    let (settings, forest) = (ResidualSettings::of(v), v.window(forest));
    Ok(Box::new(ResidualForest::new(schema, settings, forest)?))
}

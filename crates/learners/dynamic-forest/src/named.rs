//! The forest by name.

use forest_core::parameters::Values;
use forest_core::registry::{Built, Entry, WINDOW};
use forest_core::{Classification, Forest, ForestSettings, Regression, Schema};

use crate::{DynamicSettings, DynamicTree, PARAMETERS};

/// The algorithms of this crate, as rows of the table.
pub const ALGORITHMS: &[&Entry] = &[DYNAMIC_EXTRA_TREES];

// Constants are compiled where they are used: unit tests, which use none, need not compile the learners. What makes learners is a
// function without type parameters, which is compiled in this crate, and once.

/// `dynamic-extra-trees`: trees that are a function of the samples they hold.
pub const DYNAMIC_EXTRA_TREES: &Entry = &Entry {
    paper: "ours, after Geurts, Ernst, Wehenkel: Extremely Randomized Trees, Machine Learning 63, 2006",
    trees: 100,
    parameters: &[PARAMETERS, &[WINDOW]],
    classes: Some(classes),
    numbers: Some(numbers),
    ..Entry::new(
        "dynamic-extra-trees",
        "extra trees kept up to date as samples arrive and leave: exactly the trees that a batch build would give, or nearly",
    )
};

fn classes(
    v: &mut Values,
    schema: Schema<Classification>,
    forest: ForestSettings,
) -> Built<Classification> {
    let (settings, forest) = (DynamicSettings::of(v), v.window(forest));
    Ok(Box::new(Forest::<DynamicTree<Classification>>::new(
        schema, settings, forest,
    )?))
}

fn numbers(
    v: &mut Values,
    schema: Schema<Regression>,
    forest: ForestSettings,
) -> Built<Regression> {
    let (settings, forest) = (DynamicSettings::of(v), v.window(forest));
    Ok(Box::new(Forest::<DynamicTree<Regression>>::new(
        schema, settings, forest,
    )?))
}

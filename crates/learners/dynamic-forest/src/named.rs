//! The forest by name.

use forest_core::parameters::Values;
use forest_core::registry::{Built, Entry, WINDOW};
use forest_core::{Forest, ForestSettings, Schema};

use crate::{DynamicSettings, DynamicTree, Labels, PARAMETERS};

/// The algorithms of this crate, as rows of the table.
pub const ALGORITHMS: &[&Entry] = &[DYNAMIC_EXTRA_TREES];

// Constants are compiled where they are used: unit tests, which use none, need not compile the learners.

/// `dynamic-extra-trees`: trees that are a function of the samples they hold.
pub const DYNAMIC_EXTRA_TREES: &Entry = &Entry {
    paper: "ours, after Geurts, Ernst, Wehenkel: Extremely Randomized Trees, Machine Learning 63, 2006",
    trees: 100,
    parameters: &[PARAMETERS, &[WINDOW]],
    classes: Some(build),
    numbers: Some(build),
    ..Entry::new(
        "dynamic-extra-trees",
        "extra trees kept up to date as samples arrive and leave: exactly the trees that a batch build would give, or nearly",
    )
};

fn build<T: Labels>(v: &mut Values, schema: Schema<T>, forest: ForestSettings) -> Built<T> {
    let (settings, forest) = (DynamicSettings::of(v), v.window(forest));
    Ok(Box::new(Forest::<DynamicTree<T>>::new(
        schema, settings, forest,
    )?))
}

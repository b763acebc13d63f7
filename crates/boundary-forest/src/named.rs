//! The forest by name.

use forest_core::parameters::Values;
use forest_core::registry::{Built, Entry};
use forest_core::{Classification, ForestSettings, Regression, Schema};

use crate::settings::PARAMETERS;
use crate::{BoundaryForest, TreeSettings};

/// The algorithms of this crate, as rows of the table.
pub const ALGORITHMS: &[&Entry] = &[BOUNDARY_FOREST];

// Constants are compiled where they are used: unit tests, which use none, need not compile the learners. What makes learners is a
// function without type parameters, which is compiled in this crate, and once.

/// `boundary-forest`.
pub const BOUNDARY_FOREST: &Entry = &Entry {
    paper: "Mathy, Derbinsky, Bento, Rosenthal, Yedidia: The Boundary Forest Algorithm for Online \
        Supervised and Unsupervised Learning, AAAI 2015",
    limits: &[
        "sorted or time-ordered data take a time that is quadratic in the rows: shuffle them first",
        "rows sorted by their class have two to three times the log loss (docs/algorithms.md)",
        "at most 2³⁰ samples",
    ],
    parameters: &[&PARAMETERS],
    classes: Some(classes),
    numbers: Some(numbers),
    ..Entry::new(
        "boundary-forest",
        "trees of the samples that they predicted wrong; predicts from the nearest samples found",
    )
};

fn classes(
    v: &mut Values,
    schema: Schema<Classification>,
    forest: ForestSettings,
) -> Built<Classification> {
    let settings = TreeSettings::of(v);
    Ok(Box::new(BoundaryForest::new(schema, settings, forest)?))
}

fn numbers(
    v: &mut Values,
    schema: Schema<Regression>,
    forest: ForestSettings,
) -> Built<Regression> {
    let settings = TreeSettings::of(v);
    Ok(Box::new(BoundaryForest::new(schema, settings, forest)?))
}

//! The forest by name.

use forest_core::parameters::Values;
use forest_core::registry::{Built, Entry};
use forest_core::{ForestSettings, Schema, Task};

use crate::label::Label;
use crate::settings::PARAMETERS;
use crate::{BoundaryForest, TreeSettings};

/// The algorithms of this crate, as rows of the table.
pub const ALGORITHMS: &[&Entry] = &[BOUNDARY_FOREST];

// Constants are compiled where they are used: unit tests, which use none, need not compile the learners.

/// `boundary-forest`.
pub const BOUNDARY_FOREST: &Entry = &Entry {
    paper: "Mathy, Derbinsky, Bento, Rosenthal, Yedidia: The Boundary Forest Algorithm for Online \
        Supervised and Unsupervised Learning, AAAI 2015",
    limits: &[
        "sorted or time-ordered data take a time that is quadratic in the rows: shuffle them first",
        "rows sorted by their class have two to three times the log loss (docs/algorithms.md)",
        "at most 2³⁰ samples",
    ],
    parameters: &PARAMETERS,
    classes: Some(build),
    numbers: Some(build),
    ..Entry::new(
        "boundary-forest",
        "trees of the samples that they predicted wrong; predicts from the nearest samples found",
    )
};

fn build<T: Task<Target: Label>>(
    v: &mut Values,
    schema: Schema<T>,
    forest: ForestSettings,
) -> Built<T> {
    let built = BoundaryForest::new(schema, TreeSettings::of(v), forest)?;
    Ok(Box::new(built))
}

//! The forest by name.

use forest_core::parameters::Parameter;
use forest_core::registry::{Declared as _, Entry, Kind, Named, NamedTask, Role};
use forest_core::{Classification, ForestSettings, Regression, Schema, SettingError};

use crate::label::Label;
use crate::settings::EPSILON;
use crate::{BoundaryForest, TreeSettings};

/// The algorithms of this crate, as rows of the table.
pub const ALGORITHMS: &[&Entry] = &[BOUNDARY_FOREST];

// Constants are compiled where they are used: unit tests, which use none, need not compile the learners. What makes learners is a
// function without type parameters, which is compiled in this crate, and once.

/// `boundary-forest`.
pub const BOUNDARY_FOREST: &Entry = &Entry {
    name: "boundary-forest",
    description: "trees of the samples that they predicted wrong; predicts from the nearest samples found",
    paper: "Mathy, Derbinsky, Bento, Rosenthal, Yedidia: The Boundary Forest Algorithm for Online \
        Supervised and Unsupervised Learning, AAAI 2015",
    limits: &[
        "sorted or time-ordered data take a time that is quadratic in the rows: shuffle them first",
        "rows sorted by their class have two to three times the log loss (docs/algorithms.md)",
        "at most 2³⁰ samples",
    ],
    role: Role::Forest,
    trees: ForestSettings::TREES,
    aliases: &[],
    classification: Some(classifiers),
    regression: Some(regressors),
};

/// Classes are equal or not: no threshold is among their parameters.
fn classifiers() -> Vec<Kind<Classification>> {
    let mut parameters = TreeSettings::parameters();
    parameters.retain(|parameter| parameter.name != EPSILON.name);
    forests(parameters)
}

fn regressors() -> Vec<Kind<Regression>> {
    forests(TreeSettings::parameters())
}

fn forests<T: NamedTask<Target: Label>>(parameters: Vec<&'static Parameter>) -> Vec<Kind<T>> {
    let start = |_| TreeSettings::default();
    vec![Kind::new::<BoundaryForest<T>>([], parameters, start)]
}

impl<T: NamedTask<Target: Label>> Named for BoundaryForest<T> {
    type Settings = TreeSettings;

    fn build(
        schema: Schema<T>,
        settings: TreeSettings,
        forest: ForestSettings,
    ) -> Result<Self, SettingError> {
        Self::new(schema, settings, forest)
    }

    fn trees(&self) -> usize {
        self.trees.len()
    }
}

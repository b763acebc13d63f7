//! The forest by name.

use forest_core::registry::{Declared, Entry, Kind, NamedTask, Role, WINDOW};
use forest_core::{Classification, Forest, Regression};

use crate::{DynamicSettings, DynamicTree, Labels};

/// The algorithms of this crate, as rows of the table.
pub const ALGORITHMS: &[&Entry] = &[DYNAMIC_EXTRA_TREES];

// Constants are compiled where they are used: unit tests, which use none, need not compile the learners. What makes learners is a
// function without type parameters, which is compiled in this crate, and once.

/// `dynamic-extra-trees`: trees that are a function of the samples they hold.
pub const DYNAMIC_EXTRA_TREES: &Entry = &Entry {
    name: "dynamic-extra-trees",
    description: "extra trees kept up to date as samples arrive and leave: exactly the trees that a batch build would give, or nearly",
    paper: "ours, after Geurts, Ernst, Wehenkel: Extremely Randomized Trees, Machine Learning 63, 2006",
    limits: &[],
    role: Role::Forest,
    trees: 100,
    aliases: &[],
    classification: Some(classifiers),
    regression: Some(regressors),
};

fn classifiers() -> Vec<Kind<Classification>> {
    kinds()
}

fn regressors() -> Vec<Kind<Regression>> {
    kinds()
}

fn kinds<T: Labels + NamedTask>() -> Vec<Kind<T>> {
    let parameters = DynamicSettings::parameters().into_iter().chain([&WINDOW]);
    let start = |_| DynamicSettings::default();
    vec![Kind::new::<Forest<DynamicTree<T>>>([], parameters, start)]
}

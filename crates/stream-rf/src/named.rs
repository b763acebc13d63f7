//! Both forests by name, where dimensions are features.

use forest_core::registry::{Entry, Kind, Role, learner};
use forest_core::{Classification, ForestSettings, Regression};

use crate::{SaffariClassifier, SaffariRegressor, StreamClassifier, StreamRegressor};

/// The algorithms of this crate, as rows of the table.
pub const ALGORITHMS: &[&Entry] = &[STREAM_RF, SAFFARI];

// Constants are compiled where they are used: unit tests, which use none, need not compile the learners. What makes learners is a
// function without type parameters, which is compiled in this crate, and once.

/// `stream-rf`: the stream-partitioned forest.
pub const STREAM_RF: &Entry = &Entry {
    name: "stream-rf",
    description: "splits by gain on one part of the stream, votes from the other: consistent",
    paper: "Denil, Matheson, de Freitas: Consistency of Online Random Forests, ICML 2013",
    limits: &[
        "rows in random order: sorted by their target they have up to three times the log loss (docs/algorithms.md)",
    ],
    role: Role::Forest,
    trees: ForestSettings::TREES,
    aliases: &[],
    classification: Some(stream_classifiers),
    regression: Some(stream_regressors),
};

/// `saffari`: the online forest that its paper compares with.
pub const SAFFARI: &Entry = &Entry {
    name: "saffari",
    description: "online bagging, random tests, splits by gain once a leaf has enough points",
    paper: "Saffari, Leistner, Santner, Godec, Bischof: On-line Random Forests, ICCV workshops 2009",
    limits: &[
        "rows in random order: sorted by their target they have up to three times the log loss (docs/algorithms.md)",
    ],
    role: Role::Forest,
    trees: ForestSettings::TREES,
    aliases: &[],
    classification: Some(saffari_classifiers),
    regression: Some(saffari_regressors),
};

fn stream_classifiers() -> Vec<Kind<Classification>> {
    learner::<StreamClassifier>()
}

fn stream_regressors() -> Vec<Kind<Regression>> {
    learner::<StreamRegressor>()
}

fn saffari_classifiers() -> Vec<Kind<Classification>> {
    learner::<SaffariClassifier>()
}

fn saffari_regressors() -> Vec<Kind<Regression>> {
    learner::<SaffariRegressor>()
}

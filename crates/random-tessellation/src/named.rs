//! Random tessellation forests by name.

use forest_core::parameters::{Parameter, Values};
use forest_core::registry::{Alias, Built, Entry, MAX_NODES, VOTE};
use forest_core::{Classification, ForestSettings, Regression, Schema};
use tessellation_tree::{
    AGGREGATION, BUDGET, BUDGET_SCALE, LABELS, LABELS_WINDOW, MIN_POINTS, PAUSE,
    TessellationSettings, UPDATE, classifier, regressor,
};

use crate::settings::{NORMAL_WEIGHTS, default_scale};
use crate::{CutNormals, LinearCuts};

/// The algorithms of this crate, as rows of the table.
pub const ALGORITHMS: &[&Entry] = &[URTF];

// Constants are compiled where they are used: unit tests, which use none, need not compile the learners. What makes learners is a
// function without type parameters, which is compiled in this crate, and once.

/// `urtf`: every direction alike, or weighted features.
pub const URTF: &Entry = &Entry {
    paper: PAPER,
    parameters: &[
        &[BUDGET, MIN_POINTS, PAUSE, UPDATE, VOTE],
        &[
            LABELS_WINDOW,
            NORMAL_WEIGHTS,
            MAX_NODES,
            LABELS,
            SCALE_BY_BALLS,
        ],
        &AGGREGATION,
    ],
    aliases: &[Alias {
        name: "wurtf",
        description: "cuts whose normals are weighted by feature, up to a fixed budget",
        paper: PAPER,
        preset: "weights=equal",
        task: None,
    }],
    classes: Some(classes),
    numbers: Some(numbers),
    ..Entry::new(
        "urtf",
        "cuts in uniform directions, up to a fixed budget; online and batch trees have one distribution",
    )
};

const PAPER: &str = "Ge, Wang, Teh, Wang, Elliott: Random Tessellation Forests, NeurIPS 2019";

/// Where the mass of a ball is its radius, that of a segment of length 1 is c_d.
const SCALE_BY_BALLS: Parameter = BUDGET_SCALE.with_default("8/c_d");

fn classes(
    v: &mut Values,
    schema: Schema<Classification>,
    forest: ForestSettings,
) -> Built<Classification> {
    let settings = settings(v, schema.features());
    classifier::<LinearCuts>(v, settings, schema, forest)
}

fn numbers(
    v: &mut Values,
    schema: Schema<Regression>,
    forest: ForestSettings,
) -> Built<Regression> {
    let settings = settings(v, schema.features());
    regressor::<LinearCuts>(v, settings, schema, forest)
}

fn settings(v: &mut Values, features: usize) -> TessellationSettings<CutNormals, ()> {
    let normals = CutNormals::of(v);
    TessellationSettings::of(v, normals, features, default_scale(features))
}

//! Random tessellation forests by name.

use forest_core::parameters::{Parameter, Rule};
use forest_core::registry::{Alias, Entry, MAX_NODES, VOTE};
use tessellation_tree::{
    AGGREGATION, Aggregated, BUDGET, BUDGET_SCALE, ClassCounts, ClassFrequencies, LABELS,
    LABELS_WINDOW, LeafMeans, MIN_POINTS, PAUSE, SquaredErrors, UPDATE, either,
};

use crate::LinearCuts;

/// The algorithms of this crate, as rows of the table.
pub const ALGORITHMS: &[&Entry] = &[URTF];

// Constants are compiled where they are used: unit tests, which use none, need not compile the learners.

/// `urtf`: every direction alike, or weighted features.
pub const URTF: &Entry = &Entry {
    paper: PAPER,
    parameters: &[
        &[BUDGET, MIN_POINTS, PAUSE, UPDATE, VOTE],
        &[LABELS_WINDOW, WEIGHTS, MAX_NODES, LABELS, SCALE_BY_BALLS],
        &AGGREGATION,
    ],
    aliases: &[Alias {
        name: "wurtf",
        description: "cuts whose normals are weighted by feature, up to a fixed budget",
        paper: PAPER,
        preset: "weights=equal",
        task: None,
    }],
    classes: Some(either::<LinearCuts, ClassFrequencies, Aggregated<ClassCounts>>),
    numbers: Some(either::<LinearCuts, LeafMeans, Aggregated<SquaredErrors>>),
    ..Entry::new(
        "urtf",
        "cuts in uniform directions, up to a fixed budget; online and batch trees have one distribution",
    )
};

const PAPER: &str = "Ge, Wang, Teh, Wang, Elliott: Random Tessellation Forests, NeurIPS 2019";

/// Where the mass of a ball is its radius, that of a segment of length 1 is c_d.
const SCALE_BY_BALLS: Parameter = BUDGET_SCALE.with_default("8/c_d");

/// The weights of `urtf`. Equal weights have the distribution of none, from other draws.
const WEIGHTS: Parameter = Parameter::new(
    "weights",
    Rule::Or(&Rule::NUMBERS, &["none", "equal"]),
    "none",
    "weight of each feature, separated by `/`: the standard deviation of a normal's entry; none: every direction alike",
);

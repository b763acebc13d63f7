//! Random tessellation forests by name.

use forest_core::parameters::Parameter;
use forest_core::registry::{Alias, Entry, Kind, MAX_NODES, Role, VOTE, WINDOW};
use forest_core::{Classification, ForestSettings, Regression};
use tessellation_tree::{BUDGET, BUDGET_SCALE, MIN_POINTS, PAUSE, TessellationSettings, UPDATE};
use tessellation_tree::{LABELS, Tessellation};

use crate::settings::NORMAL_WEIGHTS;
use crate::{CutNormals, LinearCuts, increasing};

/// The algorithms of this crate, as rows of the table.
pub const ALGORITHMS: &[&Entry] = &[URTF];

// Constants are compiled where they are used: unit tests, which use none, need not compile the learners. What makes learners is a
// function without type parameters, which is compiled in this crate, and once.

/// `urtf`: every direction alike, or weighted features.
pub const URTF: &Entry = &Entry {
    name: "urtf",
    description: "cuts in uniform directions, up to a fixed budget; online and batch trees have one distribution",
    paper: PAPER,
    limits: &[],
    role: Role::Forest,
    trees: ForestSettings::TREES,
    aliases: &[Alias {
        name: "wurtf",
        description: "cuts whose normals are weighted by feature, up to a fixed budget",
        paper: PAPER,
        preset: "weights=equal",
        task: None,
    }],
    classification: Some(|| classifiers(&UNIFORM)),
    regression: Some(|| regressors(&UNIFORM)),
};

const PAPER: &str = "Ge, Wang, Teh, Wang, Elliott: Random Tessellation Forests, NeurIPS 2019";

fn classifiers(row: &'static Tessellation<LinearCuts>) -> Vec<Kind<Classification>> {
    row.classifiers()
}

fn regressors(row: &'static Tessellation<LinearCuts>) -> Vec<Kind<Regression>> {
    row.regressors()
}

/// Where the mass of a ball is its radius, that of a segment of length 1 is c_d.
const SCALE_BY_BALLS: Parameter = BUDGET_SCALE.with_default("8/c_d");

static UNIFORM: Tessellation<LinearCuts> = Tessellation {
    only: None,
    budget: BUDGET,
    schedule: &[SCALE_BY_BALLS],
    parameters: &[
        &[MIN_POINTS, PAUSE, UPDATE, VOTE, WINDOW],
        &[NORMAL_WEIGHTS, MAX_NODES, LABELS],
    ],
    fixed: |_| up_to_any_budget(CutNormals::Uniform),
    increasing: |features| increasing(CutNormals::Uniform, features),
};

fn up_to_any_budget(cuts: CutNormals) -> TessellationSettings<CutNormals, ()> {
    TessellationSettings {
        cuts,
        ..TessellationSettings::default()
    }
}

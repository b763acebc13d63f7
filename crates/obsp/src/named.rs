//! BSP-Forests by name.

use forest_core::parameters::Parameter;
use forest_core::registry::{Alias, Entry, Kind, MAX_NODES, Role, VOTE, WINDOW};
use forest_core::{Classification, ForestSettings, Regression};
use tessellation_tree::{BUDGET, BUDGET_SCALE, INCREASING, MIN_POINTS, PAUSE, UPDATE};
use tessellation_tree::{LABELS, Tessellation};

use crate::settings::RATE;
use crate::{PairCuts, exact, fixed};

/// The algorithms of this crate, as rows of the table.
pub const ALGORITHMS: &[&Entry] = &[OBSP];

/// `obsp`: the exact online forest.
///
/// Constants are compiled where they are used: unit tests, which do not use it, need not compile the learners. What makes
/// learners is a function without type parameters, which is compiled in this crate, and once.
pub const OBSP: &Entry = &Entry {
    name: "obsp",
    description: "cuts oblique in two axes, a growing budget; online and batch trees have one distribution",
    paper: PAPER,
    limits: &[
        "few features: at the same budget its trees are cut about d − 1 times as often as axis-aligned ones in d \
         dimensions, so with hundreds of features a forest takes gigabytes; reduce them first",
    ],
    role: Role::Forest,
    trees: ForestSettings::TREES,
    // The paper's forest is a majority of majorities.
    aliases: &[Alias {
        name: "obsp-redraw",
        description: "the paper's Algorithm 4 as printed: leaves drawn again at every arrival",
        paper: PAPER,
        preset: "budget_scale=1,update=redraw,vote=majority",
        task: None,
    }],
    classification: Some(classifiers),
    regression: Some(regressors),
};

const PAPER: &str = "Fan, Li, Sisson: Online Binary Space Partitioning Forests, AISTATS 2020";

fn classifiers() -> Vec<Kind<Classification>> {
    PAIRS.classifiers()
}

fn regressors() -> Vec<Kind<Regression>> {
    PAIRS.regressors()
}

static PAIRS: Tessellation<PairCuts> = Tessellation {
    only: None,
    budget: BUDGET.with_default(INCREASING),
    schedule: &[BUDGET_SCALE],
    parameters: &[
        &[UNCUT, PAUSE, UPDATE, VOTE, RATE],
        &[WINDOW, MAX_NODES, LABELS],
    ],
    fixed: |_| fixed(f64::INFINITY),
    increasing: |features| exact(crate::BUDGET_SCALE, features),
};

/// The paper leaves nodes of three points uncut (Alg. 4, line 3).
const UNCUT: Parameter = MIN_POINTS.with_default("3");

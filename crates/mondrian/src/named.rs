//! Mondrian forests by name.

use forest_core::parameters::Parameter;
use forest_core::registry::{Alias, Entry, Kind, MAX_NODES, Role, VOTE, WINDOW};
use forest_core::{Classification, ForestSettings, Regression, Task as _};
use tessellation_tree::{AGGREGATED, AXIS_LABELS, Tessellation};
use tessellation_tree::{BUDGET, BUDGET_SCALE, FIXED_BUDGET, MIN_POINTS, PAUSE, UPDATE};

use crate::{AxisCuts, MondrianSettings, WEIGHTS, increasing};

/// The algorithms of this crate, as rows of the table.
pub const ALGORITHMS: &[&Entry] = &[MONDRIAN, AMF];

// Constants are compiled where they are used: unit tests, which use none, need not compile the learners. What makes learners is a
// function without type parameters, which is compiled in this crate, and once.

/// `mondrian`: axis-aligned cuts up to a budget.
pub const MONDRIAN: &Entry = &Entry {
    name: "mondrian",
    description: "axis-aligned cuts up to a fixed budget; online and batch trees have one distribution",
    paper: NIPS_2014,
    limits: &[],
    role: Role::Forest,
    trees: ForestSettings::TREES,
    aliases: &[
        Alias {
            name: "mondrian-increasing",
            description: "axis-aligned cuts up to a budget that grows with the number of samples",
            paper: "Mourtada, Gaïffas, Scornet: Universal Consistency and Minimax Rates for Online \
                Mondrian Forests, NIPS 2017",
            preset: "budget=increasing,pause=never",
            task: None,
        },
        Alias {
            name: "mondrian-2014",
            description: "axis-aligned cuts; class probabilities smoothed along the path, and points branch off",
            paper: NIPS_2014,
            preset: "labels=hierarchical",
            task: Some(Classification::NAME),
        },
        Alias {
            name: "mondrian-2016",
            description: "axis-aligned cuts; means smoothed along the path, with variances and intervals",
            paper: "Lakshminarayanan, Roy, Teh: Mondrian Forests for Large-Scale Regression when Uncertainty \
                Matters, AISTATS 2016",
            preset: "labels=hierarchical,pause=never",
            task: Some(Regression::NAME),
        },
        Alias {
            name: "mrtf",
            description: "the Mondrian process as a tessellation: axis-aligned cuts, up to a fixed budget",
            preset: "pause=never",
            ..TESSELLATION
        },
        Alias {
            name: "wmrtf",
            description: "axis-aligned cuts whose features have weights, up to a fixed budget",
            preset: "pause=never,weights=equal",
            ..TESSELLATION
        },
    ],
    classification: Some(|| classifiers(&AXES)),
    regression: Some(|| regressors(&AXES)),
};

/// `amf`: the mixture over all prunings of fully grown trees.
pub const AMF: &Entry = &Entry {
    name: "amf",
    description: "axis-aligned cuts; predicts by all prunings of its trees, weighted by their losses",
    paper: "Mourtada, Gaïffas, Scornet: AMF: Aggregated Mondrian Forests for Online Learning, \
        JRSS B 2021",
    limits: &[],
    role: Role::Forest,
    trees: ForestSettings::TREES,
    aliases: &[],
    classification: Some(|| classifiers(&PRUNINGS)),
    regression: Some(|| regressors(&PRUNINGS)),
};

const NIPS_2014: &str = "Lakshminarayanan, Roy, Teh: Mondrian Forests: Efficient Online Random Forests, \
    NIPS 2014";

/// What the aliases of the tessellation paper have in common.
const TESSELLATION: Alias = Alias {
    name: "",
    description: "",
    paper: "Ge, Wang, Teh, Wang, Elliott: Random Tessellation Forests, NeurIPS 2019",
    preset: "",
    task: None,
};

fn classifiers(row: &'static Tessellation<AxisCuts>) -> Vec<Kind<Classification>> {
    row.axis_aligned_classifiers()
}

fn regressors(row: &'static Tessellation<AxisCuts>) -> Vec<Kind<Regression>> {
    row.axis_aligned_regressors()
}

static AXES: Tessellation<AxisCuts> = Tessellation {
    only: None,
    budget: BUDGET,
    schedule: &[BUDGET_SCALE],
    parameters: &[
        &[MIN_POINTS, PAUSE_IF_PURE, UPDATE, VOTE, WINDOW],
        &[WEIGHTS, MAX_NODES, AXIS_LABELS],
    ],
    fixed: |_| MondrianSettings::default(),
    increasing: |features| increasing(crate::BUDGET_SCALE, features),
};

static PRUNINGS: Tessellation<AxisCuts> = Tessellation {
    only: Some(AGGREGATED),
    budget: FIXED_BUDGET,
    schedule: &[],
    parameters: &[&[MIN_POINTS, PAUSE_IF_PURE, UPDATE, VOTE, MAX_NODES]],
    ..AXES
};

/// The 2014 forest pauses leaves whose labels agree.
const PAUSE_IF_PURE: Parameter = PAUSE.with_default("pure");

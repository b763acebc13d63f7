//! Random tessellation forests by name.

use forest_core::{Classification, ForestSettings, Regression};
use label_models::{Draws, LABELS, Tessellation};
use registry::parameters::Parameter;
use registry::{Alias, Entry, Kind, MAX_NODES, Role, VOTE, WINDOW};
use tessellation_tree::planar::HalfPlane;
use tessellation_tree::{
    BUDGET, BUDGET_POWER, BUDGET_SCALE, MIN_POINTS, NamedCuts, PAUSE, TessellationSettings, UPDATE,
};

use crate::declared::{DIRECTION_COUNT, DIRECTION_FEATURES, NORMAL_WEIGHTS, SPARSE_FEATURES};
use crate::{CutNormals, DirectionSettings, LinearCut, LinearCuts, SparseSettings, increasing};

/// The algorithms of this crate, as rows of the table.
pub const ALGORITHMS: &[&Entry] = &[URTF, SPARSE, DIRECTIONS];

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
    aliases: &[
        Alias {
            name: "wurtf",
            description: "cuts whose normals are weighted by feature, up to a fixed budget",
            preset: "weights=equal",
            ..OF_THE_PAPER
        },
        Alias {
            name: "urtf-increasing",
            description: "as urtf, up to a budget that grows with the number of samples",
            preset: "budget=increasing",
            ..OF_THE_PAPER
        },
        Alias {
            name: "wurtf-increasing",
            description: "as wurtf, up to a budget that grows with the number of samples",
            preset: "budget=increasing,weights=equal",
            ..OF_THE_PAPER
        },
        Alias {
            name: "aggregated-urtf",
            description: "cuts of every direction alike; predicts by all prunings of its trees, as amf does",
            preset: "labels=aggregated",
            ..OF_THE_PAPER
        },
    ],
    classification: Some(|| classifiers(&UNIFORM)),
    regression: Some(|| regressors(&UNIFORM)),
};

/// `sparse`: few features a cut.
pub const SPARSE: &Entry = &Entry {
    name: "sparse",
    description: "cuts of every direction alike among a few random features",
    role: Role::Variant,
    trees: ForestSettings::TREES,
    aliases: &[Alias {
        name: "sparse-increasing",
        description: "as sparse, up to a budget that grows with the number of samples",
        preset: "budget=increasing",
        ..OF_THE_PAPER
    }],
    classification: Some(|| classifiers(&FEW_FEATURES)),
    regression: Some(|| regressors(&FEW_FEATURES)),
    ..*URTF
};

/// `directions`: a finite set of directions a tree.
pub const DIRECTIONS: &Entry = &Entry {
    name: "directions",
    description: "cuts along a finite set of directions that each tree draws for itself",
    role: Role::Variant,
    trees: ForestSettings::TREES,
    aliases: &[
        Alias {
            name: "directions-increasing",
            description: "as directions, up to a budget that grows with the number of samples",
            preset: "budget=increasing",
            ..OF_THE_PAPER
        },
        Alias {
            name: "aggregated-directions",
            description: "a finite set of directions a tree; predicts by all prunings of its trees, as amf does",
            preset: "labels=aggregated",
            ..OF_THE_PAPER
        },
    ],
    classification: Some(|| classifiers(&FINITE)),
    regression: Some(|| regressors(&FINITE)),
    ..*URTF
};

const PAPER: &str = "Ge, Wang, Teh, Wang, Elliott: Random Tessellation Forests, NeurIPS 2019";

const OF_THE_PAPER: Alias = Alias {
    name: "",
    description: "",
    paper: PAPER,
    preset: "",
    task: None,
};

fn classifiers(row: &'static Tessellation<LinearCuts>) -> Vec<Kind<Classification>> {
    row.classifiers::<Draws>()
}

fn regressors(row: &'static Tessellation<LinearCuts>) -> Vec<Kind<Regression>> {
    row.regressors::<Draws>()
}

impl NamedCuts for LinearCuts {
    fn half_plane(&self, cut: &LinearCut) -> HalfPlane {
        self.normals.half_plane(cut)
    }

    fn rows() -> &'static [&'static Entry] {
        ALGORITHMS
    }
}

const HOW_TO_CUT: &[Parameter] = &[MIN_POINTS, PAUSE, UPDATE, VOTE, WINDOW];
const BOUND_AND_LABELS: &[Parameter] = &[MAX_NODES, LABELS];

/// Where the mass of a ball is its radius, that of a segment of length 1 is c_d.
const SCALE_BY_BALLS: Parameter = BUDGET_SCALE.with_default("8/c_d");

static UNIFORM: Tessellation<LinearCuts> = Tessellation {
    only: None,
    budget: BUDGET,
    schedule: &[SCALE_BY_BALLS, BUDGET_POWER],
    parameters: &[HOW_TO_CUT, &[NORMAL_WEIGHTS], BOUND_AND_LABELS],
    fixed: |_| up_to_any_budget(CutNormals::Uniform),
    increasing: |features| increasing(CutNormals::Uniform, features),
};

/// Its schedule is that of axis-aligned cuts: the mass of a segment along an axis is its length, as for the Mondrian process.
static FEW_FEATURES: Tessellation<LinearCuts> = Tessellation {
    schedule: &[BUDGET_SCALE, BUDGET_POWER],
    parameters: &[HOW_TO_CUT, &[SPARSE_FEATURES], BOUND_AND_LABELS],
    fixed: |_| up_to_any_budget(CutNormals::Sparse(SparseSettings::default())),
    increasing: |features| increasing(CutNormals::Sparse(SparseSettings::default()), features),
    ..UNIFORM
};

static FINITE: Tessellation<LinearCuts> = Tessellation {
    parameters: &[
        HOW_TO_CUT,
        &[DIRECTION_COUNT, DIRECTION_FEATURES],
        BOUND_AND_LABELS,
    ],
    fixed: |_| up_to_any_budget(CutNormals::Finite(DirectionSettings::default())),
    increasing: |features| increasing(CutNormals::Finite(DirectionSettings::default()), features),
    ..UNIFORM
};

fn up_to_any_budget(cuts: CutNormals) -> TessellationSettings<CutNormals, ()> {
    TessellationSettings {
        cuts,
        ..TessellationSettings::default()
    }
}

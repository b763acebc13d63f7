//! BSP-Forests by name.

use forest_core::{Classification, ForestSettings, Regression};
use label_models::{Draws, LABELS, Tessellation};
use registry::parameters::Parameter;
use registry::{Alias, Entry, Kind, MAX_NODES, Role, VOTE, WINDOW};
use tessellation_tree::planar::HalfPlane;
use tessellation_tree::{
    BUDGET, BUDGET_POWER, BUDGET_SCALE, INCREASING, MIN_POINTS, NamedCuts, PAUSE, UPDATE,
};

use crate::pairs::RATE;
use crate::{PairCut, PairCuts, exact, fixed};

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
    aliases: &[
        Alias {
            name: "obsp-fixed",
            description: "cuts oblique in two axes up to a fixed budget",
            preset: "budget=inf",
            ..OF_THE_PAPER
        },
        // The paper's forest is a majority of majorities.
        Alias {
            name: "obsp-redraw",
            description: "the paper's Algorithm 4 as printed: leaves drawn again at every arrival",
            preset: "budget_scale=1,update=redraw,vote=majority",
            ..OF_THE_PAPER
        },
        Alias {
            name: "aggregated-obsp",
            description: "cuts oblique in two axes; predicts by all prunings of its trees, as amf does",
            preset: "budget=inf,min_points=1,labels=aggregated",
            ..OF_THE_PAPER
        },
        Alias {
            name: "obsp-hierarchical",
            description: "cuts oblique in two axes; predictions smoothed along the path, and points branch off",
            preset: "labels=hierarchical",
            ..OF_THE_PAPER
        },
    ],
    classification: Some(classifiers),
    regression: Some(regressors),
};

const PAPER: &str = "Fan, Li, Sisson: Online Binary Space Partitioning Forests, AISTATS 2020";

const OF_THE_PAPER: Alias = Alias {
    name: "",
    description: "",
    paper: PAPER,
    preset: "",
    task: None,
};

fn classifiers() -> Vec<Kind<Classification>> {
    PAIRS.classifiers::<Draws>()
}

fn regressors() -> Vec<Kind<Regression>> {
    PAIRS.regressors::<Draws>()
}

impl NamedCuts for PairCuts {
    /// Points of two features have one pair of axes, the plane itself.
    fn half_plane(&self, cut: &PairCut) -> HalfPlane {
        HalfPlane {
            point: cut.point,
            normal: cut.normal.map(f64::from),
        }
    }

    fn rows() -> &'static [&'static Entry] {
        ALGORITHMS
    }
}

static PAIRS: Tessellation<PairCuts> = Tessellation {
    only: None,
    budget: BUDGET.with_default(INCREASING),
    schedule: &[BUDGET_SCALE, BUDGET_POWER],
    parameters: &[
        &[UNCUT, PAUSE, UPDATE, VOTE, RATE],
        &[WINDOW, MAX_NODES, LABELS],
    ],
    fixed: |_| fixed(f64::INFINITY),
    increasing: |features| exact(crate::BUDGET_SCALE, features),
};

/// The paper leaves nodes of three points uncut (Alg. 4, line 3).
const UNCUT: Parameter = MIN_POINTS.with_default("3");

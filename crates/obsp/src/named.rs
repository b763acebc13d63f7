//! BSP-Forests by name.

use forest_core::{Classification, Regression};
use registry::parameters::Parameter;
use registry::{Entry, Kind, MAX_NODES, Role, VOTE, WINDOW};
use tessellation_tree::{
    AGGREGATED, BUDGET, BUDGET_POWER, BUDGET_SCALE, Budget, Draws, HIERARCHICAL, LABELS,
    LabelSettings, MIN_POINTS, NamedCuts, PAUSE, Tessellation, UPDATE, Update,
};

use crate::pairs::RATE;
use crate::{BspSettings, PAPER_BUDGET_SCALE, PairCuts, exact, fixed, redraw};

/// The algorithms of this crate, as rows of a table.
///
/// Associated constants are compiled where they are used: unit tests, which use none, need not compile the learners. What makes
/// learners is a function without type parameters, which is compiled in this crate, and once.
#[derive(Debug)]
pub struct Algorithms;

impl Algorithms {
    /// `obsp`: the exact online forest.
    pub const OBSP: &'static Entry = &Entry {
        classification: Some(|| classifiers(&OF_GROWING_BUDGET)),
        regression: Some(|| regressors(&OF_GROWING_BUDGET)),
        ..row(
            "obsp",
            "cuts oblique in two axes, a growing budget; the online tree has the batch law",
        )
    };

    /// `obsp-fixed`: a fixed budget.
    pub const OBSP_FIXED: &'static Entry = &Entry {
        classification: Some(|| classifiers(&OF_FIXED_BUDGET)),
        regression: Some(|| regressors(&OF_FIXED_BUDGET)),
        ..variant(
            "obsp-fixed",
            "cuts oblique in two axes up to a fixed budget",
        )
    };

    /// `obsp-redraw`: the paper's algorithm as printed.
    pub const OBSP_REDRAW: &'static Entry = &Entry {
        classification: Some(|| classifiers(&AS_PRINTED)),
        regression: Some(|| regressors(&AS_PRINTED)),
        ..variant(
            "obsp-redraw",
            "the paper's Algorithm 4 as printed: leaves drawn anew at every arrival",
        )
    };

    /// `aggregated-obsp`: the mixture over all prunings of fully grown trees.
    pub const AGGREGATED_OBSP: &'static Entry = &Entry {
        classification: Some(|| classifiers(&OF_PRUNINGS)),
        regression: Some(|| regressors(&OF_PRUNINGS)),
        ..variant(
            "aggregated-obsp",
            "cuts oblique in two axes; predicts by all prunings of its trees, as amf does",
        )
    };

    /// `obsp-hierarchical`: predictions smoothed along the path.
    pub const OBSP_HIERARCHICAL: &'static Entry = &Entry {
        classification: Some(|| classifiers(&SMOOTHED)),
        regression: Some(|| regressors(&SMOOTHED)),
        ..variant(
            "obsp-hierarchical",
            "cuts oblique in two axes; predictions smoothed along the path, and points branch off",
        )
    };
}

const fn variant(name: &'static str, description: &'static str) -> Entry {
    Entry {
        role: Role::Variant,
        ..row(name, description)
    }
}

const fn row(name: &'static str, description: &'static str) -> Entry {
    Entry {
        name,
        description,
        paper: "Fan, Li, Sisson: Online Binary Space Partitioning Forests, AISTATS 2020",
        limits: &[
            "few features: at the same budget its trees are cut about d − 1 times as often as axis-aligned ones in d \
             dimensions, so with hundreds of features a forest takes gigabytes; reduce them first",
        ],
        role: Role::Forest,
        classification: None,
        regression: None,
    }
}

fn classifiers(row: &'static Tessellation<PairCuts>) -> Vec<Kind<Classification>> {
    row.classifiers()
}

fn regressors(row: &'static Tessellation<PairCuts>) -> Vec<Kind<Regression>> {
    row.regressors()
}

impl NamedCuts for PairCuts {
    type Branching = Draws;

    fn rows() -> &'static [&'static Entry] {
        &[
            Algorithms::OBSP,
            Algorithms::OBSP_FIXED,
            Algorithms::OBSP_REDRAW,
            Algorithms::AGGREGATED_OBSP,
            Algorithms::OBSP_HIERARCHICAL,
        ]
    }

    fn row<L: LabelSettings>(settings: &BspSettings<L>) -> &'static Entry {
        match (settings.budget, settings.update) {
            (Budget::Fixed(_), _) => Algorithms::OBSP_FIXED,
            (Budget::Schedule { .. }, Update::Redraw) => Algorithms::OBSP_REDRAW,
            (Budget::Schedule { .. }, _) => Algorithms::OBSP,
        }
    }
}

static OF_GROWING_BUDGET: Tessellation<PairCuts> = Tessellation {
    only: None,
    parameters: &[
        &[BUDGET_SCALE, BUDGET_POWER, UNCUT, PAUSE, VOTE, RATE],
        &[WINDOW, MAX_NODES, LABELS],
    ],
    start: |features| exact(crate::BUDGET_SCALE, features),
};

static OF_FIXED_BUDGET: Tessellation<PairCuts> = Tessellation {
    only: None,
    parameters: &[
        &[BUDGET, UNCUT, PAUSE, UPDATE, VOTE, RATE],
        &[WINDOW, MAX_NODES, LABELS],
    ],
    start: |_| fixed(f64::INFINITY),
};

/// The paper's forest is a majority of majorities.
static AS_PRINTED: Tessellation<PairCuts> = Tessellation {
    only: None,
    parameters: &[
        &[BUDGET_SCALE.with_default("1"), BUDGET_POWER, UNCUT, PAUSE],
        &[VOTE.with_default("majority"), RATE, WINDOW, MAX_NODES],
        &[LABELS],
    ],
    start: |features| redraw(PAPER_BUDGET_SCALE, features),
};

static OF_PRUNINGS: Tessellation<PairCuts> = Tessellation {
    only: Some(AGGREGATED),
    parameters: &[&[BUDGET, MIN_POINTS, PAUSE, VOTE, RATE, MAX_NODES]],
    ..OF_FIXED_BUDGET
};

static SMOOTHED: Tessellation<PairCuts> = Tessellation {
    only: Some(HIERARCHICAL),
    parameters: &[
        &[BUDGET_SCALE, BUDGET_POWER, UNCUT, PAUSE, VOTE, RATE],
        &[WINDOW, MAX_NODES],
    ],
    ..OF_GROWING_BUDGET
};

/// The paper leaves nodes of three points uncut (Alg. 4, line 3).
const UNCUT: Parameter = MIN_POINTS.with_default("3");

//! Mondrian forests by name.

use forest_core::{Classification, Forest, Regression, Widen};
use registry::parameters::Parameter;
use registry::{Entry, Kind, MAX_NODES, Role, VOTE, WINDOW};
use tessellation_tree::{
    AGGREGATED, BUDGET, BUDGET_POWER, BUDGET_SCALE, Boxes, Budget, HIERARCHICAL, LABELS,
    LabelModel, LabelSettings, MIN_POINTS, NamedCuts, PAUSE, Tessellation, UPDATE,
};

use crate::{AxisCuts, MondrianSettings, MondrianTree, increasing};

/// The algorithms of this crate, as rows of a table.
///
/// Associated constants are compiled where they are used: unit tests, which use none, need not compile the learners. What makes
/// learners is a function without type parameters, which is compiled in this crate, and once.
#[derive(Debug)]
pub struct Algorithms;

impl Algorithms {
    /// `mondrian`: a fixed budget.
    pub const MONDRIAN: &'static Entry = &Entry {
        name: "mondrian",
        description: "axis-aligned cuts up to a fixed budget; the online tree has the batch law",
        paper: "Lakshminarayanan, Roy, Teh: Mondrian Forests: Efficient Online Random Forests, \
            NIPS 2014",
        limits: &[],
        role: Role::Forest,
        classification: Some(|| classifiers(&OF_FIXED_BUDGET)),
        regression: Some(|| regressors(&OF_FIXED_BUDGET)),
    };

    /// `mondrian-increasing`: a budget that grows.
    pub const MONDRIAN_INCREASING: &'static Entry = &Entry {
        name: "mondrian-increasing",
        description: "axis-aligned cuts up to a budget that grows with the number of samples",
        paper: "Mourtada, Gaïffas, Scornet: Universal Consistency and Minimax Rates for Online \
            Mondrian Forests, NIPS 2017",
        limits: &[],
        role: Role::Variant,
        classification: Some(|| classifiers(&OF_GROWING_BUDGET)),
        regression: Some(|| regressors(&OF_GROWING_BUDGET)),
    };

    /// `amf`: the mixture over all prunings of fully grown trees.
    pub const AMF: &'static Entry = &Entry {
        name: "amf",
        description: "axis-aligned cuts; predicts by all prunings of its trees, weighted by their losses",
        paper: "Mourtada, Gaïffas, Scornet: AMF: Aggregated Mondrian Forests for Online Learning, \
            JRSS B 2021",
        limits: &[],
        role: Role::Forest,
        classification: Some(|| classifiers(&OF_PRUNINGS)),
        regression: Some(|| regressors(&OF_PRUNINGS)),
    };

    /// `mondrian-2014`: class probabilities smoothed along the path.
    pub const MONDRIAN_2014: &'static Entry = &Entry {
        name: "mondrian-2014",
        description: "axis-aligned cuts; class probabilities smoothed along the path, and points branch off",
        paper: "Lakshminarayanan, Roy, Teh: Mondrian Forests: Efficient Online Random Forests, \
            NIPS 2014",
        limits: &[],
        role: Role::Variant,
        classification: Some(|| classifiers(&OF_SMOOTHED_CLASSES)),
        regression: None,
    };

    /// `mondrian-2016`: means and variances.
    pub const MONDRIAN_2016: &'static Entry = &Entry {
        name: "mondrian-2016",
        description: "axis-aligned cuts; means smoothed along the path, with variances and intervals",
        paper: "Lakshminarayanan, Roy, Teh: Mondrian Forests for Large-Scale Regression when Uncertainty \
            Matters, AISTATS 2016",
        limits: &[],
        role: Role::Variant,
        classification: None,
        regression: Some(|| regressors(&OF_SMOOTHED_MEANS)),
    };
}

/// The classifiers of a row of axis cuts.
pub fn classifiers(row: &'static Tessellation<AxisCuts>) -> Vec<Kind<Classification>> {
    row.classifiers()
}

/// The regressors of a row of axis cuts, as [`classifiers`].
pub fn regressors(row: &'static Tessellation<AxisCuts>) -> Vec<Kind<Regression>> {
    row.regressors()
}

impl NamedCuts for AxisCuts {
    type Branching = Boxes;

    fn rows() -> &'static [&'static Entry] {
        &[
            Algorithms::MONDRIAN,
            Algorithms::MONDRIAN_INCREASING,
            Algorithms::AMF,
            Algorithms::MONDRIAN_2014,
            Algorithms::MONDRIAN_2016,
        ]
    }

    fn as_widen_mut<L: LabelModel>(
        forest: &mut Forest<MondrianTree<L>>,
    ) -> Option<&mut dyn Widen<Task = L::Task>> {
        let equal = forest.settings().cuts.are_equal();
        equal.then_some(forest as _)
    }

    fn row<L: LabelSettings>(settings: &MondrianSettings<L>) -> &'static Entry {
        match settings.budget {
            Budget::Fixed(_) => Algorithms::MONDRIAN,
            Budget::Schedule { .. } => Algorithms::MONDRIAN_INCREASING,
        }
    }
}

static OF_FIXED_BUDGET: Tessellation<AxisCuts> = Tessellation {
    only: None,
    parameters: &[
        &[BUDGET, MIN_POINTS, PAUSE_IF_PURE, UPDATE, VOTE, WINDOW],
        &[MAX_NODES, LABELS],
    ],
    start: |_| MondrianSettings::default(),
};

static OF_GROWING_BUDGET: Tessellation<AxisCuts> = Tessellation {
    only: None,
    parameters: &[
        &[BUDGET_SCALE, BUDGET_POWER, MIN_POINTS, PAUSE, UPDATE, VOTE],
        &[WINDOW, MAX_NODES, LABELS],
    ],
    start: |features| increasing(crate::BUDGET_SCALE, features),
};

static OF_PRUNINGS: Tessellation<AxisCuts> = Tessellation {
    only: Some(AGGREGATED),
    parameters: &[&[BUDGET, MIN_POINTS, PAUSE_IF_PURE, UPDATE, VOTE, MAX_NODES]],
    ..OF_FIXED_BUDGET
};

static OF_SMOOTHED_CLASSES: Tessellation<AxisCuts> = Tessellation {
    only: Some(HIERARCHICAL),
    parameters: &[&[BUDGET, MIN_POINTS, PAUSE_IF_PURE, VOTE, WINDOW, MAX_NODES]],
    ..OF_FIXED_BUDGET
};

static OF_SMOOTHED_MEANS: Tessellation<AxisCuts> = Tessellation {
    only: Some(HIERARCHICAL),
    parameters: &[&[BUDGET, MIN_POINTS, WINDOW, MAX_NODES]],
    ..OF_FIXED_BUDGET
};

/// The 2014 forest pauses leaves whose labels agree.
const PAUSE_IF_PURE: Parameter = PAUSE.with_default("pure");

//! Mondrian forests by name.

use forest_core::parameters::{Parameter, Rule};
use forest_core::registry::{Alias, Entry, MAX_NODES, VOTE};
use forest_core::{Classification, Regression, Task as _};
use tessellation_tree::{
    AGGREGATION, AXIS_LABELS, Aggregated, BUDGET, BUDGET_SCALE, ClassCounts, ClassFrequencies,
    FIXED_BUDGET, GaussianHierarchy, HIERARCHICAL, KneserNey, LABELS_WINDOW, LeafMeans, MIN_POINTS,
    PAUSE, SMOOTHING, SquaredErrors, UPDATE, either, forest,
};

use crate::AxisCuts;

/// The algorithms of this crate, as rows of the table.
pub const ALGORITHMS: &[&Entry] = &[MONDRIAN, AMF];

// Constants are compiled where they are used: unit tests, which use none, need not compile the learners.

/// `mondrian`: axis-aligned cuts up to a budget.
pub const MONDRIAN: &Entry = &Entry {
    paper: NIPS_2014,
    parameters: &[
        &[BUDGET, MIN_POINTS, PAUSE_IF_PURE, UPDATE, VOTE],
        &[LABELS_WINDOW, WEIGHTS, MAX_NODES, AXIS_LABELS, BUDGET_SCALE],
        &AGGREGATION,
        &SMOOTHING,
    ],
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
            paper: NEURIPS_2019,
            preset: "pause=never",
            task: None,
        },
        Alias {
            name: "wmrtf",
            description: "axis-aligned cuts whose features have weights, up to a fixed budget",
            paper: NEURIPS_2019,
            preset: "pause=never,weights=equal",
            task: None,
        },
    ],
    classes: Some(|v, schema, settings| {
        if v.is(AXIS_LABELS.name, HIERARCHICAL) {
            return forest::<AxisCuts, KneserNey>(v, schema, settings);
        }
        either::<AxisCuts, ClassFrequencies, Aggregated<ClassCounts>>(v, schema, settings)
    }),
    numbers: Some(|v, schema, settings| {
        if v.is(AXIS_LABELS.name, HIERARCHICAL) {
            return forest::<AxisCuts, GaussianHierarchy>(v, schema, settings);
        }
        either::<AxisCuts, LeafMeans, Aggregated<SquaredErrors>>(v, schema, settings)
    }),
    ..Entry::new(
        "mondrian",
        "axis-aligned cuts up to a fixed budget; online and batch trees have one distribution",
    )
};

/// `amf`: the mixture over all prunings of fully grown trees.
pub const AMF: &Entry = &Entry {
    paper: "Mourtada, Gaïffas, Scornet: AMF: Aggregated Mondrian Forests for Online Learning, \
        JRSS B 2021",
    parameters: &[
        &[FIXED_BUDGET, MIN_POINTS, PAUSE_IF_PURE, UPDATE],
        &[VOTE, MAX_NODES],
        &AGGREGATION,
    ],
    classes: Some(forest::<AxisCuts, Aggregated<ClassCounts>>),
    numbers: Some(forest::<AxisCuts, Aggregated<SquaredErrors>>),
    ..Entry::new(
        "amf",
        "axis-aligned cuts; predicts by all prunings of its trees, weighted by their losses",
    )
};

const NIPS_2014: &str = "Lakshminarayanan, Roy, Teh: Mondrian Forests: Efficient Online Random Forests, \
    NIPS 2014";

const NEURIPS_2019: &str =
    "Ge, Wang, Teh, Wang, Elliott: Random Tessellation Forests, NeurIPS 2019";

/// The 2014 forest pauses leaves whose labels agree.
const PAUSE_IF_PURE: Parameter = PAUSE.with_default("pure");

/// `weights` of features. With `none` they have none, and `--weights labels` of a comparison gives them none.
const WEIGHTS: Parameter = Parameter::new(
    "weights",
    Rule::Or(&Rule::NUMBERS, &["none", "equal"]),
    "none",
    "weight of each feature, separated by `/`: the rate of cuts across it; none or equal: all alike",
);

//! Mondrian forests by name.

use forest_core::parameters::{Parameter, Values};
use forest_core::registry::{Alias, Built, Entry, MAX_NODES, VOTE};
use forest_core::{Classification, ForestSettings, Regression, Schema, Task as _};
use tessellation_tree::{
    AGGREGATION, AXIS_LABELS, AggregatedClasses, AggregatedMeans, BUDGET, BUDGET_SCALE,
    ClassAggregation, FIXED_BUDGET, GaussianHierarchy, GaussianSettings, HIERARCHICAL, KneserNey,
    KneserNeySettings, LABELS_WINDOW, MIN_POINTS, MeanAggregation, PAUSE, SMOOTHING, UPDATE,
    classifier, labelled, regressor,
};

use crate::{AxisCuts, AxisWeights, MondrianSettings, WEIGHTS};

/// The algorithms of this crate, as rows of the table.
pub const ALGORITHMS: &[&Entry] = &[MONDRIAN, AMF];

// Constants are compiled where they are used: unit tests, which use none, need not compile the learners. What makes learners is a
// function without type parameters, which is compiled in this crate, and once.

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
    classes: Some(mondrian_classes),
    numbers: Some(mondrian_numbers),
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
        &[
            FIXED_BUDGET,
            MIN_POINTS,
            PAUSE_IF_PURE,
            UPDATE,
            VOTE,
            MAX_NODES,
        ],
        &AGGREGATION,
    ],
    classes: Some(amf_classes),
    numbers: Some(amf_numbers),
    ..Entry::new(
        "amf",
        "axis-aligned cuts; predicts by all prunings of its trees, weighted by their losses",
    )
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

/// The 2014 forest pauses leaves whose labels agree.
const PAUSE_IF_PURE: Parameter = PAUSE.with_default("pure");

fn mondrian_classes(
    v: &mut Values,
    schema: Schema<Classification>,
    forest: ForestSettings,
) -> Built<Classification> {
    let settings = settings(v, schema.features());
    if !v.is(AXIS_LABELS.name, HIERARCHICAL) {
        return classifier::<AxisCuts>(v, settings, schema, forest);
    }
    let labels = KneserNeySettings::of(v);
    labelled::<AxisCuts, KneserNey>(v, settings, labels, schema, forest)
}

fn mondrian_numbers(
    v: &mut Values,
    schema: Schema<Regression>,
    forest: ForestSettings,
) -> Built<Regression> {
    let settings = settings(v, schema.features());
    if !v.is(AXIS_LABELS.name, HIERARCHICAL) {
        return regressor::<AxisCuts>(v, settings, schema, forest);
    }
    let labels = GaussianSettings::of(v);
    labelled::<AxisCuts, GaussianHierarchy>(v, settings, labels, schema, forest)
}

fn amf_classes(
    v: &mut Values,
    schema: Schema<Classification>,
    forest: ForestSettings,
) -> Built<Classification> {
    let (settings, labels) = (settings(v, schema.features()), ClassAggregation::of(v));
    labelled::<AxisCuts, AggregatedClasses>(v, settings, labels, schema, forest)
}

fn amf_numbers(
    v: &mut Values,
    schema: Schema<Regression>,
    forest: ForestSettings,
) -> Built<Regression> {
    let (settings, labels) = (settings(v, schema.features()), MeanAggregation::of(v));
    labelled::<AxisCuts, AggregatedMeans>(v, settings, labels, schema, forest)
}

fn settings(v: &mut Values, features: usize) -> MondrianSettings<()> {
    let weights = AxisWeights::of(v);
    MondrianSettings::of(v, weights, features, crate::BUDGET_SCALE)
}

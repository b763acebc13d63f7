//! What the names stand for: where settings start from, and the parameters.

use mondrian::{AxisCuts, AxisWeights, WEIGHTS};
use registry::parameters::Parameter;
use registry::{MAX_NODES, VOTE, WINDOW};
use tessellation_tree::{
    AGGREGATED, BUDGET, BUDGET_POWER, BUDGET_SCALE, Budget, CutSettings, LABELS, MIN_POINTS, PAUSE,
    Tessellation, TessellationSettings, UPDATE,
};

use crate::budget::AXIS_CUTS;
use crate::declared::{DIRECTION_COUNT, DIRECTION_FEATURES, NORMAL_WEIGHTS, SPARSE_FEATURES};
use crate::{DirectionSettings, FeatureWeights, LinearCuts, NormalLaw, SparseSettings, increasing};

// What users see of a name: the parameters of the budget, those of all, those of the law, and those of all again.

const HOW_TO_CUT: &[Parameter] = &[MIN_POINTS, PAUSE, UPDATE, VOTE, WINDOW];
const BOUND_AND_LABELS: &[Parameter] = &[MAX_NODES, LABELS];
const OF_PRUNINGS: &[Parameter] = &[BUDGET, MIN_POINTS, PAUSE, MAX_NODES, VOTE];

/// Where the mass of a ball is its radius, that of a segment of length 1 is c_d.
const SCALE_BY_BALLS: Parameter = BUDGET_SCALE.with_default("8/c_d");
const GROWING_BY_BALLS: &[Parameter] = &[SCALE_BY_BALLS, BUDGET_POWER];

/// Where the mass of a segment along an axis is its length, as for the Mondrian process.
const GROWING_BY_AXES: &[Parameter] = &[BUDGET_SCALE, BUDGET_POWER];

pub(super) static UNIFORM: Tessellation<LinearCuts> = Tessellation {
    only: None,
    parameters: &[&[BUDGET], HOW_TO_CUT, BOUND_AND_LABELS],
    start: |_| up_to_any_budget(NormalLaw::Uniform),
};

pub(super) static GROWING_UNIFORM: Tessellation<LinearCuts> = Tessellation {
    parameters: &[GROWING_BY_BALLS, HOW_TO_CUT, BOUND_AND_LABELS],
    start: |features| increasing(NormalLaw::Uniform, features),
    ..UNIFORM
};

pub(super) static WEIGHTED: Tessellation<LinearCuts> = Tessellation {
    only: None,
    parameters: &[&[BUDGET], HOW_TO_CUT, &[NORMAL_WEIGHTS], BOUND_AND_LABELS],
    start: |_| up_to_any_budget(NormalLaw::Weighted(FeatureWeights::default())),
};

pub(super) static GROWING_WEIGHTED: Tessellation<LinearCuts> = Tessellation {
    parameters: &[
        GROWING_BY_BALLS,
        HOW_TO_CUT,
        &[NORMAL_WEIGHTS],
        BOUND_AND_LABELS,
    ],
    start: |features| increasing(NormalLaw::Weighted(FeatureWeights::default()), features),
    ..WEIGHTED
};

pub(super) static FEW_FEATURES: Tessellation<LinearCuts> = Tessellation {
    only: None,
    parameters: &[&[BUDGET], HOW_TO_CUT, &[SPARSE_FEATURES], BOUND_AND_LABELS],
    start: |_| up_to_any_budget(NormalLaw::Sparse(SparseSettings::default())),
};

pub(super) static GROWING_FEW_FEATURES: Tessellation<LinearCuts> = Tessellation {
    parameters: &[
        GROWING_BY_AXES,
        HOW_TO_CUT,
        &[SPARSE_FEATURES],
        BOUND_AND_LABELS,
    ],
    start: |features| increasing(NormalLaw::Sparse(SparseSettings::default()), features),
    ..FEW_FEATURES
};

pub(super) static FINITE: Tessellation<LinearCuts> = Tessellation {
    only: None,
    parameters: &[
        &[BUDGET],
        HOW_TO_CUT,
        &[DIRECTION_COUNT, DIRECTION_FEATURES],
        BOUND_AND_LABELS,
    ],
    start: |_| up_to_any_budget(NormalLaw::Finite(DirectionSettings::default())),
};

pub(super) static GROWING_FINITE: Tessellation<LinearCuts> = Tessellation {
    parameters: &[
        GROWING_BY_BALLS,
        HOW_TO_CUT,
        &[DIRECTION_COUNT, DIRECTION_FEATURES],
        BOUND_AND_LABELS,
    ],
    start: |features| increasing(NormalLaw::Finite(DirectionSettings::default()), features),
    ..FINITE
};

pub(super) static AXES: Tessellation<AxisCuts> = Tessellation {
    only: None,
    parameters: &[&[BUDGET], HOW_TO_CUT, BOUND_AND_LABELS],
    start: |_| up_to_any_budget(AxisWeights::Equal),
};

pub(super) static GROWING_AXES: Tessellation<AxisCuts> = Tessellation {
    parameters: &[GROWING_BY_AXES, HOW_TO_CUT, BOUND_AND_LABELS],
    start: |features| axes_increasing(AxisWeights::Equal, features),
    ..AXES
};

pub(super) static WEIGHTED_AXES: Tessellation<AxisCuts> = Tessellation {
    only: None,
    parameters: &[&[BUDGET], HOW_TO_CUT, &[WEIGHTS], BOUND_AND_LABELS],
    start: |features| up_to_any_budget(ones(features)),
};

pub(super) static GROWING_WEIGHTED_AXES: Tessellation<AxisCuts> = Tessellation {
    parameters: &[GROWING_BY_AXES, HOW_TO_CUT, &[WEIGHTS], BOUND_AND_LABELS],
    start: |features| axes_increasing(ones(features), features),
    ..WEIGHTED_AXES
};

pub(super) static PRUNINGS_OF_UNIFORM: Tessellation<LinearCuts> = Tessellation {
    only: Some(AGGREGATED),
    parameters: &[OF_PRUNINGS],
    ..UNIFORM
};

pub(super) static PRUNINGS_OF_FINITE: Tessellation<LinearCuts> = Tessellation {
    only: Some(AGGREGATED),
    parameters: &[OF_PRUNINGS, &[DIRECTION_COUNT, DIRECTION_FEATURES]],
    ..FINITE
};

fn up_to_any_budget<C: CutSettings>(cuts: C) -> TessellationSettings<C, ()> {
    TessellationSettings {
        cuts,
        ..TessellationSettings::default()
    }
}

fn axes_increasing(cuts: AxisWeights, features: usize) -> TessellationSettings<AxisWeights, ()> {
    TessellationSettings {
        budget: Budget::minimax(AXIS_CUTS, features),
        ..up_to_any_budget(cuts)
    }
}

/// The weights of `wmrtf` are always there.
fn ones(features: usize) -> AxisWeights {
    AxisWeights::Given(vec![1.0; features])
}

//! Online BSP-Forests: cuts oblique in a pair of axes.

use forest_core::Vote;
use obsp::{BspSettings, PairCuts, PairSettings};
use tessellation_tree::{Budget, LabelModel, TessellationTree, Update};

use super::tessellation::{
    self, BUDGET, BUDGET_POWER, BUDGET_SCALE, MIN_POINTS, PAUSE, UPDATE, VOTE, VoteSettings, WINDOW,
};
use crate::configuration::{Configuration, Role};
use crate::named::NamedTree;
use crate::parameter::{Parameter, Rule, Tasks};
use crate::{Algorithm, AnyClassifier, AnyRegressor};

const PAPER: &str = "Fan, Li, Sisson: Online Binary Space Partitioning Forests, AISTATS 2020";

pub(crate) static OBSP: Configuration = Configuration {
    name: "obsp",
    description: "cuts oblique in two axes, a growing budget; the online tree has the batch law",
    paper: PAPER,
    role: Role::Forest,
    parameters: &[BUDGET_SCALE, BUDGET_POWER, UNCUT, PAUSE, VOTE, RATE, WINDOW],
    classification: Some(|algorithm, context| {
        let settings = exact(algorithm, context.schema.features());
        let forest = tessellation::forest(algorithm, context, settings, Vote::Frequencies);
        forest.map(AnyClassifier::Bsp)
    }),
    regression: Some(|algorithm, context| {
        let settings = exact(algorithm, context.schema.features());
        let forest = tessellation::forest(algorithm, context, settings, Vote::Frequencies);
        forest.map(AnyRegressor::Bsp)
    }),
};

pub(crate) static OBSP_FIXED: Configuration = Configuration {
    name: "obsp-fixed",
    description: "cuts oblique in two axes up to a fixed budget",
    paper: PAPER,
    role: Role::Forest,
    parameters: &[BUDGET, UNCUT, PAUSE, UPDATE, VOTE, RATE, WINDOW],
    classification: Some(|algorithm, context| {
        let settings = fixed(algorithm);
        let forest = tessellation::forest(algorithm, context, settings, Vote::Frequencies);
        forest.map(AnyClassifier::Bsp)
    }),
    regression: Some(|algorithm, context| {
        let settings = fixed(algorithm);
        let forest = tessellation::forest(algorithm, context, settings, Vote::Frequencies);
        forest.map(AnyRegressor::Bsp)
    }),
};

pub(crate) static OBSP_REDRAW: Configuration = Configuration {
    name: "obsp-redraw",
    description: "the paper's Algorithm 4 as printed: leaves drawn anew at every arrival",
    paper: PAPER,
    role: Role::Forest,
    parameters: &[
        SCALE_IN_PAPER,
        BUDGET_POWER,
        UNCUT,
        PAUSE,
        VOTE_IN_PAPER,
        RATE,
        WINDOW,
    ],
    classification: Some(|algorithm, context| {
        let settings = redraw(algorithm, context.schema.features());
        let forest = tessellation::forest(algorithm, context, settings, Vote::Majority);
        forest.map(AnyClassifier::Bsp)
    }),
    regression: Some(|algorithm, context| {
        let settings = redraw(algorithm, context.schema.features());
        let forest = tessellation::forest(algorithm, context, settings, Vote::Majority);
        forest.map(AnyRegressor::Bsp)
    }),
};

/// The paper leaves nodes of three points uncut (Alg. 4, line 3).
const UNCUT: Parameter = Parameter {
    default: "3",
    ..MIN_POINTS
};

const SCALE_IN_PAPER: Parameter = Parameter {
    default: "1",
    ..BUDGET_SCALE
};

/// The paper's forest is a majority of majorities.
const VOTE_IN_PAPER: Parameter = Parameter {
    default: "majority",
    ..VOTE
};

const RATE: Parameter = Parameter {
    name: "rate",
    default: "0.5",
    meaning: "mass of cuts per unit of a hull's perimeter (s)",
    rule: Rule::Number,
    tasks: Tasks::Both,
};

fn exact<L: VoteSettings>(algorithm: &Algorithm, features: usize) -> BspSettings<L> {
    with_rate(algorithm, obsp::exact(obsp::BUDGET_SCALE, features))
}

fn fixed<L: VoteSettings>(algorithm: &Algorithm) -> BspSettings<L> {
    with_rate(algorithm, obsp::fixed(f64::INFINITY))
}

fn redraw<L: VoteSettings>(algorithm: &Algorithm, features: usize) -> BspSettings<L> {
    with_rate(algorithm, obsp::redraw(obsp::PAPER_BUDGET_SCALE, features))
}

fn with_rate<L: VoteSettings>(algorithm: &Algorithm, default: BspSettings<L>) -> BspSettings<L> {
    let rate = algorithm.value(RATE.name, default.cuts.rate);
    let cuts = PairSettings {
        rate,
        ..default.cuts
    };
    BspSettings { cuts, ..default }
}

impl<L: LabelModel<Settings: VoteSettings>> NamedTree for TessellationTree<PairCuts, L> {
    fn algorithm(settings: &BspSettings<L::Settings>, window: String) -> Algorithm {
        let configuration = match (settings.budget, settings.update) {
            (Budget::Fixed(_), _) => &OBSP_FIXED,
            (Budget::Schedule { .. }, Update::Conditional) => &OBSP,
            (Budget::Schedule { .. }, Update::Redraw) => &OBSP_REDRAW,
        };
        let own = [
            (RATE.name, settings.cuts.rate.to_string()),
            (WINDOW.name, window),
        ];
        tessellation::stated::<L::Task, _, _>(configuration, settings, own)
    }
}

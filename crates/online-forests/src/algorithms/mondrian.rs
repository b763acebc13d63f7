//! Mondrian forests: axis-aligned cuts, with a fixed or an increasing budget.

use forest_core::Vote;
use mondrian::{AxisCuts, MondrianSettings};
use tessellation_tree::{Budget, LabelModel, TessellationTree};

use super::tessellation::{
    self, BUDGET, BUDGET_POWER, BUDGET_SCALE, MIN_POINTS, PAUSE, UPDATE, VOTE, VoteSettings, WINDOW,
};
use crate::configuration::{Configuration, Role};
use crate::named::NamedTree;
use crate::{Algorithm, AnyClassifier, AnyRegressor, Parameter};

pub(crate) static MONDRIAN: Configuration = Configuration {
    name: "mondrian",
    description: "axis-aligned cuts up to a fixed budget; the online tree has the batch law",
    paper: "Lakshminarayanan, Roy, Teh: Mondrian Forests: Efficient Online Random Forests, \
            NIPS 2014",
    role: Role::Forest,
    parameters: &[BUDGET, MIN_POINTS, PAUSE_IF_PURE, UPDATE, VOTE, WINDOW],
    classification: Some(|algorithm, context| {
        let settings = mondrian::fixed(f64::INFINITY);
        let forest = tessellation::forest(algorithm, context, settings, Vote::Frequencies);
        forest.map(AnyClassifier::Mondrian)
    }),
    regression: Some(|algorithm, context| {
        let settings = mondrian::fixed(f64::INFINITY);
        let forest = tessellation::forest(algorithm, context, settings, Vote::Frequencies);
        forest.map(AnyRegressor::Mondrian)
    }),
};

pub(crate) static MONDRIAN_INCREASING: Configuration = Configuration {
    name: "mondrian-increasing",
    description: "axis-aligned cuts up to a budget that grows with the number of samples",
    paper: "Mourtada, Gaïffas, Scornet: Universal Consistency and Minimax Rates for Online \
            Mondrian Forests, NIPS 2017",
    role: Role::Forest,
    parameters: &[
        BUDGET_SCALE,
        BUDGET_POWER,
        MIN_POINTS,
        PAUSE,
        UPDATE,
        VOTE,
        WINDOW,
    ],
    classification: Some(|algorithm, context| {
        let settings = increasing(context.schema.features());
        let forest = tessellation::forest(algorithm, context, settings, Vote::Frequencies);
        forest.map(AnyClassifier::Mondrian)
    }),
    regression: Some(|algorithm, context| {
        let settings = increasing(context.schema.features());
        let forest = tessellation::forest(algorithm, context, settings, Vote::Frequencies);
        forest.map(AnyRegressor::Mondrian)
    }),
};

/// The 2014 forest pauses leaves whose labels agree.
const PAUSE_IF_PURE: Parameter = Parameter {
    default: "pure",
    ..PAUSE
};

fn increasing<L: VoteSettings>(features: usize) -> MondrianSettings<L> {
    mondrian::increasing(mondrian::BUDGET_SCALE, features)
}

impl<L: LabelModel<Settings: VoteSettings>> NamedTree for TessellationTree<AxisCuts, L> {
    fn algorithm(settings: &MondrianSettings<L::Settings>, window: String) -> Algorithm {
        let configuration = match settings.budget {
            Budget::Fixed(_) => &MONDRIAN,
            Budget::Schedule { .. } => &MONDRIAN_INCREASING,
        };
        let own = [(WINDOW.name, window)];
        tessellation::stated::<L::Task, _, _>(configuration, settings, own)
    }
}

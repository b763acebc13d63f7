//! Mondrian forests: axis-aligned cuts, with a fixed or an increasing budget.

use mondrian::{AxisMeasure, MondrianSettings};
use tessellation_tree::{Budget, LabelModel, TessellationTree};

use super::tessellation::{
    self, BUDGET, BUDGET_POWER, BUDGET_SCALE, MIN_POINTS, PAUSE, UPDATE, VOTE,
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
    parameters: &[BUDGET, MIN_POINTS, PAUSE_IF_PURE, UPDATE, VOTE],
    classification: Some(|algorithm, plot| {
        plot.forest(fixed(algorithm)).map(AnyClassifier::Mondrian)
    }),
    regression: Some(|algorithm, plot| plot.forest(fixed(algorithm)).map(AnyRegressor::Mondrian)),
};

pub(crate) static MONDRIAN_INCREASING: Configuration = Configuration {
    name: "mondrian-increasing",
    description: "axis-aligned cuts up to a budget that grows with the number of samples",
    paper: "Mourtada, Gaïffas, Scornet: Universal Consistency and Minimax Rates for Online \
            Mondrian Forests, NIPS 2017",
    role: Role::Forest,
    parameters: &[BUDGET_SCALE, BUDGET_POWER, MIN_POINTS, PAUSE, UPDATE, VOTE],
    classification: Some(|algorithm, plot| {
        let settings = increasing(algorithm, plot.schema.features());
        plot.forest(settings).map(AnyClassifier::Mondrian)
    }),
    regression: Some(|algorithm, plot| {
        let settings = increasing(algorithm, plot.schema.features());
        plot.forest(settings).map(AnyRegressor::Mondrian)
    }),
};

/// The 2014 forest pauses leaves whose labels agree.
const PAUSE_IF_PURE: Parameter = Parameter {
    default: "pure",
    ..PAUSE
};

fn fixed(algorithm: &Algorithm) -> MondrianSettings {
    tessellation::settings(algorithm, mondrian::fixed(f64::INFINITY))
}

fn increasing(algorithm: &Algorithm, features: usize) -> MondrianSettings {
    tessellation::settings(
        algorithm,
        mondrian::increasing(mondrian::BUDGET_SCALE, features),
    )
}

impl<L: LabelModel> NamedTree for TessellationTree<AxisMeasure, L> {
    fn algorithm(settings: &MondrianSettings) -> Algorithm {
        let configuration = match settings.budget {
            Budget::Fixed(_) => &MONDRIAN,
            Budget::Schedule { .. } => &MONDRIAN_INCREASING,
        };
        tessellation::stated::<L::Task, _>(configuration, settings, None)
    }
}

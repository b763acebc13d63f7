//! Mondrian forests: axis-aligned cuts, with a fixed or an increasing budget.

use mondrian::{AxisMeasure, MondrianSettings};
use tessellation_tree::{Budget, LabelModel, TessellationTree};

use super::tessellation::{self, BUDGET, BUDGET_POWER, BUDGET_SCALE, MIN_POINTS, PAUSE, UPDATE};
use crate::configuration::{Configuration, Role};
use crate::named::NamedTree;
use crate::{Algorithm, AnyClassifier, AnyRegressor};

pub(crate) static MONDRIAN: Configuration = Configuration {
    name: "mondrian",
    description: "axis-aligned cuts up to a fixed budget; the online tree has the batch law",
    paper: "Lakshminarayanan, Roy, Teh: Mondrian Forests: Efficient Online Random Forests, \
            NIPS 2014",
    role: Role::Forest,
    parameters: &[BUDGET, MIN_POINTS, PAUSE, UPDATE],
    classification: Some(|algorithm, plot| {
        let settings = tessellation::settings(algorithm, tessellation::fixed(algorithm));
        plot.forest(settings).map(AnyClassifier::Mondrian)
    }),
    regression: Some(|algorithm, plot| {
        let settings = tessellation::settings(algorithm, tessellation::fixed(algorithm));
        plot.forest(settings).map(AnyRegressor::Mondrian)
    }),
};

pub(crate) static MONDRIAN_INCREASING: Configuration = Configuration {
    name: "mondrian-increasing",
    description: "axis-aligned cuts up to a budget that grows with the number of samples",
    paper: "Mourtada, Gaïffas, Scornet: Universal Consistency and Minimax Rates for Online \
            Mondrian Forests, NIPS 2017",
    role: Role::Forest,
    parameters: &[BUDGET_SCALE, BUDGET_POWER, MIN_POINTS, PAUSE, UPDATE],
    classification: Some(|algorithm, plot| {
        let budget = tessellation::increasing(algorithm, &plot.schema);
        let settings = tessellation::settings(algorithm, budget);
        plot.forest(settings).map(AnyClassifier::Mondrian)
    }),
    regression: Some(|algorithm, plot| {
        let budget = tessellation::increasing(algorithm, &plot.schema);
        let settings = tessellation::settings(algorithm, budget);
        plot.forest(settings).map(AnyRegressor::Mondrian)
    }),
};

impl<L: LabelModel> NamedTree for TessellationTree<AxisMeasure, L> {
    fn algorithm(settings: &MondrianSettings) -> Algorithm {
        let [points, pause, update] = tessellation::shared(settings);
        match settings.budget {
            Budget::Fixed(budget) => {
                let budget = (BUDGET.name, budget.to_string());
                MONDRIAN.with([budget, points, pause, update])
            }
            Budget::Schedule { scale, power } => {
                let scale = (BUDGET_SCALE.name, scale.to_string());
                let power = (BUDGET_POWER.name, power.to_string());
                MONDRIAN_INCREASING.with([scale, power, points, pause, update])
            }
        }
    }
}

//! The boundary forest.

use boundary_forest::{BoundaryTree, ChildLimit, ClassifierSettings, Euclidean, RegressorSettings};
use forest_core::{Classification, Regression, SettingError, Task};

use crate::configuration::{Configuration, Plot, Role, parsed};
use crate::named::NamedTree;
use crate::parameter::{Parameter, Rule, Tasks};
use crate::{Algorithm, AnyClassifier, AnyRegressor};

const UNLIMITED: &str = "unlimited";

pub(crate) static BOUNDARY_FOREST: Configuration = Configuration {
    name: "boundary-forest",
    description: "trees of samples that their trees got wrong; answers by the nearest found",
    paper: "Mathy, Derbinsky, Bento, Rosenthal, Yedidia: The Boundary Forest Algorithm for Online \
            Supervised and Unsupervised Learning, AAAI 2015",
    role: Role::Forest,
    parameters: &[
        Parameter {
            name: "max_children",
            default: "50",
            meaning: "children a node may have (k)",
            rule: Rule::CountOr(2, UNLIMITED),
            tasks: Tasks::Both,
        },
        Parameter {
            name: "epsilon",
            default: "0",
            meaning: "error of the target up to which a sample is not kept (ε)",
            rule: Rule::Number,
            tasks: Tasks::Only(Regression::NAME),
        },
    ],
    classification: Some(classifier),
    regression: Some(regressor),
};

fn classifier(
    algorithm: &Algorithm,
    plot: Plot<Classification>,
) -> Result<AnyClassifier, SettingError> {
    let max_children = max_children(algorithm);
    let settings = ClassifierSettings { max_children };
    plot.forest(settings).map(AnyClassifier::BoundaryForest)
}

fn regressor(algorithm: &Algorithm, plot: Plot<Regression>) -> Result<AnyRegressor, SettingError> {
    let default = RegressorSettings::default();
    let settings = RegressorSettings {
        max_children: max_children(algorithm),
        epsilon: algorithm.value("epsilon", default.epsilon),
    };
    plot.forest(settings).map(AnyRegressor::BoundaryForest)
}

fn max_children(algorithm: &Algorithm) -> ChildLimit {
    match algorithm.text("max_children") {
        None => ChildLimit::default(),
        Some(UNLIMITED) => ChildLimit::Unlimited,
        Some(count) => ChildLimit::AtMost(parsed(count)),
    }
}

fn written(limit: ChildLimit) -> String {
    match limit {
        ChildLimit::Unlimited => UNLIMITED.to_string(),
        ChildLimit::AtMost(count) => count.to_string(),
    }
}

impl NamedTree for BoundaryTree<Classification, Euclidean> {
    fn algorithm(settings: &ClassifierSettings) -> Algorithm {
        BOUNDARY_FOREST.with([("max_children", written(settings.max_children))])
    }
}

impl NamedTree for BoundaryTree<Regression, Euclidean> {
    fn algorithm(settings: &RegressorSettings) -> Algorithm {
        BOUNDARY_FOREST.with([
            ("max_children", written(settings.max_children)),
            ("epsilon", settings.epsilon.to_string()),
        ])
    }
}

//! The boundary forest.

mod by_metric;

pub use by_metric::ByMetric;

use boundary_forest::{
    Averaged, BoundaryForest, ChildLimit, ClassifierSettings, Cosine, Euclidean, Insertion,
    Manhattan, Metric, Problem, RegressorSettings, SquaredEuclidean,
};
use forest_core::{Classification, Regression, Schema, SettingError, Task};

use by_metric::NamedMetric;

use crate::configuration::{BuildContext, Configuration, Role, parsed};
use crate::named::Named;
use crate::parameter::{Parameter, Rule, Tasks};
use crate::{Algorithm, AnyClassifier, AnyRegressor, Facade};

const UNLIMITED: &str = "unlimited";
const NONE: &str = "none";

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
            name: "shuffle_block",
            default: NONE,
            meaning: "samples that wait and are then learned in a random order, for sorted streams, \
                      on which walks are long otherwise (ours)",
            rule: Rule::CountOr(2, NONE),
            tasks: Tasks::Both,
        },
        Parameter {
            name: "epsilon",
            default: "0",
            meaning: "error of the target up to which a sample is not kept (ε)",
            rule: Rule::Number,
            tasks: Tasks::Only(Regression::NAME),
        },
        Parameter {
            name: "metric",
            default: Euclidean::WORD,
            meaning: "distance between points (d)",
            rule: Rule::Words(&[
                Euclidean::WORD,
                SquaredEuclidean::WORD,
                Manhattan::WORD,
                Cosine::WORD,
            ]),
            tasks: Tasks::Both,
        },
    ],
    classification: Some(classifier),
    regression: Some(regressor),
};

fn classifier(
    algorithm: &Algorithm,
    context: BuildContext<Classification>,
) -> Result<AnyClassifier, SettingError> {
    let settings = ClassifierSettings {
        max_children: max_children(algorithm),
        insertion: insertion(algorithm),
    };
    seeded(algorithm, context, settings).map(AnyClassifier::BoundaryForest)
}

fn regressor(
    algorithm: &Algorithm,
    context: BuildContext<Regression>,
) -> Result<AnyRegressor, SettingError> {
    let default = RegressorSettings::default();
    let settings = RegressorSettings {
        max_children: max_children(algorithm),
        insertion: insertion(algorithm),
        epsilon: algorithm.value("epsilon", default.epsilon),
    };
    seeded(algorithm, context, settings).map(AnyRegressor::BoundaryForest)
}

fn seeded<P: Facade + Problem<Schema = Schema<P>>>(
    algorithm: &Algorithm,
    context: BuildContext<P>,
    settings: P::Settings,
) -> Result<ByMetric<P>, SettingError> {
    match algorithm.text("metric") {
        Some(SquaredEuclidean::WORD) => by(context, settings).map(ByMetric::SquaredEuclidean),
        Some(Manhattan::WORD) => by(context, settings).map(ByMetric::Manhattan),
        Some(Cosine::WORD) => by(context, settings).map(ByMetric::Cosine),
        _ => by(context, settings).map(ByMetric::Euclidean),
    }
}

fn by<P: Facade + Problem<Schema = Schema<P>>, M: Metric>(
    context: BuildContext<P>,
    settings: P::Settings,
) -> Result<BoundaryForest<P, M>, SettingError> {
    BoundaryForest::new(context.schema, settings, context.forest)
}

fn max_children(algorithm: &Algorithm) -> ChildLimit {
    match algorithm.text("max_children") {
        None => ChildLimit::default(),
        Some(UNLIMITED) => ChildLimit::Unlimited,
        Some(count) => ChildLimit::AtMost(parsed(count)),
    }
}

fn insertion(algorithm: &Algorithm) -> Insertion {
    match algorithm.text("shuffle_block") {
        None | Some(NONE) => Insertion::AtOnce,
        Some(rows) => Insertion::ShuffledBlocks(parsed(rows)),
    }
}

fn shuffle_block(insertion: Insertion) -> String {
    match insertion {
        Insertion::AtOnce => NONE.to_string(),
        Insertion::ShuffledBlocks(rows) => rows.to_string(),
    }
}

fn written(limit: ChildLimit) -> String {
    match limit {
        ChildLimit::Unlimited => UNLIMITED.to_string(),
        ChildLimit::AtMost(count) => count.to_string(),
    }
}

/// A task whose settings can be told.
pub trait NamedProblem:
    Facade + Averaged + Problem<Schema = Schema<Self>, Cell = <Self as Task>::Target>
{
    /// The configuration, every parameter stated.
    fn algorithm(settings: &Self::Settings, metric: &str) -> Algorithm;
}

impl NamedProblem for Classification {
    fn algorithm(settings: &ClassifierSettings, metric: &str) -> Algorithm {
        BOUNDARY_FOREST.with([
            ("max_children", written(settings.max_children)),
            ("shuffle_block", shuffle_block(settings.insertion)),
            ("metric", metric.to_string()),
        ])
    }
}

impl NamedProblem for Regression {
    fn algorithm(settings: &RegressorSettings, metric: &str) -> Algorithm {
        BOUNDARY_FOREST.with([
            ("max_children", written(settings.max_children)),
            ("shuffle_block", shuffle_block(settings.insertion)),
            ("epsilon", settings.epsilon.to_string()),
            ("metric", metric.to_string()),
        ])
    }
}

impl<P: NamedProblem, M: NamedMetric> Named for BoundaryForest<P, M> {
    fn algorithm(&self) -> Algorithm {
        P::algorithm(self.settings(), M::WORD)
    }

    fn trees(&self) -> usize {
        self.trees().len()
    }
}

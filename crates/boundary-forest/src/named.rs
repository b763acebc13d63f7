//! The boundary forest by name: the metric is a word, and a type for each word.

use std::any::Any;

use forest_core::{
    Classification, ForestSettings, HardVote, Regression, Schema, SettingError, Task,
};
use registry::parameters::{Field, Parameter, Rule, field};
use registry::{
    Capabilities, Capable, Declared, Entry, Kind, MAX_NODES, Named, NamedTask, Role, Selector,
    UNLIMITED,
};

use crate::{
    AveragedLabel, BoundaryForest, ChildLimit, ClassifierSettings, Cosine, Euclidean, Insertion,
    Manhattan, Metric, RegressorSettings, SettingsOf, SquaredEuclidean, TreeSettings,
};

/// The algorithms of this crate, as rows of the table.
pub const ALGORITHMS: &[&Entry] = &[BOUNDARY_FOREST];

// Constants are compiled where they are used: unit tests, which use none, need not compile the learners. What makes learners is a
// function without type parameters, which is compiled in this crate, and once.

/// `boundary-forest`.
pub const BOUNDARY_FOREST: &Entry = &Entry {
    name: "boundary-forest",
    description: "trees of samples that their trees got wrong; answers by the nearest found",
    paper: "Mathy, Derbinsky, Bento, Rosenthal, Yedidia: The Boundary Forest Algorithm for Online \
        Supervised and Unsupervised Learning, AAAI 2015",
    limits: &[
        "sorted or time-ordered data take a time that is quadratic in the rows: shuffle them, or give `shuffle_block` \
     (docs/results/boundary-forest/sorted.md)",
        "at most 2³⁰ samples",
    ],
    role: Role::Forest,
    aliases: &[],
    classification: Some(classifiers),
    regression: Some(regressors),
};

const EUCLIDEAN: &str = "euclidean";
const SQUARED_EUCLIDEAN: &str = "squared-euclidean";
const MANHATTAN: &str = "manhattan";
const COSINE: &str = "cosine";

const METRIC: Parameter = Parameter::new(
    "metric",
    Rule::Words(&[EUCLIDEAN, SQUARED_EUCLIDEAN, MANHATTAN, COSINE]),
    EUCLIDEAN,
    "distance between points (d)",
);

fn classifiers() -> Vec<Kind<Classification>> {
    of_each_metric()
}

fn regressors() -> Vec<Kind<Regression>> {
    of_each_metric()
}

fn of_each_metric<T: NamedTask<Target: AveragedLabel>>() -> Vec<Kind<T>>
where
    SettingsOf<T>: Declared,
{
    vec![
        of_metric::<T, Euclidean>(EUCLIDEAN),
        of_metric::<T, SquaredEuclidean>(SQUARED_EUCLIDEAN),
        of_metric::<T, Manhattan>(MANHATTAN),
        of_metric::<T, Cosine>(COSINE),
    ]
}

fn of_metric<T: NamedTask<Target: AveragedLabel>, M: Metric>(word: &'static str) -> Kind<T>
where
    SettingsOf<T>: Declared,
{
    let parameters = SettingsOf::<T>::parameters().into_iter().chain([&METRIC]);
    let start = |_| TreeSettings::default();
    Kind::new::<BoundaryForest<T, M>>([Selector::word(&METRIC, word)], parameters, start)
}

impl<E: 'static> TreeSettings<E> {
    const MAX_CHILDREN: Field<Self> = field!(
        Parameter::new("max_children", Rule::CountOr(2, UNLIMITED), "50",
            "children a node may have (k)"),
        settings => settings.max_children, UNLIMITED => ChildLimit::Unlimited, ChildLimit::AtMost
    );

    const SHUFFLE_BLOCK: Field<Self> = field!(
        Parameter::new("shuffle_block", Rule::CountOr(2, NONE), NONE,
            "samples that wait and are then learned in a random order, for sorted \
             streams, on which walks are long otherwise (ours)"),
        settings => settings.insertion, NONE => Insertion::AtOnce, Insertion::ShuffledBlocks
    );

    const NODE_BOUND: Field<Self> =
        field!(MAX_NODES, settings => settings.max_nodes, UNLIMITED => None, Some);
}

const NONE: &str = "none";

impl Declared for ClassifierSettings {
    const FIELDS: &'static [Field<Self>] =
        &[Self::MAX_CHILDREN, Self::SHUFFLE_BLOCK, Self::NODE_BOUND];
}

impl Declared for RegressorSettings {
    const FIELDS: &'static [Field<Self>] = &[
        Self::MAX_CHILDREN,
        Self::SHUFFLE_BLOCK,
        Self::NODE_BOUND,
        field!(
            Parameter::new("epsilon", Rule::Number, "0",
                "error of the target up to which a sample is not kept (ε)"),
            settings => settings.epsilon
        ),
    ];
}

impl<T: Task<Target: AveragedLabel>, M: Metric> Capable for BoundaryForest<T, M> {
    fn capabilities(&self) -> Capabilities<'_> {
        let of_classes = (self as &dyn Any).downcast_ref::<BoundaryForest<Classification, M>>();
        Capabilities {
            hard_vote: of_classes.map(|forest| forest as &dyn HardVote),
            ..Capabilities::default()
        }
    }
}

impl<T: NamedTask<Target: AveragedLabel>, M: Metric> Named for BoundaryForest<T, M>
where
    SettingsOf<T>: Declared,
{
    type Settings = SettingsOf<T>;

    fn rows() -> &'static [&'static Entry] {
        &[BOUNDARY_FOREST]
    }

    fn build(
        schema: Schema<T>,
        settings: SettingsOf<T>,
        forest: ForestSettings,
    ) -> Result<Self, SettingError> {
        Self::new(schema, settings, forest)
    }

    fn settings(&self) -> SettingsOf<T> {
        *self.settings()
    }

    fn trees(&self) -> usize {
        self.trees().len()
    }
}

#[cfg(test)]
mod tests {
    use forest_core::Regression;

    use super::*;

    #[test]
    fn a_forest_tells_its_number_of_trees() {
        let settings = ForestSettings::default().with_trees(7);
        let schema = Schema::<Regression>::new(1).unwrap();
        let forest: BoundaryForest<_, Euclidean> =
            Named::build(schema, RegressorSettings::default(), settings).unwrap();
        assert_eq!(Named::trees(&forest), 7);
    }
}

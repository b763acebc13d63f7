//! The boundary forest by name: the metric is a word, and a type for each word.

use forest_core::parameters::{Parameter, Rule};
use forest_core::registry::{
    Capable, Declared as _, Entry, Kind, Named, NamedTask, Role, Selector,
};
use forest_core::{Classification, ForestSettings, Regression, Schema, SettingError, Task};

use crate::settings::EPSILON;
use crate::{
    AveragedLabel, BoundaryForest, ClassifierSettings, Cosine, Euclidean, Manhattan, Metric,
    RegressorSettings, SettingsOf, SquaredEuclidean, TreeSettings,
};

/// The algorithms of this crate, as rows of the table.
pub const ALGORITHMS: &[&Entry] = &[BOUNDARY_FOREST];

// Constants are compiled where they are used: unit tests, which use none, need not compile the learners. What makes learners is a
// function without type parameters, which is compiled in this crate, and once.

/// `boundary-forest`.
pub const BOUNDARY_FOREST: &Entry = &Entry {
    name: "boundary-forest",
    description: "trees of the samples that they predicted wrong; predicts from the nearest samples found",
    paper: "Mathy, Derbinsky, Bento, Rosenthal, Yedidia: The Boundary Forest Algorithm for Online \
        Supervised and Unsupervised Learning, AAAI 2015",
    limits: &[
        "sorted or time-ordered data take a time that is quadratic in the rows: shuffle them first",
        "rows sorted by their class have two to three times the log loss (docs/algorithms.md)",
        "at most 2³⁰ samples",
    ],
    role: Role::Forest,
    trees: ForestSettings::TREES,
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

/// Classes are equal or not: no threshold is among their parameters.
fn classifiers() -> Vec<Kind<Classification>> {
    let mut parameters = ClassifierSettings::parameters();
    parameters.retain(|parameter| parameter.name != EPSILON.name);
    kinds_by_metric(&parameters)
}

fn regressors() -> Vec<Kind<Regression>> {
    kinds_by_metric(&RegressorSettings::parameters())
}

fn kinds_by_metric<T: NamedTask<Target: AveragedLabel>>(
    parameters: &[&'static Parameter],
) -> Vec<Kind<T>> {
    vec![
        kind_with_metric::<T, Euclidean>(EUCLIDEAN, parameters),
        kind_with_metric::<T, SquaredEuclidean>(SQUARED_EUCLIDEAN, parameters),
        kind_with_metric::<T, Manhattan>(MANHATTAN, parameters),
        kind_with_metric::<T, Cosine>(COSINE, parameters),
    ]
}

fn kind_with_metric<T: NamedTask<Target: AveragedLabel>, M: Metric>(
    word: &'static str,
    parameters: &[&'static Parameter],
) -> Kind<T> {
    let parameters = parameters.iter().copied().chain([&METRIC]);
    let start = |_| TreeSettings::default();
    Kind::new::<BoundaryForest<T, M>>([Selector::word(&METRIC, word)], parameters, start)
}

impl<T: Task<Target: AveragedLabel>, M: Metric> Capable for BoundaryForest<T, M> {}

impl<T: NamedTask<Target: AveragedLabel>, M: Metric> Named for BoundaryForest<T, M> {
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
    fn a_forest_reports_its_number_of_trees() {
        let settings = ForestSettings::default().with_trees(7);
        let schema = Schema::<Regression>::new(1).unwrap();
        let forest: BoundaryForest<_, Euclidean> =
            Named::build(schema, RegressorSettings::default(), settings).unwrap();
        assert_eq!(Named::trees(&forest), 7);
    }
}

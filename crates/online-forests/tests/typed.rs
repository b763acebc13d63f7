//! Forests that were built with typed settings are the same as those that were built by name.

use crate::common::prediction_bits;
use boundary_forest::{BoundaryForest, Metric, TreeSettings};
use forest_core::Forest;
use forest_testing::conformance::{ConformanceTask, Stream};
use mondrian::{MondrianClassifier, MondrianRegressor, MondrianTree};
use online_forests::{
    Algorithm, AnyLearner, Classification, ForestSettings, NamedTask, OnlineLearner, Regression,
    Schema, snapshot,
};
use tessellation_tree::AggregatedClasses;

fn forest() -> ForestSettings {
    ForestSettings::default().with_trees(3).with_seed(11)
}

fn taught<T: ConformanceTask, L: OnlineLearner<Task = T>>(mut learner: L) -> L {
    let stream = Stream::<T>::uniform(60, 2, 12);
    stream.teach(&mut learner, 0, 60).unwrap();
    learner
}

/// What is built from `text` is `typed`, and is still when it has been saved and loaded.
fn is_named<T, L>(typed: L, text: &str)
where
    T: NamedTask + ConformanceTask,
    L: OnlineLearner<Task = T> + 'static,
{
    let typed = taught::<T, L>(typed);
    let algorithm: Algorithm = text.parse().unwrap();
    let named = algorithm.build::<T>(Schema::new(2).unwrap(), forest());
    let named = taught::<T, _>(named.unwrap());
    assert!(named.downcast_ref::<L>().is_some(), "{text}");
    assert_eq!(prediction_bits(&named), prediction_bits(&typed), "{text}");
    let bytes = snapshot::to_bytes(&named).unwrap();
    let loaded: AnyLearner<T> = snapshot::from_bytes(&bytes).unwrap();
    assert!(loaded.downcast_ref::<L>().is_some(), "{text}");
    assert_eq!(loaded.algorithm(), named.algorithm());
}

#[test]
fn typed_forests_are_those_of_their_names() {
    let schema = Schema::<Classification>::new(2).unwrap();
    let mut settings = mondrian::fixed(7.5);
    settings.max_uncut = 2;
    let fixed = MondrianClassifier::new(schema, settings, forest()).unwrap();
    is_named(fixed, "mondrian:budget=7.5,min_points=2");
    let numbers = Schema::<Regression>::new(2).unwrap();
    let increasing = mondrian::increasing(3.0, 2);
    let increasing = MondrianRegressor::new(numbers, increasing, forest()).unwrap();
    is_named(
        increasing,
        "mondrian:budget=increasing,budget_scale=3,pause=never",
    );
    let settings = TreeSettings {
        metric: Metric::Cosine,
        ..TreeSettings::default()
    };
    let cosine = BoundaryForest::<Classification>::new(schema, settings, forest());
    is_named(cosine.unwrap(), "boundary-forest:metric=cosine");
    type Prunings = Forest<MondrianTree<AggregatedClasses>>;
    for text in ["amf", "mondrian:labels=aggregated"] {
        let algorithm: Algorithm = text.parse().unwrap();
        let named = algorithm.build::<Classification>(schema, forest()).unwrap();
        assert!(named.downcast_ref::<Prunings>().is_some(), "{text}");
    }
}

#[test]
fn one_of_anything_is_not_a_plural() {
    let mut forest = "mondrian"
        .parse::<Algorithm>()
        .unwrap()
        .build::<Regression>(Schema::new(2).unwrap(), ForestSettings::default())
        .unwrap();
    let said = forest.learn_one(&[0.5], 1.0).unwrap_err().to_string();
    assert_eq!(said, "a row has 1 feature, but this learner was made for 2");
    let rows = ndarray::array![[0.5_f32, 0.5]];
    let said = forest.learn(rows.view(), &[]).unwrap_err().to_string();
    assert_eq!(said, "0 targets for 1 row: each row needs exactly one");
}

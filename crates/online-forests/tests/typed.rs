//! Forests that were built with typed settings are the same as those that were built by name.

use crate::common::prediction_bits;
use boundary_forest::{BoundaryClassifier, Metric, TreeSettings};
use forest_core::Forest;
use forest_core::registry::Named;
use forest_testing::conformance::{ConformanceTask, Stream};
use mondrian::{MondrianClassifier, MondrianRegressor, MondrianTree, snapshot};
use online_forests::snapshot::SnapshotError;
use online_forests::{
    Algorithm, AnyClassifier, AnyLearner, Classification, ForestSettings, NamedTask, OnlineLearner,
    Pipeline, Regression, Schema,
};
use tessellation_tree::AggregatedClasses;

fn forest() -> ForestSettings {
    ForestSettings::default().with_trees(3).with_seed(11)
}

fn cosine() -> TreeSettings {
    TreeSettings {
        metric: Metric::Cosine,
        ..TreeSettings::default()
    }
}

fn taught<T: ConformanceTask, L: OnlineLearner<Task = T>>(mut learner: L) -> L {
    let stream = Stream::<T>::uniform(60, 2, 12);
    stream.teach(&mut learner, 0, 60).unwrap();
    learner
}

/// The snapshot of `typed` is that of what is built from its label, and each loads the other's.
fn is_what_its_label_says<T: NamedTask + ConformanceTask, L: Named<Task = T>>(typed: L) {
    let typed = taught::<T, L>(typed);
    let bytes = snapshot::to_bytes(&typed).unwrap();
    let held: AnyLearner<T> = snapshot::from_bytes(&bytes).unwrap();
    assert_eq!(prediction_bits(&held), prediction_bits(&typed));
    assert!(held.downcast_ref::<L>().is_some());
    let built = held
        .algorithm()
        .build::<T>(Schema::new(2).unwrap(), forest());
    let built = taught::<T, _>(built.unwrap());
    assert_eq!(snapshot::to_bytes(&built).unwrap(), bytes);
    let loaded: L = snapshot::from_bytes(&snapshot::to_bytes(&built).unwrap()).unwrap();
    assert_eq!(prediction_bits(&loaded), prediction_bits(&typed));
}

#[test]
fn typed_forests_are_what_their_labels_say() {
    let schema = Schema::<Classification>::new(2).unwrap();
    let mut settings = mondrian::fixed(7.5);
    settings.max_uncut = 2;
    is_what_its_label_says(MondrianClassifier::new(schema, settings, forest()).unwrap());
    let numbers = Schema::<Regression>::new(2).unwrap();
    let increasing = mondrian::increasing(3.0, 2);
    is_what_its_label_says(MondrianRegressor::new(numbers, increasing, forest()).unwrap());
    is_what_its_label_says(BoundaryClassifier::new(schema, cosine(), forest()).unwrap());
}

#[test]
fn the_snapshot_of_another_type_is_refused() {
    let schema = Schema::<Classification>::new(2).unwrap();
    let boundary = BoundaryClassifier::new(schema, cosine(), forest());
    let bytes = snapshot::to_bytes(&boundary.unwrap()).unwrap();
    let other = snapshot::from_bytes::<MondrianClassifier>(&bytes).unwrap_err();
    assert!(
        matches!(other, SnapshotError::WrongLearner { .. }),
        "{other}"
    );
    let said = other.to_string();
    assert!(said.contains("not mondrian"), "{said}");
}

#[test]
fn a_pipeline_around_a_typed_forest_loads_as_one_around_a_name() {
    let schema = Schema::<Classification>::new(2).unwrap();
    let forest = MondrianClassifier::new(schema, mondrian::fixed(5.0), forest()).unwrap();
    let pipeline = taught::<Classification, _>(Pipeline::new([], forest).unwrap());
    let bytes = snapshot::to_bytes(&pipeline).unwrap();
    let loaded: Pipeline<AnyClassifier> = snapshot::from_bytes(&bytes).unwrap();
    assert_eq!(prediction_bits(&loaded), prediction_bits(&pipeline));
    assert_eq!(snapshot::to_bytes(&loaded).unwrap(), bytes);
}

/// What was built by a name is loaded as its type, under whatever name of its row.
#[test]
fn a_snapshot_of_a_name_is_loaded_as_its_type() {
    type Prunings = Forest<MondrianTree<AggregatedClasses>>;
    for (text, typed_name) in [
        ("amf", "mondrian"),
        ("mondrian:labels=aggregated", "mondrian"),
    ] {
        let algorithm: Algorithm = text.parse().unwrap();
        let schema = Schema::<Classification>::new(2).unwrap();
        let named = taught::<Classification, _>(algorithm.build(schema, forest()).unwrap());
        let typed: Prunings = snapshot::from_bytes(&snapshot::to_bytes(&named).unwrap()).unwrap();
        assert_eq!(prediction_bits(&typed), prediction_bits(&named), "{text}");
        let again: AnyClassifier =
            snapshot::from_bytes(&snapshot::to_bytes(&typed).unwrap()).unwrap();
        assert_eq!(again.algorithm().name(), typed_name);
        assert_eq!(prediction_bits(&again), prediction_bits(&named), "{text}");
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

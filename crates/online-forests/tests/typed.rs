//! Forests that were built with typed settings are the same as those that were built by name.

use crate::common::answers;
use boundary_forest::{BoundaryClassifier, BoundaryForest, Cosine};
use forest_testing::conformance::{ConformanceTask, Stream};
use mondrian::{MondrianClassifier, MondrianRegressor, snapshot};
use online_forests::snapshot::SnapshotError;
use online_forests::{
    Algorithm, AnyClassifier, AnyLearner, Classification, ForestSettings, NamedTask, Pipeline,
    Regression, Retention, Schema,
};
use registry::Named;

const FOREST: ForestSettings = ForestSettings {
    trees: 3,
    seed: 11,
    retention: Retention::Everything,
};

fn taught<T: ConformanceTask, L: forest_core::OnlineLearner<Task = T>>(mut learner: L) -> L {
    let stream = Stream::<T>::uniform(60, 2, 12);
    stream.teach(&mut learner, 0, 60).unwrap();
    learner
}

/// The snapshot of `typed` is that of what is built from its label, and each loads the other's.
fn is_what_its_label_says<T: NamedTask + ConformanceTask, L: Named<Task = T>>(typed: L) {
    let typed = taught::<T, L>(typed);
    let bytes = snapshot::to_bytes(&typed).unwrap();
    let held: AnyLearner<T> = snapshot::from_bytes(&bytes).unwrap();
    assert_eq!(answers(&held), answers(&typed));
    assert!(held.downcast_ref::<L>().is_some());
    let built = held.algorithm().build::<T>(Schema::new(2).unwrap(), FOREST);
    let built = taught::<T, _>(built.unwrap());
    assert_eq!(snapshot::to_bytes(&built).unwrap(), bytes);
    let loaded: L = snapshot::from_bytes(&snapshot::to_bytes(&built).unwrap()).unwrap();
    assert_eq!(answers(&loaded), answers(&typed));
}

#[test]
fn typed_forests_are_what_their_labels_say() {
    let schema = Schema::<Classification>::new(2).unwrap();
    let mut settings = mondrian::fixed(7.5);
    settings.max_uncut = 2;
    is_what_its_label_says(MondrianClassifier::new(schema, settings, FOREST).unwrap());
    let numbers = Schema::<Regression>::new(2).unwrap();
    let increasing = mondrian::increasing(3.0, 2);
    is_what_its_label_says(MondrianRegressor::new(numbers, increasing, FOREST).unwrap());
    let cosine = BoundaryForest::<Classification, Cosine>::new(schema, Default::default(), FOREST);
    is_what_its_label_says(cosine.unwrap());
}

#[test]
fn the_snapshot_of_another_type_is_refused() {
    let schema = Schema::<Classification>::new(2).unwrap();
    let boundary =
        BoundaryForest::<Classification, Cosine>::new(schema, Default::default(), FOREST);
    let bytes = snapshot::to_bytes(&boundary.unwrap()).unwrap();
    let other = snapshot::from_bytes::<MondrianClassifier>(&bytes).unwrap_err();
    assert!(
        matches!(other, SnapshotError::WrongLearner { .. }),
        "{other}"
    );
    let said = other.to_string();
    assert!(
        said.contains("not mondrian or mondrian-increasing"),
        "{said}"
    );
    // The same bytes could be decoded, but the label says `metric=cosine`.
    let other = snapshot::from_bytes::<BoundaryClassifier>(&bytes).unwrap_err();
    assert!(matches!(other, SnapshotError::Inconsistent(_)), "{other}");
}

#[test]
fn a_pipeline_around_a_typed_forest_loads_as_one_around_a_name() {
    let schema = Schema::<Classification>::new(2).unwrap();
    let forest = MondrianClassifier::new(schema, mondrian::fixed(5.0), FOREST).unwrap();
    let pipeline = taught::<Classification, _>(Pipeline::new([], forest).unwrap());
    let bytes = snapshot::to_bytes(&pipeline).unwrap();
    let loaded: Pipeline<AnyClassifier> = snapshot::from_bytes(&bytes).unwrap();
    assert_eq!(answers(&loaded), answers(&pipeline));
    assert_eq!(snapshot::to_bytes(&loaded).unwrap(), bytes);
}

/// Every configuration is the one that its own defaults belong to.
#[test]
fn each_name_includes_its_own_defaults() {
    for algorithm in Algorithm::all() {
        let schema = Schema::<Classification>::new(2).unwrap();
        if let Ok(learner) = algorithm.build(schema, FOREST) {
            assert_eq!(learner.algorithm().name(), algorithm.name());
        }
    }
}

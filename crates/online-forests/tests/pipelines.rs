//! Pipelines around learners held by name: saved as one snapshot, they come back and continue with raw rows.

use crate::common::prediction_bits;
use forest_testing::conformance::{ConformanceTask, Stream};
use online_forests::preprocessing::{FeatureScaling, LabelEncoder, Pca, Step};
use online_forests::snapshot::{self, SnapshotError};
use online_forests::{
    Algorithm, AnyClassifier, AnyLearner, Classification, ForestSettings, OnlineLearner as _,
    Pipeline, Regression, Schema,
};

/// Returns rows of a length in millimetres, a category 0, 1 or 2, and a constant.
fn stream<T: ConformanceTask>() -> Stream<T> {
    let mut stream = Stream::uniform(150, 3, 41);
    for mut row in stream.features.rows_mut() {
        row[0] *= 1000.0;
        row[1] = (row[1] * 3.0).floor();
        row[2] = 7.0;
    }
    stream
}

/// Principal components, then a scaling of them.
fn pipeline<T: ConformanceTask>(algorithm: &Algorithm) -> Pipeline<AnyLearner<T>> {
    let rows = stream::<T>().features;
    let pca = Step::Pca(Pca::fit(rows.view(), 2).unwrap());
    let projected = pca.transform(rows).unwrap();
    let scaler = FeatureScaling::Quantile.fit(projected.view()).unwrap();
    let steps = [pca].into_iter().chain(scaler);
    let forest = ForestSettings::default().with_trees(3).with_seed(5);
    let learner = algorithm.build(Schema::<T>::new(2).unwrap(), forest);
    Pipeline::new(steps, learner.unwrap()).unwrap()
}

/// Saved before and among the rows: the same predictions, and the same learner in the end.
fn every_pipeline_comes_back<T: ConformanceTask>() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pipeline.snapshot");
    let stream = stream::<T>();
    for algorithm in Algorithm::all().filter(Algorithm::supports::<T>) {
        let mut never_stopped = pipeline::<T>(&algorithm);
        stream.teach(&mut never_stopped, 0, 150).unwrap();
        for middle in [0, 60] {
            let mut stopped = pipeline::<T>(&algorithm);
            stream.teach(&mut stopped, 0, middle).unwrap();
            snapshot::save(&stopped, &path).unwrap();
            let mut loaded: Pipeline<AnyLearner<T>> = snapshot::load(&path).unwrap();
            let [own, expected] = [&loaded, &stopped].map(prediction_bits);
            assert_eq!(own, expected, "{algorithm}");
            stream.teach(&mut loaded, middle, 150).unwrap();
            let both = [&loaded, &never_stopped];
            let [own, expected] = both.map(prediction_bits);
            assert_eq!(own, expected, "{algorithm}");
            let [own, expected] = both.map(|one| one.learner().algorithm());
            assert_eq!(own, expected);
        }
    }
}

#[test]
fn pipelines_come_back() {
    every_pipeline_comes_back::<Classification>();
    every_pipeline_comes_back::<Regression>();
}

#[test]
fn class_names_come_back_with_the_pipeline() {
    let schema = Schema::<Classification>::new(1).unwrap().with_classes(2);
    let learner = "majority".parse::<Algorithm>().unwrap();
    let learner = learner.build(schema.unwrap(), ForestSettings::default());
    let names = LabelEncoder::fit(["no", "yes"]);
    let pipeline = Pipeline::new([], learner.unwrap()).unwrap();
    let bytes = snapshot::to_bytes(&pipeline.with_class_names(names).unwrap()).unwrap();
    let loaded: Pipeline<AnyClassifier> = snapshot::from_bytes(&bytes).unwrap();
    assert_eq!(loaded.class_names().name(1), Some("yes"));
}

#[test]
fn a_pipeline_is_not_taken_for_a_learner_alone_nor_the_reverse() {
    let pipeline = pipeline::<Classification>(&"mondrian".parse().unwrap());
    let wrapped = snapshot::to_bytes(&pipeline).unwrap();
    let alone = snapshot::to_bytes(pipeline.learner()).unwrap();
    let twice = Pipeline::new([], pipeline.clone()).unwrap();
    let twice = snapshot::to_bytes(&twice).unwrap();
    let wrong = |error: SnapshotError| matches!(error, SnapshotError::Other { .. });
    assert!(wrong(
        snapshot::from_bytes::<AnyClassifier>(&wrapped).unwrap_err()
    ));
    for bytes in [&alone, &twice] {
        let loaded = snapshot::from_bytes::<Pipeline<AnyClassifier>>(bytes);
        assert!(wrong(loaded.unwrap_err()));
    }
    snapshot::from_bytes::<Pipeline<Pipeline<AnyClassifier>>>(&twice).unwrap();
}

/// Two shards of one forest behind steps of these kinds, each fitted on some rows, that have learned the same rows.
fn shards_behind(fitted_on: [std::ops::Range<usize>; 2]) -> [Pipeline<AnyLearner<Regression>>; 2] {
    let stream = stream::<Regression>();
    let mut first = 0;
    fitted_on.map(|rows| {
        let (rows, _) = stream.part(rows.start, rows.end);
        let scaling = FeatureScaling::Minmax.fit(rows).unwrap();
        let algorithm: Algorithm = "mondrian".parse().unwrap();
        let forest = ForestSettings::default().with_trees(4);
        let learner = algorithm.build(Schema::new(3).unwrap(), forest).unwrap();
        let mut shard = Pipeline::new(scaling, learner).unwrap();
        shard.keep_trees(first..first + 2).unwrap();
        first += 2;
        stream.teach(&mut shard, 0, 150).unwrap();
        shard
    })
}

/// Their trees have learned other numbers.
#[test]
fn shards_behind_other_scalings_are_not_joined() {
    let [mut whole, next] = shards_behind([0..100, 0..100]);
    assert_eq!(whole.join(next), Ok(()));
    let [mut first, other] = shards_behind([0..100, 50..150]);
    assert_ne!(first.steps(), other.steps());
    let before = snapshot::to_bytes(&first).unwrap();
    let said = first.join(other).unwrap_err().to_string();
    assert!(said.contains("different steps"), "{said}");
    assert!(snapshot::to_bytes(&first).unwrap() == before);
}

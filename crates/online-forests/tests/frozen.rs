//! Files that were written once keep loading, and predict the same bits.
//!
//! `tests/frozen/<name>.snapshot` is a learner, `<name>.predictions` its predictions at fixed points, one
//! number per line as hexadecimal bits. Once a version is released, a new algorithm or a new format version adds files and
//! never replaces one: `FREEZE=1 cargo test -p online-forests --test all frozen` writes those missing, and a release, which runs
//! the test with `RELEASE=1`, lacks none.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{learned, prediction_bits};
use forest_testing::conformance::{ConformanceTask, Stream};
use online_forests::preprocessing::{LabelEncoder, Pca, Scaling, Step};
use online_forests::snapshot::{self, Snapshot};
use online_forests::{
    Algorithm, AnyClassifier, AnyLearner, Classification, ForestSettings, NamedTask, OnlineLearner,
    Pipeline, Regression, Schema,
};

/// The version whose files are written now.
const WRITTEN: &str = "v1";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/frozen")
}

/// `v1-mondrian-classification`
fn stem<T: NamedTask>(algorithm: &Algorithm) -> String {
    format!("{WRITTEN}-{}-{}", algorithm.name(), T::NAME)
}

fn as_text(predictions: &[u64]) -> String {
    predictions
        .iter()
        .map(|bits| format!("{bits:016x}\n"))
        .collect()
}

fn freeze<L: Snapshot<Task: ConformanceTask>>(learner: &L, stem: &str) {
    let path = folder().join(stem);
    if std::env::var_os("FREEZE").is_none() || path.with_extension("snapshot").exists() {
        return;
    }
    let bytes = snapshot::to_bytes(learner).unwrap();
    fs::write(path.with_extension("snapshot"), bytes).unwrap();
    fs::write(
        path.with_extension("predictions"),
        as_text(&prediction_bits(learner)),
    )
    .unwrap();
}

fn thaw<L: Snapshot<Task: ConformanceTask>>(path: &Path) {
    let learner: L = snapshot::load(path).unwrap();
    let expected = fs::read_to_string(path.with_extension("predictions")).unwrap();
    assert_eq!(
        as_text(&prediction_bits(&learner)),
        expected,
        "{}",
        path.display()
    );
}

/// Returns the frozen files of task `T`, of all versions.
fn frozen<T: NamedTask>() -> Vec<PathBuf> {
    let entries = fs::read_dir(folder()).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let name = |path: &PathBuf| path.file_name().map(|name| name.display().to_string());
    let of_task = |path: &PathBuf| name(path).is_some_and(|name| name.contains(T::NAME));
    let learner = |path: &PathBuf| path.extension().is_some_and(|kind| kind == "snapshot");
    let mut paths: Vec<_> = paths.filter(of_task).filter(learner).collect();
    paths.sort();
    paths
}

fn frozen_learners_thaw<T: NamedTask + ConformanceTask>() {
    // All but the toy that this program submits.
    let is_ours = |algorithm: &Algorithm| algorithm.name() != "histogram";
    let defaults = || {
        let all = Algorithm::all().filter(Algorithm::supports::<T>);
        all.filter(is_ours)
    };
    for algorithm in defaults() {
        freeze(&learned::<T>(&algorithm, 40), &stem::<T>(&algorithm));
    }
    for name in ["mondrian", "amf", "dynamic-extra-trees"] {
        let stem = format!("{WRITTEN}-weighted-{name}-{}", T::NAME);
        freeze(&weighted::<T>(name), &stem);
        assert!(folder().join(stem).with_extension("snapshot").exists());
    }
    for path in frozen::<T>() {
        thaw::<AnyLearner<T>>(&path);
    }
    let is_frozen = |algorithm: &Algorithm| {
        let path = folder().join(stem::<T>(algorithm));
        path.with_extension("snapshot").exists()
    };
    let missing: Vec<_> = defaults()
        .filter(|algorithm| !is_frozen(algorithm))
        .collect();
    let must_be_complete = std::env::var_os("RELEASE").is_some();
    assert!(
        !must_be_complete || missing.is_empty(),
        "not frozen: {missing:?}"
    );
}

/// Returns a learner of forty samples without weights, and of twenty with whole and other ones.
fn weighted<T: NamedTask + ConformanceTask>(name: &str) -> AnyLearner<T> {
    let mut learner = learned::<T>(&name.parse().unwrap(), 40);
    let stream = Stream::<T>::uniform(20, 2, 14);
    let (features, targets) = stream.part(0, 20);
    let weights: Vec<f64> = (0..20).map(|row| 0.5 + f64::from(row % 4) / 2.0).collect();
    let with_weights = learner.as_weighted_mut().unwrap();
    with_weights
        .learn_weighted(features, targets, &weights)
        .unwrap();
    learner
}

#[test]
fn frozen_classifiers_thaw() {
    frozen_learners_thaw::<Classification>();
}

#[test]
fn frozen_regressors_thaw() {
    frozen_learners_thaw::<Regression>();
}

/// Returns a pipeline with every kind of step, and with class names.
fn pipeline() -> Pipeline<AnyClassifier> {
    let stream = Stream::<Classification>::uniform(40, 3, 12);
    let rows = stream.features.view();
    let scalings = [
        Scaling::MinMax,
        Scaling::Standard,
        Scaling::Robust,
        Scaling::Quantile,
    ];
    let scalers = scalings.map(|scaling| scaling.fit(rows).unwrap());
    let mut steps: Vec<Step> = scalers.map(Step::from).into();
    steps.push(Pca::fit(rows, 3).unwrap().into());
    let mondrian: Algorithm = "mondrian".parse().unwrap();
    let learner = mondrian.build(Schema::new(3).unwrap(), ForestSettings::default());
    let mut fitted = Pipeline::new(steps, learner.unwrap()).unwrap();
    stream.teach(&mut fitted, 0, 40).unwrap();
    let classes = (0..fitted.schema().width()).map(|class| format!("class {class}"));
    let names = LabelEncoder::fit(classes.collect::<Vec<_>>().iter().map(String::as_str));
    fitted.with_class_names(names).unwrap()
}

#[test]
fn a_frozen_pipeline_thaws() {
    let stem = format!("{WRITTEN}-pipeline");
    freeze(&pipeline(), &stem);
    thaw::<Pipeline<AnyClassifier>>(&folder().join(stem).with_extension("snapshot"));
}

//! Files written by earlier versions keep loading, and answer the same bits.
//!
//! `tests/frozen/<name>.snapshot` is a learner, `<name>.answers` its answers at fixed points, one
//! number per line as hexadecimal bits. A new algorithm, or a new format version, adds files and
//! never replaces one: `FREEZE=1 cargo test -p online-forests --test frozen` writes those missing.
#![allow(clippy::unwrap_used, reason = "helpers of tests may panic, too")]

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{answers, learned};
use forest_core::conformance::ConformanceTask;
use online_forests::snapshot;
use online_forests::{Algorithm, AnyLearner, Classification, NamedTask, Regression};

/// The version whose files are written now; files of earlier versions stay beside them.
const WRITTEN: &str = "v1";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/frozen")
}

/// `v1-mondrian-classification`
fn stem<T: NamedTask>(algorithm: &Algorithm) -> String {
    format!("{WRITTEN}-{}-{}", algorithm.name(), T::NAME)
}

fn as_text(answers: &[u64]) -> String {
    answers
        .iter()
        .map(|bits| format!("{bits:016x}\n"))
        .collect()
}

fn freeze<T: NamedTask + ConformanceTask>(algorithm: &Algorithm) {
    let path = folder().join(stem::<T>(algorithm));
    if path.with_extension("snapshot").exists() {
        return;
    }
    let learner = learned::<T>(algorithm, 40);
    let bytes = snapshot::to_bytes(&learner).unwrap();
    fs::write(path.with_extension("snapshot"), bytes).unwrap();
    fs::write(path.with_extension("answers"), as_text(&answers(&learner))).unwrap();
}

fn thaw<T: NamedTask + ConformanceTask>(path: &Path) {
    let learner: AnyLearner<T> = snapshot::load(path).unwrap();
    let expected = fs::read_to_string(path.with_extension("answers")).unwrap();
    assert_eq!(as_text(&answers(&learner)), expected, "{}", path.display());
}

/// The frozen files of task `T`, of all versions.
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
    let defaults = || Algorithm::all().filter(Algorithm::supports::<T>);
    if std::env::var_os("FREEZE").is_some() {
        for algorithm in defaults() {
            freeze::<T>(&algorithm);
        }
    }
    for path in frozen::<T>() {
        thaw::<T>(&path);
    }
    for algorithm in defaults() {
        let path = folder().join(stem::<T>(&algorithm));
        assert!(
            path.with_extension("snapshot").exists(),
            "no frozen {algorithm}"
        );
    }
}

#[test]
fn frozen_classifiers_thaw() {
    frozen_learners_thaw::<Classification>();
}

#[test]
fn frozen_regressors_thaw() {
    frozen_learners_thaw::<Regression>();
}

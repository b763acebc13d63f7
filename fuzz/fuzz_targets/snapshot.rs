//! A file with a checksum that fits is refused, or holds a learner that can predict and learn.
#![no_main]

use libfuzzer_sys::fuzz_target;
use online_forests::ndarray::Array2;
use online_forests::snapshot;
use online_forests::{AnyClassifier, AnyRegressor, OnlineLearner, Pipeline, Task};

const CHECKSUM: usize = 4;

fuzz_target!(|data: &[u8]| {
    let content = &data[..data.len().saturating_sub(CHECKSUM)];
    let file = [content, &crc32fast::hash(content).to_le_bytes()].concat();
    if let Ok(learner) = snapshot::from_bytes::<AnyClassifier>(&file) {
        exercise(learner, &[0, 1]);
    }
    if let Ok(learner) = snapshot::from_bytes::<AnyRegressor>(&file) {
        exercise(learner, &[0.0, 1e9]);
    }
    if let Ok(learner) = snapshot::from_bytes::<Pipeline<AnyClassifier>>(&file) {
        exercise(learner, &[0, 1]);
    }
});

/// The learner of a forged file may be wide; predicting a row must not take more memory than this.
const WIDEST: usize = 4096;

fn exercise<T: Task>(mut learner: impl OnlineLearner<Task = T>, targets: &[T::Target]) {
    let features = learner.schema().features();
    if features > WIDEST || learner.schema().width() > WIDEST {
        return;
    }
    let rows = Array2::from_shape_fn((targets.len(), features), |(row, column)| {
        (row + column) as f32
    });
    learner.predict(rows.view()).expect("the rows are finite");
    // Refused where the schema knows fewer classes or the store is full.
    let _ = learner.learn(rows.view(), targets);
    learner.predict(rows.view()).expect("the rows are finite");
    learner
        .check_invariants()
        .expect("what was loaded is sound, and stays so");
}

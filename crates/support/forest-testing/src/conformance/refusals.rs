//! Nothing changes when a batch is refused: not even what no prediction shows.

use forest_core::{InputError, OnlineLearner, Schema, Task};
use ndarray::{Array2, array};

use super::{Broken, ConformanceTask, Stream, schema};

const CHECK: &str = "a_refusal_leaves_the_same_bytes";

/// Checks that a batch whose first rows are good, with a target that the learner may not have seen yet, and whose last is refused leaves the
/// snapshot unchanged, byte for byte: before the first row, early in a stream and later.
///
/// # Errors
/// If a batch is accepted, or a byte differs.
pub fn a_refusal_leaves_the_same_bytes<T: ConformanceTask, L: OnlineLearner<Task = T>>(
    build: &impl Fn(Schema<T>, u64) -> L,
    save: &impl Fn(&L) -> Vec<u8>,
) -> Result<(), Broken> {
    let stream = Stream::<T>::uniform(60, 2, 33);
    let mut learner = build(schema(2), 34);
    for (start, end) in [(0, 1), (1, 5), (5, 60)] {
        refuse_all(&mut learner, save)?;
        let taught = stream.teach(&mut learner, start, end);
        taught.expect("the stream is acceptable");
    }
    refuse_all(&mut learner, save)
}

fn refuse_all<T: ConformanceTask, L: OnlineLearner<Task = T>>(
    learner: &mut L,
    save: &impl Fn(&L) -> Vec<u8>,
) -> Result<(), Broken> {
    let before = save(learner);
    for (rows, targets, what) in refused::<T>() {
        let learned = learner.learn(rows.view(), &targets);
        unchanged(learned, "learn", what, || save(learner) == before)?;
        let tested = learner.predict_then_learn(rows.view(), &targets);
        unchanged(tested, "predict_then_learn", what, || {
            save(learner) == before
        })?;
        let learned = learner.learn_one(&rows.row(2).to_vec(), targets[2]);
        unchanged(learned, "learn_one", what, || save(learner) == before)?;
    }
    Ok(())
}

fn unchanged<R>(
    result: Result<R, InputError>,
    entrance: &str,
    what: &str,
    same: impl FnOnce() -> bool,
) -> Result<(), Broken> {
    Broken::require(result.is_err(), CHECK, || {
        format!("{what} was accepted by `{entrance}`")
    })?;
    Broken::require(same(), CHECK, || {
        format!("{what}, refused by `{entrance}`, left a trace")
    })
}

/// A batch, and what the fault of its last row is.
type Refused<T> = (Array2<f32>, Vec<<T as Task>::Target>, &'static str);

/// Batches whose last row alone is at fault.
fn refused<T: ConformanceTask>() -> Vec<Refused<T>> {
    let good = array![[0.1_f32, 0.2], [0.9, 0.4], [0.5, 0.6]];
    let targets: Vec<T::Target> = good
        .rows()
        .into_iter()
        .map(|row| T::target(&row.to_vec()))
        .collect();
    let mut infinite = good.clone();
    infinite[[2, 1]] = f32::INFINITY;
    let wide = Array2::from_elem((3, 3), 0.5);
    let mut batches = vec![
        (infinite, targets.clone(), "a value that is not finite"),
        (wide, targets.clone(), "a wrong width"),
    ];
    for target in T::refused() {
        let targets = vec![targets[0], targets[1], target];
        batches.push((good.clone(), targets, "an impossible target"));
    }
    batches
}

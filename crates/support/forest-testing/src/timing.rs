//! What learning and predicting cost a thread.

use std::time::Duration;

use forest_core::{InputError, OnlineLearner, Task};
use ndarray::{ArrayView2, s};

/// Returns the result of `work`, and the microseconds that this thread has run for it, however busy the machine is. Linux reports them; elsewhere
/// they are 0.
pub fn timed<R>(work: impl FnOnce() -> R) -> (R, f64) {
    let start = processor_time();
    let result = work();
    (result, (processor_time() - start).as_secs_f64() * 1e6)
}

fn processor_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanos = text.split(' ').next().and_then(|first| first.parse().ok());
    Duration::from_nanos(nanos.unwrap_or(0))
}

/// Rows of a call of [`learn_in_calls`], as a stream has them.
const ROWS_A_CALL: usize = 1000;

/// Learns rows a thousand at a time.
///
/// # Errors
/// As [`OnlineLearner::learn`].
pub fn learn_in_calls<L: OnlineLearner>(
    learner: &mut L,
    rows: ArrayView2<'_, f32>,
    targets: &[<L::Task as Task>::Target],
) -> Result<(), InputError> {
    for from in (0..rows.nrows()).step_by(ROWS_A_CALL) {
        let to = rows.nrows().min(from + ROWS_A_CALL);
        learner.learn(rows.slice(s![from..to, ..]), &targets[from..to])?;
    }
    Ok(())
}

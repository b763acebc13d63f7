//! Test on each row of the stream, then learn it; the clock runs only inside the learner.

use std::ops::Range;
use std::time::{Duration, Instant};

use forest_core::OnlineLearner;
use ndarray::s;

use super::metric::{Score, Scored};
use super::prepare::Part;
use super::progress::Progress;
use super::record::{Curve, Measured};
use super::run::{RunError, pause};

/// Runs the protocol window by window, which is row by row: a batch means its rows one after another.
///
/// # Errors
/// Ctrl-C, or a refused batch.
pub fn run<T: Scored>(
    learner: &mut dyn OnlineLearner<Task = T>,
    stream: &Part<T>,
    window: usize,
    progress: &Progress,
) -> Result<Measured, RunError> {
    let (mut all, mut time, mut curve) = (Score::default(), Duration::ZERO, Curve::default());
    for rows in windows(stream.targets.len(), window) {
        let features = stream.features.slice(s![rows.clone(), ..]);
        let targets = &stream.targets[rows.clone()];
        let start = Instant::now();
        let answers = learner.predict_then_learn(features, targets)?;
        let elapsed = start.elapsed();
        time += elapsed;
        curve.seconds.push(elapsed.as_secs_f64());
        let losses = answers
            .iter()
            .zip(targets)
            .map(|(answer, &truth)| T::loss(answer, truth));
        note::<T>(&mut curve, &mut all, rows.end, losses);
        pause(progress, rows.len())?;
    }
    Ok(Measured {
        value: all.value::<T>(),
        learn_seconds: time.as_secs_f64(),
        curve: Some(curve),
        ..Measured::default()
    })
}

/// `0..rows` in stretches of `size`, and what remains with the last: a short window would be noise.
fn windows(rows: usize, size: usize) -> impl Iterator<Item = Range<usize>> {
    let count = rows / size;
    let end = move |index: usize| {
        if index + 1 == count {
            rows
        } else {
            (index + 1) * size
        }
    };
    (0..count).map(move |index| index * size..end(index))
}

/// Adds the losses of the window that ends at row `end` to the curve.
fn note<T: Scored>(
    curve: &mut Curve,
    all: &mut Score,
    end: usize,
    losses: impl Iterator<Item = f64>,
) {
    let mut window = Score::default();
    for loss in losses {
        window.add(loss);
        all.add(loss);
    }
    curve.rows.push(end);
    curve.windowed.push(window.value::<T>());
    curve.cumulative.push(all.value::<T>());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_cover_the_stream_and_none_is_short() {
        assert_eq!(windows(10, 4).collect::<Vec<_>>(), [0..4, 4..10]);
        assert_eq!(windows(5, 5).count(), 1);
    }
}

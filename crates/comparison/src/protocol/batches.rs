//! Rows in batches: a batch means its rows one after another, so its size does not change predictions.

use std::ops::Range;
use std::time::Duration;

/// Rows of the largest batch that is learned: Ctrl-C and a progress bar wait for no more than these.
const LARGEST: usize = 1000;

/// Rows of the first batch that is learned: few, so that the memory a sample takes is known early.
const FIRST: usize = 8;

/// Rows of the first batch that is predicted.
const FIRST_PREDICTED: usize = 1000;

/// Rows of the largest batch that is predicted.
const LARGEST_PREDICTED: usize = 16_000;

/// A batch that is predicted within this time is followed by one twice as large, so that waking threads costs little beside it.
/// Ctrl-C and a progress bar wait for about twice this time.
const QUICK: Duration = Duration::from_millis(50);

/// `0..rows` in batches to be predicted.
pub(super) struct PredictedBatches {
    rest: Range<usize>,
    size: usize,
}

impl PredictedBatches {
    pub(super) fn new(rows: usize) -> Self {
        Self {
            rest: 0..rows,
            size: FIRST_PREDICTED,
        }
    }

    /// Returns the next batch; `None` if all rows are predicted.
    pub(super) fn next(&mut self) -> Option<Range<usize>> {
        let start = self.rest.start;
        self.rest.start = self.rest.end.min(start + self.size);
        Some(start..self.rest.start).filter(|batch| !batch.is_empty())
    }

    /// Records how long the latest batch took.
    pub(super) fn record_time(&mut self, time: Duration) {
        if time < QUICK {
            self.size = (2 * self.size).min(LARGEST_PREDICTED);
        }
    }
}

/// Divides `0..rows` into batches that grow from a few rows to the largest.
pub(super) fn growing(rows: usize) -> impl Iterator<Item = Range<usize>> {
    let after = move |batch: &Range<usize>| {
        let size = (2 * batch.len()).min(LARGEST);
        batch.end..rows.min(batch.end + size)
    };
    let first = 0..rows.min(FIRST);
    std::iter::successors(Some(first), move |batch| Some(after(batch)))
        .take_while(|batch| !batch.is_empty())
}

/// Divides `0..rows` into windows of `size`; the last also has the remainder, since a short window would be noise.
pub(super) fn windows(rows: usize, size: usize) -> impl Iterator<Item = Range<usize>> {
    let count = rows / size;
    (1..=count).map(move |window| {
        let end = if window == count { rows } else { window * size };
        (window - 1) * size..end
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_cover_the_stream_and_none_is_short() {
        assert_eq!(windows(10, 4).collect::<Vec<_>>(), [0..4, 4..10]);
        assert_eq!(windows(5, 5).count(), 1);
    }

    /// Returns the batches that are predicted when each takes `time`.
    fn batches_of(rows: usize, time: Duration) -> Vec<Range<usize>> {
        let mut batches = PredictedBatches::new(rows);
        let next = || {
            let batch = batches.next()?;
            batches.record_time(time);
            Some(batch)
        };
        std::iter::from_fn(next).collect()
    }

    #[test]
    fn quick_predictions_are_made_in_larger_batches() {
        let slow = batches_of(2500, QUICK);
        assert_eq!(slow, [0..1000, 1000..2000, 2000..2500]);
        let quick = batches_of(60_000, Duration::ZERO);
        let sizes: Vec<_> = quick.iter().map(Range::len).collect();
        assert_eq!(sizes, [1000, 2000, 4000, 8000, 16_000, 16_000, 13_000]);
        assert!(quick.windows(2).all(|pair| pair[0].end == pair[1].start));
        assert_eq!(batches_of(0, QUICK), []);
    }

    #[test]
    fn batches_cover_the_rows() {
        assert_eq!(growing(30).collect::<Vec<_>>(), [0..8, 8..24, 24..30]);
        assert_eq!(growing(0).count(), 0);
        let all: Vec<_> = growing(5000).flatten().collect();
        assert_eq!(all, (0..5000).collect::<Vec<_>>());
        assert_eq!(growing(5000).map(|batch| batch.len()).max(), Some(LARGEST));
    }
}

//! Rows in batches: a batch means its rows one after another, so its size changes no answer.

use std::ops::Range;
use std::time::Duration;

/// Rows of the largest batch that is learned: Ctrl-C and a progress bar wait for no more than these.
const LARGEST: usize = 1000;

/// Rows of the first batch that is learned: soon enough to see what a sample takes of memory.
const FIRST: usize = 8;

/// Rows of the first batch that is answered.
const FIRST_ANSWERED: usize = 1000;

/// Rows of the largest batch that is answered.
const LARGEST_ANSWERED: usize = 16_000;

/// A batch that is answered within this time is followed by one twice as large, so that waking threads costs little beside it.
/// Ctrl-C and a progress bar wait for about twice this time.
const QUICK: Duration = Duration::from_millis(50);

/// `0..rows` in batches to be answered, the first of which is next.
pub(super) struct Answered {
    rest: Range<usize>,
    size: usize,
}

impl Answered {
    pub fn new(rows: usize) -> Self {
        Self {
            rest: 0..rows,
            size: FIRST_ANSWERED,
        }
    }

    /// The next batch; none if all rows are answered.
    pub fn next(&mut self) -> Option<Range<usize>> {
        let start = self.rest.start;
        self.rest.start = self.rest.end.min(start + self.size);
        Some(start..self.rest.start).filter(|batch| !batch.is_empty())
    }

    /// Says how long the latest batch took.
    pub fn took(&mut self, time: Duration) {
        if time < QUICK {
            self.size = (2 * self.size).min(LARGEST_ANSWERED);
        }
    }
}

/// `0..rows` in batches that grow from a few rows to the largest.
pub(super) fn growing(rows: usize) -> impl Iterator<Item = Range<usize>> {
    let after = move |batch: &Range<usize>| {
        let size = (2 * batch.len()).min(LARGEST);
        batch.end..rows.min(batch.end + size)
    };
    let first = 0..rows.min(FIRST);
    std::iter::successors(Some(first), move |batch| Some(after(batch)))
        .take_while(|batch| !batch.is_empty())
}

/// `0..rows` in windows of `size`, the last with what remains: a short window would be noise.
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

    /// The batches that are answered when each takes `time`.
    fn answered(rows: usize, time: Duration) -> Vec<Range<usize>> {
        let mut batches = Answered::new(rows);
        let next = || {
            let batch = batches.next()?;
            batches.took(time);
            Some(batch)
        };
        std::iter::from_fn(next).collect()
    }

    #[test]
    fn answers_that_come_quickly_are_asked_in_larger_batches() {
        let slow = answered(2500, QUICK);
        assert_eq!(slow, [0..1000, 1000..2000, 2000..2500]);
        let quick = answered(60_000, Duration::ZERO);
        let sizes: Vec<_> = quick.iter().map(Range::len).collect();
        assert_eq!(sizes, [1000, 2000, 4000, 8000, 16_000, 16_000, 13_000]);
        assert!(quick.windows(2).all(|pair| pair[0].end == pair[1].start));
        assert_eq!(answered(0, QUICK), []);
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

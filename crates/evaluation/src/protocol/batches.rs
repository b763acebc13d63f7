//! Rows in batches: a batch means its rows one after another, so its size changes no answer.

use std::ops::Range;

/// Rows of the largest batch: Ctrl-C and a progress bar wait for no more than these.
const LARGEST: usize = 1000;

/// Rows of the first batch that is learned: soon enough to see what a sample takes of memory.
const FIRST: usize = 8;

/// `0..rows` in equal batches.
pub(super) fn batches(rows: usize) -> impl Iterator<Item = Range<usize>> {
    let starts = (0..rows).step_by(LARGEST);
    starts.map(move |start| start..rows.min(start + LARGEST))
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

    #[test]
    fn batches_cover_the_rows() {
        assert_eq!(
            batches(2500).collect::<Vec<_>>(),
            [0..1000, 1000..2000, 2000..2500]
        );
        assert_eq!(growing(30).collect::<Vec<_>>(), [0..8, 8..24, 24..30]);
        assert_eq!(growing(0).count(), 0);
        let all: Vec<_> = growing(5000).flatten().collect();
        assert_eq!(all, (0..5000).collect::<Vec<_>>());
        assert_eq!(growing(5000).map(|batch| batch.len()).max(), Some(LARGEST));
    }
}

//! Windows around the change points of a stream.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// A measurement, or its rows, around one change; `None` where the stream, or the concept, is too short.
///
/// ```
/// use comparison::AroundChange;
///
/// // A stream of 3000 rows, each with a loss; what is to be learned changes at row 1200.
/// let losses: Vec<f64> = (0..3000).map(|row| f64::from(u8::from((1200..2000).contains(&row)))).collect();
/// let rows = AroundChange::all(&[1200], losses.len());
/// let mean = rows[0].map(|rows| losses[rows.clone()].iter().sum::<f64>() / rows.len() as f64);
/// assert_eq!((mean.before, mean.after, mean.later), (Some(0.0), Some(1.0), Some(0.0)));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AroundChange<V> {
    /// The first row of the new concept.
    pub row: usize,
    /// The last [`WINDOW`](Self::WINDOW) rows before it.
    pub before: Option<V>,
    /// The first `WINDOW` rows after it.
    pub after: Option<V>,
    /// The `WINDOW` rows that begin [`LATER`](Self::LATER) rows after it.
    pub later: Option<V>,
}

impl AroundChange<Range<usize>> {
    /// Returns the rows to measure on around each of these ascending change points of a stream of n rows. A window does
    /// not extend beyond the previous or the next change.
    pub fn all(changes: &[usize], rows: usize) -> Vec<Self> {
        let ends = changes.iter().skip(1).copied().chain([rows]);
        let begins = [0].into_iter().chain(changes.iter().copied());
        let around = changes.iter().zip(begins.zip(ends));
        around
            .map(|(&row, (begin, end))| {
                let from = |start: usize| {
                    let window = start..start + Self::WINDOW;
                    (window.end <= end).then_some(window)
                };
                Self {
                    row,
                    before: (begin + Self::WINDOW <= row).then(|| row - Self::WINDOW..row),
                    after: from(row),
                    later: from(row + Self::LATER),
                }
            })
            .collect()
    }
}

impl<V> AroundChange<V> {
    /// Number of rows in a window.
    pub const WINDOW: usize = 500;

    /// Rows from a change until a learner should have adapted to it.
    pub const LATER: usize = 1000;

    /// Applies `f` to each window that exists.
    pub fn map<W>(&self, measure: impl Fn(&V) -> W) -> AroundChange<W> {
        AroundChange {
            row: self.row,
            before: self.before.as_ref().map(&measure),
            after: self.after.as_ref().map(&measure),
            later: self.later.as_ref().map(&measure),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Rows = AroundChange<Range<usize>>;

    #[test]
    fn windows_touch_the_change_and_begin_a_thousand_rows_later() {
        let expected = Rows {
            row: 600,
            before: Some(100..600),
            after: Some(600..1100),
            later: Some(1600..2100),
        };
        assert_eq!(Rows::all(&[600], 2100), [expected]);
        assert!(Rows::all(&[], 2100).is_empty());
    }

    #[test]
    fn no_window_leaves_the_stream_or_its_concept() {
        let which = |changes: &[usize], rows| {
            let some =
                |around: &Rows| [&around.before, &around.after, &around.later].map(Option::is_some);
            Rows::all(changes, rows)
                .iter()
                .map(some)
                .collect::<Vec<_>>()
        };
        assert_eq!(which(&[500], 2000), [[true, true, true]]);
        assert_eq!(which(&[499], 1998), [[false, true, false]]);
        assert_eq!(which(&[0], 499), [[false, false, false]]);
        assert_eq!(
            which(&[0, 1500, 1999], 3499),
            [
                [false, true, true],
                [true, false, false],
                [false, true, true],
            ]
        );
        assert_eq!(
            which(&[0, 1499], 1500),
            [[false, true, false], [true, false, false]]
        );
    }

    #[test]
    fn what_is_not_there_is_not_measured() {
        let lengths = Rows::all(&[0], 700)[0].map(Range::len);
        assert_eq!(
            (lengths.before, lengths.after, lengths.later),
            (None, Some(500), None)
        );
    }
}

//! Assigns trees to processes.

use std::ops::Range;

/// Returns the trees of each of `processes` processes: contiguous, as evenly as possible.
///
/// ```
/// assert_eq!(distributed::parts(10, 3), [0..3, 3..6, 6..10]);
/// assert_eq!(distributed::parts(1, 2), [0..0, 0..1]);
/// ```
pub fn parts(trees: usize, processes: usize) -> Vec<Range<usize>> {
    let start = |process| process * trees / processes;
    (0..processes)
        .map(|process| start(process)..start(process + 1))
        .collect()
}

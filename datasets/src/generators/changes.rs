//! Streams whose concept, the rule that gives the class, changes at known rows.

use parameters::{Parameter, Rule};

use super::MAX_ROWS;

/// The distance of changes.
pub(super) const EVERY: Parameter = Parameter::new(
    "every",
    Rule::CountFromTo(1, MAX_ROWS),
    "2500",
    "rows between two changes",
);

/// Rows in a hundred whose class is wrong: at most half of them, so that the rule stays the best guess.
pub(super) const PERCENT: Rule = Rule::CountFromTo(0, 50);

/// Changes that come at equal distances.
#[derive(Debug, Clone, Copy)]
pub(super) struct Changes {
    pub(super) every: usize,
}

impl Changes {
    /// Changes before row `at` or at it.
    pub(super) fn until(self, at: usize) -> usize {
        at / self.every
    }

    /// Returns the first row of each concept but the first, in a stream of `rows` rows.
    pub(super) fn rows(self, rows: usize) -> Vec<usize> {
        (self.every..rows).step_by(self.every).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_the_first_row_of_something_new() {
        let changes = Changes { every: 3 };
        let concepts: Vec<usize> = (0..9).map(|at| changes.until(at)).collect();
        assert_eq!(concepts, [0, 0, 0, 1, 1, 1, 2, 2, 2]);
        assert_eq!(changes.rows(9), [3, 6]);
        assert_eq!(changes.rows(10), [3, 6, 9]);
        assert!(changes.rows(3).is_empty());
    }
}

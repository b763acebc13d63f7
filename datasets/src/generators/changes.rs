//! Streams whose concept, the rule that gives the class, changes at known rows.

use forest_core::parameters::{Parameter, Rule, Values};

use super::MAX_ROWS;
use super::sample::{Outcome, Sampler, zero_and_one};
use super::streams::Streams;

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
    /// Returns the changes that [`EVERY`] describes.
    pub(super) fn read(parameters: &Values) -> Self {
        let every = parameters.value("every");
        Self { every }
    }

    /// Changes before row `at` or at it.
    pub(super) fn until(self, at: usize) -> usize {
        at / self.every
    }

    /// Returns the first row of each concept but the first, in a stream of `rows` rows.
    pub(super) fn rows(self, rows: usize) -> Vec<usize> {
        (self.every..rows).step_by(self.every).collect()
    }
}

/// Returns a sampler of the classes 0 and 1 without noise, so that the best possible accuracy is 1, whose concept changes
/// at equal distances. `draw` fills a row, and returns whether it is of class 1 in the concept of this number, from 0.
pub(super) fn exact(
    parameters: &Values,
    width: usize,
    draw: impl Fn(usize, &mut Streams, &mut [f32]) -> bool + 'static,
) -> Box<dyn Sampler> {
    let changes = Changes::read(parameters);
    Box::new(Exact {
        changes,
        width,
        draw,
    })
}

struct Exact<D> {
    changes: Changes,
    width: usize,
    draw: D,
}

impl<D: Fn(usize, &mut Streams, &mut [f32]) -> bool> Sampler for Exact<D> {
    fn width(&self) -> usize {
        self.width
    }

    fn classes(&self) -> Vec<String> {
        zero_and_one()
    }

    fn draw(&mut self, at: usize, streams: &mut Streams, row: &mut [f32]) -> Outcome {
        let is_1 = (self.draw)(self.changes.until(at), streams, row);
        Outcome::Class(u32::from(is_1))
    }

    fn changes(&self, rows: usize) -> Vec<usize> {
        self.changes.rows(rows)
    }

    fn best_accuracy(&self) -> Option<f64> {
        Some(1.0)
    }
}

/// Returns the class in a concept where the two classes change places at each change.
pub(super) fn turned(concept: usize, is_1: bool) -> bool {
    is_1 != (concept % 2 == 1)
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

//! Answers of the parts, and their mean.

use forest_core::{Task, accumulate};
use registry::NamedTask;

use crate::part::Part;

/// What parts have answered to a row.
#[derive(Debug)]
pub struct Answered<'a, T: NamedTask> {
    pub(crate) voters: &'a [Part<T>],
    pub(crate) row: usize,
    /// Numbers of each answer, those for classes that came later included.
    pub(crate) width: usize,
    /// Numbers of the answer to this row.
    pub(crate) known: usize,
}

impl<T: NamedTask> Answered<'_, T> {
    /// Width of the answer.
    pub fn known(&self) -> usize {
        self.known
    }

    /// Adds all answers, part by part, and tells how many they are.
    pub fn add(&self, sum: &mut [f64]) -> usize {
        for part in self.voters {
            accumulate(sum, part.answer_to(self.row, self.width));
        }
        self.voters.len()
    }
}

/// Makes an answer of the sum of `voters` answers; if there are none, that of a learner without samples.
pub(crate) fn mean<T: Task>(voters: f64, sum: &mut [f64]) {
    match voters > 0.0 {
        true => sum.iter_mut().for_each(|cell| *cell /= voters),
        false => T::prior_prediction(sum),
    }
}

//! Predictions of the parts, and their mean.

use forest_core::{Task, accumulate};
use registry::NamedTask;

use crate::part::Part;

/// The predictions of the parts for a row.
#[derive(Debug)]
pub(crate) struct PartPredictions<'a, T: NamedTask> {
    pub(crate) voters: &'a [Part<T>],
    pub(crate) row: usize,
    /// Length of each prediction, including classes that arrived later in the round.
    pub(crate) width: usize,
    /// Length of the prediction for this row.
    pub(crate) known: usize,
}

impl<T: NamedTask> PartPredictions<'_, T> {
    /// Returns the length of the prediction.
    pub(crate) fn known(&self) -> usize {
        self.known
    }

    /// Adds all predictions, part by part, and returns how many there are.
    pub(crate) fn add(&self, sum: &mut [f64]) -> usize {
        for part in self.voters {
            accumulate(sum, part.prediction_for(self.row, self.width));
        }
        self.voters.len()
    }
}

/// Turns the sum of `voters` predictions into their mean; without voters, into the prediction of a learner without samples.
pub(crate) fn mean<T: Task>(voters: f64, sum: &mut [f64]) {
    if voters > 0.0 {
        sum.iter_mut().for_each(|cell| *cell /= voters);
    } else {
        T::prior_prediction(sum);
    }
}

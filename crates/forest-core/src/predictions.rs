//! Prediction rows of unequal width: one per sample, as wide as the classes known when it was made.

/// The predictions of [`OnlineLearner::predict_then_learn`](crate::OnlineLearner::predict_then_learn).
///
/// Each row is what `predict` would have returned just before that row was learned, and so as wide
/// as the classes known then: a ragged table, stored flat.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PredictionRows {
    values: Vec<f64>,
    ends: Vec<usize>,
}

impl PredictionRows {
    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns row `index`: class probabilities, or the mean.
    ///
    /// # Panics
    /// If `index` is not below [`PredictionRows::len`].
    pub fn row(&self, index: usize) -> &[f64] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.values[start..self.ends[index]]
    }

    /// Returns the rows, first to last.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        (0..self.len()).map(|index| self.row(index))
    }

    /// Appends a row of `width` zeros and hands it out to be filled.
    pub fn push(&mut self, width: usize) -> &mut [f64] {
        let start = self.values.len();
        self.values.resize(start + width, 0.0);
        self.ends.push(self.values.len());
        &mut self.values[start..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_widths_of_their_own() {
        let mut rows = PredictionRows::default();
        assert!(rows.is_empty());
        rows.push(0);
        rows.push(2).copy_from_slice(&[0.5, 0.25]);
        assert!(!rows.is_empty());
        assert!(rows.iter().eq([&[][..], &[0.5, 0.25]]));
    }
}

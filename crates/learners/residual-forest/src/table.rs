//! Working memory: predictions and residuals of rows that go through the stages of all chains.

use forest_core::Regression;

/// The state before a row is learned.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// The mean of the targets before it.
    pub(crate) mean: f64,
    /// The prediction of the ridge regression.
    pub(crate) ridge: f64,
    pub(crate) target: f64,
    /// Whether nothing has been learned yet to predict from.
    pub(crate) is_first: bool,
}

/// Rows, and for each of them a column for every stage of every chain.
#[derive(Debug, Default)]
pub(crate) struct Table {
    pub(crate) rows: Vec<Row>,
    columns: usize,
    /// Row by row, the prediction of each stage; that of the first stage of a chain minus the mean of the targets.
    predictions: Vec<f64>,
    /// Row by row, the prediction of each partial chain.
    partial: Vec<f64>,
    /// The targets of the next stage.
    pub(crate) residuals: Vec<f64>,
    /// The predictions of one forest.
    pub(crate) of_forest: Vec<f64>,
}

/// Working memory is not part of a learner's state: a clone begins with its own.
impl Clone for Table {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Table {
    /// Makes room for the predictions of `rows`, which are already there.
    pub(crate) fn begin(&mut self, columns: usize) {
        self.columns = columns;
        for cells in [&mut self.predictions, &mut self.partial] {
            cells.clear();
            cells.resize(self.rows.len() * columns, 0.0);
        }
    }

    /// Returns the predictions of all partial chains for a row.
    pub(crate) fn partial(&self, row: usize) -> &[f64] {
        &self.partial[row * self.columns..][..self.columns]
    }

    /// Stores the prediction of a partial chain for a row.
    pub(crate) fn set_partial(&mut self, row: usize, column: usize, value: f64) {
        self.partial[row * self.columns + column] = value;
    }

    /// Returns the predictions of `count` stages from column `from` on, for a row.
    pub(crate) fn predictions(&self, row: usize, from: usize, count: usize) -> &[f64] {
        &self.predictions[row * self.columns + from..][..count]
    }

    /// Stores the predictions of a stage.
    pub(crate) fn set_stage(&mut self, column: usize, prediction: impl Fn(usize, &Row) -> f64) {
        let cells = self.predictions.iter_mut().skip(column);
        let cells = cells.step_by(self.columns);
        for ((index, row), cell) in self.rows.iter().enumerate().zip(cells) {
            *cell = prediction(index, row);
        }
    }

    /// Stores the predictions of a forest as those of a stage; minus the means of the targets if it is the first of its chain.
    pub(crate) fn set_stage_to_predictions(&mut self, column: usize, is_first: bool) {
        let predictions = std::mem::take(&mut self.of_forest);
        self.set_stage(column, |index, row| {
            if is_first {
                predictions[index] - row.mean
            } else {
                predictions[index]
            }
        });
        self.of_forest = predictions;
    }

    /// Sets the residuals to the targets.
    pub(crate) fn set_residuals_to_targets(&mut self) {
        self.residuals.clear();
        self.residuals
            .extend(self.rows.iter().map(|row| row.target));
    }

    /// Sets the residuals to those of a partial chain.
    pub(crate) fn set_residuals(&mut self, column: usize) {
        let predictions = self.partial.iter().skip(column).step_by(self.columns);
        let pairs = self.rows.iter().zip(predictions);
        self.residuals.clear();
        self.residuals
            .extend(pairs.map(|(row, prediction)| row.residual(*prediction)));
    }

    pub(crate) fn bytes(&self) -> usize {
        let cells = self.predictions.capacity() + self.partial.capacity();
        let others = self.residuals.capacity() + self.of_forest.capacity();
        (cells + others) * size_of::<f64>() + self.rows.capacity() * size_of::<Row>()
    }
}

impl Row {
    /// Returns the residual of a prediction, within the range of targets. That of the first row, which could not be predicted, is 0, and so is that of no number.
    fn residual(&self, prediction: f64) -> f64 {
        let (most, residual) = (Regression::LARGEST_TARGET, self.target - prediction);
        if self.is_first || residual.is_nan() {
            0.0
        } else {
            residual.clamp(-most, most)
        }
    }
}

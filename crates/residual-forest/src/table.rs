//! Working memory: rows on their way through the stages of all chains.

use forest_core::Regression;

use crate::weights::StageWeights;

/// What is known of a row before it is learned.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// The discounted mean of the targets before it.
    pub(crate) mean: f64,
    /// What the ridge regression says of it.
    pub(crate) ridge: f64,
    pub(crate) target: f64,
    /// Its number in the stream. Of the first nothing could be known.
    pub(crate) arrival: u64,
}

/// Rows, and for each of them a column for every stage of every chain.
#[derive(Debug, Default)]
pub(crate) struct Table {
    pub(crate) rows: Vec<Row>,
    columns: usize,
    /// Row by row: what each stage says; the first of a chain from the mean of the targets.
    predictions: Vec<f64>,
    /// Row by row: what each partial chain says.
    said: Vec<f64>,
    /// What a stage learns.
    pub(crate) residuals: Vec<f64>,
    /// What a forest says.
    pub(crate) answers: Vec<f64>,
    /// What stages were to say of a row.
    wanted: Vec<f64>,
    /// What equations are solved in.
    factor: Vec<f64>,
}

/// A learner's memory is not part of what it is.
impl Clone for Table {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Table {
    /// Begins with other rows, which are in place.
    pub(crate) fn begin(&mut self, columns: usize) {
        self.columns = columns;
        for cells in [&mut self.predictions, &mut self.said] {
            cells.clear();
            cells.resize(self.rows.len() * columns, 0.0);
        }
    }

    /// What the partial chains say of a row.
    pub(crate) fn said(&self, row: usize) -> &[f64] {
        &self.said[row * self.columns..][..self.columns]
    }

    /// The same, to be altered.
    pub(crate) fn said_mut(&mut self, row: usize) -> &mut [f64] {
        &mut self.said[row * self.columns..][..self.columns]
    }

    /// What a partial chain says of a row.
    pub(crate) fn say(&mut self, row: usize, column: usize, value: f64) {
        self.said[row * self.columns + column] = value;
    }

    /// What some neighbouring stages say of a row.
    pub(crate) fn predictions(&self, row: usize, from: usize, count: usize) -> &[f64] {
        &self.predictions[row * self.columns + from..][..count]
    }

    /// Takes what a stage says of the rows.
    pub(crate) fn predict(&mut self, column: usize, says: impl Fn(usize, &Row) -> f64) {
        let cells = self.predictions.iter_mut().skip(column);
        let cells = cells.step_by(self.columns);
        for ((index, row), cell) in self.rows.iter().enumerate().zip(cells) {
            *cell = says(index, row);
        }
    }

    /// Takes what a forest has answered, from the means if it is the first of its chain.
    pub(crate) fn take_answers(&mut self, column: usize, is_first: bool) {
        let answers = std::mem::take(&mut self.answers);
        self.predict(column, |index, row| match is_first {
            true => answers[index] - row.mean,
            false => answers[index],
        });
        self.answers = answers;
    }

    /// The weights of a partial chain of the stages from `first` on learn a row.
    pub(crate) fn teach(
        &mut self,
        row: usize,
        first: usize,
        weights: &mut StageWeights,
        discount: f64,
    ) {
        let (Row { mean, target, .. }, stages) = (self.rows[row], weights.stages());
        let mut wanted = std::mem::take(&mut self.wanted);
        wanted.clear();
        wanted.push(target - mean);
        let said = &self.said(row)[first..][..stages - 1];
        wanted.extend(said.iter().map(|said| target - said));
        let mut factor = std::mem::take(&mut self.factor);
        let predictions = self.predictions(row, first, stages);
        weights.learn(predictions, &wanted, discount, &mut factor);
        (self.wanted, self.factor) = (wanted, factor);
    }

    /// Sets the residuals to the targets.
    pub(crate) fn miss_all(&mut self) {
        self.residuals.clear();
        self.residuals
            .extend(self.rows.iter().map(|row| row.target));
    }

    /// Sets the residuals to what a partial chain has missed.
    pub(crate) fn miss(&mut self, column: usize) {
        let said = self.said.iter().skip(column).step_by(self.columns);
        self.residuals.clear();
        let missed = self
            .rows
            .iter()
            .zip(said)
            .map(|(row, said)| row.missed(*said));
        self.residuals.extend(missed);
    }

    pub(crate) fn bytes(&self) -> usize {
        let cells = self.predictions.capacity() + self.said.capacity();
        let others = self.residuals.capacity() + self.answers.capacity();
        let of_a_row = self.wanted.capacity() + self.factor.capacity();
        (cells + others + of_a_row) * size_of::<f64>() + self.rows.capacity() * size_of::<Row>()
    }
}

impl Row {
    /// What is missed by who says this, as a target. Nobody has missed the first.
    fn missed(&self, said: f64) -> f64 {
        let most = Regression::LARGEST_TARGET;
        match self.arrival {
            0 => 0.0,
            _ => (self.target - said).clamp(-most, most),
        }
    }
}

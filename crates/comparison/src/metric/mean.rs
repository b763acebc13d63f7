//! Means of a number per row.

use super::{Accumulator, Tested};

/// The mean of the `loss` of each row; rows without a loss do not count.
pub(super) struct MeanLoss<V> {
    loss: fn(&Tested<'_, V>) -> Option<f64>,
    sum: f64,
    count: usize,
    /// Running mean and squared differences from it (Welford).
    mean: f64,
    squares: f64,
}

impl<V> MeanLoss<V> {
    pub(super) fn new(loss: fn(&Tested<'_, V>) -> Option<f64>) -> Self {
        let (sum, count, mean, squares) = (0.0, 0, 0.0, 0.0);
        Self {
            loss,
            sum,
            count,
            mean,
            squares,
        }
    }
}

impl<V: Send> Accumulator<V> for MeanLoss<V> {
    fn add(&mut self, row: &Tested<'_, V>) {
        let Some(loss) = (self.loss)(row) else {
            return;
        };
        self.sum += loss;
        self.count += 1;
        let difference = loss - self.mean;
        self.mean += difference / self.count as f64;
        self.squares += difference * (loss - self.mean);
    }

    fn value(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }

    fn standard_error(&self) -> Option<f64> {
        let count = self.count as f64;
        (self.count > 1).then(|| (self.squares / (count - 1.0) / count).sqrt())
    }
}

/// The root of a mean.
pub(super) struct RootOfMean<V>(pub MeanLoss<V>);

impl<V: Send> Accumulator<V> for RootOfMean<V> {
    fn add(&mut self, row: &Tested<'_, V>) {
        self.0.add(row);
    }

    fn value(&self) -> Option<f64> {
        self.0.value().map(f64::sqrt)
    }

    /// Returns the derivative of the root times the standard error of the mean.
    fn standard_error(&self) -> Option<f64> {
        let root = self.value().filter(|root| *root > 0.0)?;
        Some(self.0.standard_error()? / (2.0 * root))
    }
}

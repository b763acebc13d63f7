//! Metrics over the losses of predictions.

/// A metric of a mean loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// The share of correct classes.
    Accuracy,
    /// The root of the mean squared error.
    Rmse,
}

impl Metric {
    /// Returns its name on the page of the service and in `/metrics`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Accuracy => "accuracy",
            Self::Rmse => "rmse",
        }
    }

    /// Returns its value at a mean loss.
    pub fn of(self, mean_loss: f64) -> f64 {
        match self {
            Self::Accuracy => 1.0 - mean_loss,
            Self::Rmse => mean_loss.sqrt(),
        }
    }
}

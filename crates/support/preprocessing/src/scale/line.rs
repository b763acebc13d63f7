//! What linear scales have in common.

/// A linear scale: x becomes (x − `offset`) / `unit`, and 0 everywhere if `unit` is 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// What becomes 0.
    pub offset: f64,
    /// The difference that becomes 1; 0 for a constant feature.
    pub unit: f64,
}

impl Line {
    /// What x becomes.
    pub(crate) fn apply(self, x: f64) -> f64 {
        match self.unit > 0.0 {
            true => (x - self.offset) / self.unit,
            false => 0.0,
        }
    }
}

/// Scales that are a line for each feature.
pub trait LinearScale {
    /// The line.
    fn line(&self) -> Line;
}

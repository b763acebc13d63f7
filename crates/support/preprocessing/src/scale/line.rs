//! Linear scales.

/// A linear scale: x becomes (x − `offset`) / `unit`, and 0 everywhere if `unit` is 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// The value that becomes 0.
    pub offset: f64,
    /// The difference that becomes 1; 0 for a constant feature.
    pub unit: f64,
}

impl Line {
    /// Scales x.
    pub(crate) fn apply(self, x: f64) -> f64 {
        if self.unit > 0.0 {
            (x - self.offset) / self.unit
        } else {
            0.0
        }
    }
}

/// Scales that are a line for each feature.
pub trait LinearScale {
    /// Returns the line.
    fn line(&self) -> Line;
}

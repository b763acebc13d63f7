//! α(d) and β(d).

use forest_core::SettingError;
use serde::{Deserialize, Serialize};

use super::require;

/// A function of a leaf's depth `d`: `scale · baseᵈ`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Growth {
    /// The value at the root.
    pub scale: f64,
    /// The factor from one level to the next; consistency asks for more than 1.
    pub base: f64,
}

impl Growth {
    /// The value at depth `d`.
    pub fn at(self, depth: u32) -> f64 {
        self.scale * self.base.powf(depth.into())
    }

    /// The least number of points that is no less than the value at depth `d`.
    pub(crate) fn points_at(self, d: u32) -> u64 {
        // Values beyond the range become its end, which no stream reaches.
        self.at(d).ceil() as u64
    }

    pub(super) fn check(self, scale: &'static str, base: &'static str) -> Result<(), SettingError> {
        let positive = "must be finite and above 0";
        require(
            self.scale.is_finite() && self.scale > 0.0,
            scale,
            positive,
            self.scale,
        )?;
        let rule = "must be finite and at least 1";
        require(
            self.base.is_finite() && self.base >= 1.0,
            base,
            rule,
            self.base,
        )
    }
}

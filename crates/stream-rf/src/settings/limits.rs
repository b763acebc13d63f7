//! α(d), β(d), and the size of the fringe.

use serde::{Deserialize, Serialize};

/// A function of a leaf's depth `d`: `scale · baseᵈ`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Growth {
    /// The value at the root.
    pub scale: f64,
    /// The factor from one level to the next; consistency asks for more than 1.
    pub base: f64,
}

impl Growth {
    /// Returns the value at depth `d`.
    pub fn at(self, depth: u32) -> f64 {
        self.scale * libm::pow(self.base, depth.into())
    }

    /// Returns the least number of points that is at least the value at depth `d`.
    pub(crate) fn points_at(self, d: u32) -> u64 {
        // Values beyond the range become its end, which no stream reaches.
        self.at(d).ceil() as u64
    }
}

/// How many leaves of a tree may collect statistics about candidate splits at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FringeLimit {
    /// At most this many (1 or more); the others wait.
    AtMost(u32),
    /// All.
    Unlimited,
}

impl FringeLimit {
    /// Returns whether a fringe of `active` leaves has room for one more.
    pub(crate) fn has_room(self, active: usize) -> bool {
        match self {
            Self::AtMost(limit) => active < limit as usize,
            Self::Unlimited => true,
        }
    }
}

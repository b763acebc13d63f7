//! The size of the fringe.

use forest_core::SettingError;
use serde::{Deserialize, Serialize};

use super::require;

/// How many leaves of a tree may collect statistics about candidate splits at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum FringeLimit {
    /// At most this many (1 or more); the others wait.
    AtMost(u32),
    /// All.
    #[default]
    Unlimited,
}

impl FringeLimit {
    /// Whether a fringe of `active` leaves has room for one more.
    pub(crate) fn has_room(self, active: usize) -> bool {
        match self {
            Self::AtMost(limit) => active < limit as usize,
            Self::Unlimited => true,
        }
    }

    pub(super) fn check(self) -> Result<(), SettingError> {
        let rule = "must be at least 1, or unlimited";
        require(self != Self::AtMost(0), "fringe", rule, 0)
    }
}

//! The classes of a stream.

use serde::{Deserialize, Serialize};

use crate::SettingError;

/// The classes `0..known()`, which may grow to `cap()`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassSpace {
    known: u32,
    cap: u32,
}

impl ClassSpace {
    const DEFAULT_CAP: u32 = 4096;

    /// A prediction row has a number per class, so a wrong count must not cause a huge allocation.
    const HIGHEST_CAP: u32 = 1 << 24;

    pub(crate) fn new(known: u32, cap: u32) -> Result<Self, SettingError> {
        let classes = Self { known, cap };
        classes.check()?;
        Ok(classes)
    }

    pub(crate) fn check(self) -> Result<(), SettingError> {
        let rule = "must be from 1 to 2²⁴ and no less than the classes known";
        let kept = (1..=Self::HIGHEST_CAP).contains(&self.cap) && self.known <= self.cap;
        SettingError::require(kept, "class_cap", rule, self.cap)
    }

    /// Returns the number of classes known: the largest label seen or stated, plus one.
    pub fn known(self) -> u32 {
        self.known
    }

    /// Returns the number of classes that may ever be known.
    pub fn cap(self) -> u32 {
        self.cap
    }

    pub(crate) fn admit(self, class: u32) -> Self {
        let known = self.known.max(class + 1);
        Self { known, ..self }
    }
}

impl Default for ClassSpace {
    fn default() -> Self {
        let cap = Self::DEFAULT_CAP;
        Self { known: 0, cap }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cap_is_above_the_classes_known_and_not_wild() {
        let highest = ClassSpace::HIGHEST_CAP;
        for (known, cap) in [(0, 1), (4, 4), (4, 5), (0, highest)] {
            assert!(ClassSpace::new(known, cap).is_ok(), "{known} of {cap}");
        }
        for (known, cap) in [(0, 0), (5, 4), (0, highest + 1)] {
            assert!(ClassSpace::new(known, cap).is_err(), "{known} of {cap}");
        }
    }
}

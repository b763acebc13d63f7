//! How often a sample counts among those of its class.

use std::fmt::Debug;
use std::ops::{AddAssign, SubAssign};

use serde::{Serialize, de::DeserializeOwned};

use crate::labels::weighted::Weighted;

/// How often samples count, added up.
pub(crate) trait Amount:
    Copy
    + Debug
    + Default
    + PartialEq
    + AddAssign
    + SubAssign
    + Send
    + Sync
    + Serialize
    + DeserializeOwned
{
    /// Returns the nearest `f64`.
    fn to_f64(self) -> f64;
}

impl Amount for u32 {
    fn to_f64(self) -> f64 {
        f64::from(self)
    }
}

impl Amount for u128 {
    fn to_f64(self) -> f64 {
        self as f64
    }
}

/// A class, and how often its sample counts.
pub(crate) trait ClassCode: Copy {
    type Amount: Amount;

    fn class(self) -> u32;
    fn amount(self) -> Self::Amount;
}

impl ClassCode for u32 {
    type Amount = u32;

    fn class(self) -> u32 {
        self
    }

    fn amount(self) -> u32 {
        1
    }
}

impl ClassCode for Weighted<u32> {
    type Amount = u128;

    fn class(self) -> u32 {
        self.code
    }

    fn amount(self) -> u128 {
        self.units.into()
    }
}

//! The coordinates themselves: the paper's axis-aligned splits.

use forest_core::{SettingError, TreeRng};
use serde::{Deserialize, Serialize};

use super::FeatureSpace;
use crate::chance;

/// The D coordinates of a point; a feature is the index of one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Axes;

impl FeatureSpace for Axes {
    type Feature = u32;

    fn check(&self, _: usize) -> Result<(), SettingError> {
        Ok(())
    }

    fn draw(&self, count: usize, width: usize, rng: &mut TreeRng) -> Vec<u32> {
        chance::distinct(count, width, rng)
    }

    #[inline]
    fn value(&self, feature: u32, point: &[f32]) -> f32 {
        point[feature as usize]
    }

    fn knows(&self, feature: u32, width: usize) -> bool {
        (feature as usize) < width
    }
}

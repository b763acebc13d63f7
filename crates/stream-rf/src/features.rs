//! What candidate splits are drawn from: features that a split can compare with a threshold.

mod axes;
mod pixel_pairs;

use std::fmt::Debug;

use forest_core::{SettingError, TreeRng};
use serde::{Serialize, de::DeserializeOwned};

pub use axes::Axes;
pub use pixel_pairs::{PixelPair, PixelPairs};

/// A family of features that candidate splits are drawn from: the paper's "dimensions".
///
/// A feature is a function of a point alone, so that a split on it cuts the space of points in two.
/// The space is a setting, held once by the forest; what a node holds is the feature.
pub trait FeatureSpace:
    Clone + Debug + Default + PartialEq + Send + Sync + Serialize + DeserializeOwned + 'static
{
    /// One function of a point.
    type Feature: Copy + Debug + PartialEq + Send + Sync + Serialize + DeserializeOwned;

    /// Checks the space's own parameters, for points of `width` numbers.
    ///
    /// # Errors
    /// The parameter that breaks its rule.
    fn check(&self, width: usize) -> Result<(), SettingError>;

    /// `count` distinct features, or all there are if they are fewer (but at least one); every choice
    /// is equally likely.
    fn draw(&self, count: usize, width: usize, rng: &mut TreeRng) -> Vec<Self::Feature>;

    /// Returns the value at a point of the width checked: never NaN if the point is finite.
    fn value(&self, feature: Self::Feature, point: &[f32]) -> f32;

    /// Returns whether a feature that was decoded can be evaluated at points of `width` numbers.
    fn contains(&self, feature: Self::Feature, width: usize) -> bool;
}

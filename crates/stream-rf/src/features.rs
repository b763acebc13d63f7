//! Features that a split can compare with a threshold.

mod axes;
mod pixel_pairs;
mod space;

pub use axes::Axes;
pub use pixel_pairs::{PixelPair, PixelPairs};
pub use space::FeatureSpace;

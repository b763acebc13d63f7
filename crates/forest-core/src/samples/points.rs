//! The features of all samples, whatever their targets are.

use crate::SampleId;

/// The feature rows of a [`SampleStore`](crate::SampleStore), for reading: code that needs no targets is the same for all
/// tasks.
#[derive(Clone, Copy, Debug)]
pub struct Points<'a> {
    features: &'a [f32],
    width: usize,
}

impl<'a> Points<'a> {
    #[inline]
    pub(super) fn new(features: &'a [f32], width: usize) -> Self {
        Self { features, width }
    }

    /// Returns the number of features of a point.
    #[inline]
    pub fn width(self) -> usize {
        self.width
    }

    /// Returns the features of a sample.
    #[inline]
    pub fn features(self, id: SampleId) -> &'a [f32] {
        &self.features[id.index() * self.width..][..self.width]
    }
}

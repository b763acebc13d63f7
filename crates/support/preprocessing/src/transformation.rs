//! The interface of transformations, so that a step matches on its kind in one place.

use ndarray::Array2;

/// A transformation of rows.
pub(crate) trait Transformation {
    /// Returns the number of features that it expects; `None` if it accepts any number.
    fn width(&self) -> Option<usize>;

    /// Returns the number of features of the output for rows of `width` features.
    fn width_after(&self, width: usize) -> usize {
        width
    }

    /// Transforms finite rows of its width; the result is finite.
    fn apply(&self, rows: Array2<f32>) -> Array2<f32>;

    /// Returns whether fitting could lead to this state, for values that were decoded.
    fn is_sound(&self) -> bool;

    /// Returns the allocated bytes.
    fn bytes(&self) -> usize;
}

//! What every transformation of rows can do, so that a step asks which one it is in one place.

use ndarray::Array2;

/// Rows in, rows out.
pub(crate) trait Transformation {
    /// Features of a row that it takes; `None` if any number will do.
    fn width(&self) -> Option<usize>;

    /// Features of a row that it answers, if it is given rows of `width` features.
    fn width_after(&self, width: usize) -> usize {
        width
    }

    /// What it makes of finite rows of its width: finite rows again.
    fn apply(&self, rows: Array2<f32>) -> Array2<f32>;

    /// Whether fitting could have led here: of interest for what was decoded.
    fn is_sound(&self) -> bool;

    /// Bytes allocated.
    fn bytes(&self) -> usize;
}

//! Working memory of a distribution.

/// Vectors that are filled for each draw. They are not part of a tree's state: any two are equal.
#[derive(Clone, Debug, Default)]
pub(crate) struct Buffer {
    /// A direction, or a difference of points.
    pub(crate) u: Vec<f64>,
    /// A normal.
    pub(crate) n: Vec<f64>,
}

impl Buffer {
    pub(crate) fn bytes(&self) -> usize {
        (self.u.capacity() + self.n.capacity()) * size_of::<f64>()
    }
}

impl PartialEq for Buffer {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

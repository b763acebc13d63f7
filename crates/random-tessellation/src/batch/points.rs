//! The points that a tree cuts, some with labels.

use forest_core::Rows;

/// Points by number: first those with labels, then those of the test set, which have none.
pub(super) struct Points<'a> {
    values: Vec<f32>,
    width: usize,
    labels: &'a [u32],
}

impl<'a> Points<'a> {
    pub(super) fn new(width: usize, rows: &Rows<'_>, labels: &'a [u32], test: &Rows<'_>) -> Self {
        Self {
            values: [rows.values(), test.values()].concat(),
            width,
            labels,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.values.len() / self.width
    }

    pub(super) fn width(&self) -> usize {
        self.width
    }

    #[inline]
    pub(super) fn row(&self, point: u32) -> &[f32] {
        &self.values[point as usize * self.width..][..self.width]
    }

    /// Returns the labels of those of `points` that have one.
    pub(super) fn labels(&self, points: &[u32]) -> impl Iterator<Item = u32> + Clone {
        let label = |&point: &u32| self.labels.get(point as usize).copied();
        points.iter().filter_map(label)
    }

    /// Returns whether two labels of `points` differ.
    pub(super) fn are_mixed(&self, points: &[u32]) -> bool {
        let mut labels = self.labels(points);
        let first = labels.next();
        labels.any(|label| Some(label) != first)
    }
}

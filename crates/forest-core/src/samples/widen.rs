//! Rows that become longer.

use super::SampleStore;
use crate::{Arena, Task};

impl<T: Task> SampleStore<T> {
    /// Gives every row 0 for each feature from `width` on.
    pub(crate) fn widen(&mut self, width: usize) {
        let mut wide = Arena::default();
        for row in self.features.chunks_exact(self.width) {
            wide.extend_from_slice(row);
            wide.resize(wide.len() + width - self.width, 0.0);
        }
        (self.features, self.width) = (wide.into(), width);
    }
}

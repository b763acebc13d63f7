//! What a structure keeps beside its state, to save time.

use crate::structure::leaf_boxes::LeafBoxes;
use crate::walks::ahead::Routes;

/// What could be computed again. It is not part of a tree's state: any two are equal.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cache {
    /// The ways of the next samples.
    pub(crate) ahead: Routes,
    /// Boxes of leaves: what the tree could measure again.
    pub(crate) boxes: LeafBoxes,
    /// Rate of the candidates that hit a cube of side 1.
    pub(crate) unit_rate: Option<f64>,
}

impl Cache {
    /// Forgets what depends on the number of features.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    pub(crate) fn bytes(&self) -> usize {
        self.ahead.bytes() + self.boxes.bytes()
    }
}

impl PartialEq for Cache {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

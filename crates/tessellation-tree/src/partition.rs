//! What can be asked of a tessellation forest without knowing its cuts and labels.

use forest_core::{Forest, InputError, OnlineLearner, Rows};

use crate::{CutDistribution, LabelModel, TessellationTree, WorkCounts};

/// Forests whose trees divide space into leaves, whatever their cuts and labels.
pub trait Partition {
    /// The fraction of the trees that have both points in one leaf: the kernel of the forest.
    ///
    /// # Errors
    /// [`InputError`] for a wrong width or a value that is not finite.
    fn share_a_leaf(&self, a: &[f32], b: &[f32]) -> Result<f64, InputError>;

    /// Work done by all trees since the forest was made or loaded.
    fn work_counts(&self) -> WorkCounts;
}

impl<D: CutDistribution, L: LabelModel> Partition for Forest<TessellationTree<D, L>> {
    fn share_a_leaf(&self, a: &[f32], b: &[f32]) -> Result<f64, InputError> {
        for point in [a, b] {
            Rows::one(point, self.schema().features())?;
        }
        let together = self.trees().filter(|tree| tree.share_a_leaf(a, b)).count();
        Ok(together as f64 / self.trees().len() as f64)
    }

    fn work_counts(&self) -> WorkCounts {
        self.trees().map(TessellationTree::work_counts).sum()
    }
}

//! Tessellation forests by name.

use forest_core::registry::{Capabilities, Declared, Entry, NamedTree, Partition};
use forest_core::{Forest, LearnWeighted, OnlineLearner, Widen};

use crate::planar::HalfPlane;
use crate::{CutDistribution, LabelModel, TessellationTree};

/// A distribution of cuts whose forests are known by name.
pub trait NamedCuts: CutDistribution<Settings: Declared> + 'static {
    /// Returns the half plane left of a cut, for points of two features.
    fn half_plane(&self, cut: &Self::Cut) -> HalfPlane;

    /// Returns the rows that make forests with these cuts: as [`NamedTree::rows`].
    fn rows() -> &'static [&'static Entry];

    /// Returns a forest with these cuts as one that can continue with more features; none by default: see [`WidenCuts`](crate::WidenCuts).
    fn as_widen_mut<L: LabelModel>(
        forest: &mut Forest<TessellationTree<Self, L>>,
    ) -> Option<&mut dyn Widen<Task = L::Task>> {
        let _ = forest;
        None
    }
}

impl<D: NamedCuts, L: LabelModel<Settings: Declared> + 'static> NamedTree
    for TessellationTree<D, L>
{
    fn rows() -> &'static [&'static Entry] {
        D::rows()
    }

    fn capabilities(forest: &Forest<Self>) -> Capabilities<'_> {
        let in_the_plane = forest.schema().features() == 2;
        Capabilities {
            partition: Some(forest),
            explain: Some(forest),
            planar: in_the_plane.then_some(forest),
            intervals: L::as_intervals(forest),
            ..Capabilities::default()
        }
    }

    fn as_weighted_mut(
        forest: &mut Forest<Self>,
    ) -> Option<&mut dyn LearnWeighted<Task = L::Task>> {
        L::as_weighted_mut(forest)
    }

    fn as_partition_mut(forest: &mut Forest<Self>) -> Option<&mut dyn Partition> {
        Some(forest)
    }

    fn as_widen_mut(forest: &mut Forest<Self>) -> Option<&mut dyn Widen<Task = L::Task>> {
        D::as_widen_mut(forest)
    }
}

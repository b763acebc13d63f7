//! The empirical model of regression: a leaf predicts the mean of its targets.

use crate::{
    CutDistribution, ForgetLabels, Joined, LabelContext, LabelModel, LeafId, NodeId, Path, Place,
    Step, Subtree, TessellationTree, Walks,
};
use forest_core::registry::{Labels, NumberLabels};
use forest_core::{
    Arena, Forest, Forgetting, LearnWeighted, Regression, SampleId, Supports, Weights,
};
use serde::{Deserialize, Serialize};

use super::mean::Mean;
use super::weighted_samples;

/// Means of leaves (Fan et al. 2020).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LeafMeans {
    leaves: Arena<Mean>,
}

impl LeafMeans {
    fn set(&mut self, leaf: LeafId, mean: Mean) {
        if leaf.index() == self.leaves.len() {
            self.leaves.push(mean);
        } else {
            self.leaves[leaf.index()] = mean;
        }
    }

    #[inline]
    fn mean(&self, leaf: Subtree, context: LabelContext<'_, Self>) -> f64 {
        match leaf {
            Subtree::Sample(id) => context.samples.target(id),
            Subtree::Leaf(leaf) => self.leaves[leaf.index()].mean,
            Subtree::Inner(_) => unreachable!("a path ends in a leaf"),
        }
    }
}

impl LabelModel for LeafMeans {
    type Task = Regression;
    type Settings = ();

    fn leaf_made(
        &mut self,
        leaf: LeafId,
        samples: impl Iterator<Item = SampleId>,
        context: LabelContext<'_, Self>,
    ) {
        self.set(
            leaf,
            Mean::of(samples.map(weighted_samples(context.samples))),
        );
    }

    fn joined(
        &mut self,
        _: impl DoubleEndedIterator<Item = Step>,
        end: Joined,
        id: SampleId,
        context: LabelContext<'_, Self>,
    ) {
        if let Joined::Leaf(leaf) = end {
            let (target, weight) = weighted_samples(context.samples)(id);
            self.leaves[leaf.index()].add(target, weight);
        }
    }

    fn leaf_removed(&mut self, _: LeafId) {}

    #[inline]
    fn predict<D: CutDistribution>(
        &self,
        path: Path<'_, D>,
        context: LabelContext<'_, Self>,
        accumulator: &mut [f64],
    ) {
        accumulator[0] = self.mean(path.leaf(), context);
    }

    fn add_votes<D: CutDistribution>(
        &self,
        walks: &Walks<'_, D>,
        context: LabelContext<'_, Self>,
        _: &mut [f64],
        sums: &mut [f64],
    ) {
        walks.leaves(|row, leaf| sums[row] += self.mean(leaf, context));
    }

    fn bytes(&self) -> usize {
        self.leaves.bytes()
    }

    fn is_shaped(
        &self,
        mut leaves: impl Iterator<Item = LeafId>,
        _: impl Iterator<Item = NodeId>,
    ) -> bool {
        leaves.all(|leaf| leaf.index() < self.leaves.len())
    }

    fn is_summary_of(
        &self,
        leaf: LeafId,
        samples: impl Iterator<Item = SampleId>,
        context: LabelContext<'_, Self>,
    ) -> bool {
        self.leaves[leaf.index()].is_of(samples.map(weighted_samples(context.samples)))
    }

    fn is_possible(&self, place: Subtree, (): &()) -> bool {
        match place {
            Subtree::Leaf(leaf) => self.leaves[leaf.index()].is_possible(),
            Subtree::Inner(_) | Subtree::Sample(_) => true,
        }
    }

    fn forgetting<D: CutDistribution>() -> Option<Forgetting<TessellationTree<D, Self>>> {
        Some(Forgetting::by_trees())
    }

    fn predict_in(
        &self,
        _: &[Step],
        leaf: Place,
        context: LabelContext<'_, Self>,
        accumulator: &mut [f64],
    ) {
        accumulator[0] = self.mean(leaf.subtree, context);
    }

    fn add_labels(&self, leaf: LeafId, sum: &mut NumberLabels) {
        let own = &self.leaves[leaf.index()];
        sum.add(own.mean, own.total.rounded_up());
    }

    fn as_weighted_mut<D: CutDistribution>(
        forest: &mut Forest<TessellationTree<D, Self>>,
    ) -> Option<&mut dyn LearnWeighted<Task = Regression>> {
        Some(forest)
    }
}

impl ForgetLabels for LeafMeans {
    /// Computes the mean again: a running mean would keep the rounding errors of targets that left.
    fn leaf_left(
        &mut self,
        leaf: LeafId,
        _: SampleId,
        samples: impl Iterator<Item = SampleId> + Clone,
        context: LabelContext<'_, Self>,
    ) {
        self.leaf_made(leaf, samples, context);
    }
}

impl Supports<Weights> for LeafMeans {}

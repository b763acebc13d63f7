//! The empirical model of regression: a leaf predicts the mean of its targets. And means of targets that have weights.

use crate::{
    CutDistribution, Joined, LabelContext, LabelModel, LeafId, NodeId, Path, Place, Step, Subtree,
    Walks,
};
use forest_core::registry::{Labels, NumberLabels};
use forest_core::{Arena, Regression, SampleId};
use serde::{Deserialize, Serialize};

use super::weighted_samples;

/// The mean of some targets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Mean {
    pub(super) mean: f64,
    /// The sum of their weights.
    pub(super) weight: f64,
}

impl Mean {
    #[inline]
    pub(super) fn add(&mut self, target: f64, weight: f64) {
        self.weight += weight;
        // In this order: a weight of 1 leaves the difference as it is.
        self.mean += (target - self.mean) * weight / self.weight;
    }
}

/// Means of leaves (Fan et al. 2020).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LeafMeans {
    leaves: Arena<Mean>,
}

impl LeafMeans {
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
    const TAKES_WEIGHTS: bool = true;

    type Task = Regression;
    type Settings = ();

    fn leaf_made(
        &mut self,
        leaf: LeafId,
        samples: impl Iterator<Item = SampleId>,
        context: LabelContext<'_, Self>,
    ) {
        let mut mean = Mean::default();
        for (target, weight) in samples.map(weighted_samples(context.samples)) {
            mean.add(target, weight);
        }
        if leaf.index() == self.leaves.len() {
            self.leaves.push(mean);
        } else {
            self.leaves[leaf.index()] = mean;
        }
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
        mut leaves: impl Iterator<Item = LeafId> + Clone,
        _: impl Iterator<Item = NodeId> + Clone,
        _: usize,
        (): &(),
    ) -> bool {
        leaves.all(|leaf| leaf.index() < self.leaves.len())
    }

    const FORGETS: bool = true;

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
        // Explanations count in whole numbers.
        sum.add(own.mean, own.weight.ceil() as u64);
    }

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

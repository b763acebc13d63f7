//! The empirical model of regression: a leaf predicts the mean of its targets.

use forest_core::{Arena, Regression, Vote};
use serde::{Deserialize, Serialize};

use super::LabelModel;
use crate::NodeId;

/// Running means of leaves (Fan et al. 2020).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LeafMeans {
    leaves: Arena<Mean>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Mean {
    mean: f64,
    count: u32,
    /// Whether two targets differ.
    mixed: bool,
}

impl Mean {
    fn take(&mut self, target: f64) {
        self.mixed |= self.count > 0 && target != self.mean;
        self.count += 1;
        let weight = 1.0 / f64::from(self.count);
        // Two products, not one difference: huge targets do not overflow, equal ones change nothing.
        self.mean += target * weight - self.mean * weight;
    }
}

impl LabelModel for LeafMeans {
    type Task = Regression;

    fn push(&mut self) {
        self.leaves.push(Mean::default());
    }

    fn settle(&mut self, leaf: NodeId, target: f64) {
        self.leaves[leaf.index()].take(target);
    }

    fn open(&mut self, leaf: NodeId) {
        self.leaves[leaf.index()] = Mean::default();
    }

    fn agree(&self, leaf: NodeId) -> bool {
        !self.leaves[leaf.index()].mixed
    }

    fn vote(&self, leaf: NodeId, _: Vote, ballot: &mut [f64]) {
        ballot[0] = self.leaves[leaf.index()].mean;
    }

    fn bytes(&self) -> usize {
        self.leaves.bytes()
    }

    fn is_shaped(&self, nodes: usize) -> bool {
        self.leaves.len() == nodes && self.leaves.iter().all(|leaf| leaf.mean.is_finite())
    }

    fn is_summary_of(&self, leaf: NodeId, targets: impl Iterator<Item = f64>) -> bool {
        let (mut fresh, mut scale) = (Mean::default(), 0.0f64);
        for target in targets {
            fresh.take(target);
            scale = scale.max(target.abs());
        }
        let own = self.leaves[leaf.index()];
        (own.count, own.mixed) == (fresh.count, fresh.mixed)
            && (own.mean - fresh.mean).abs() <= 1e-9 * scale
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_of_huge_targets_is_finite() {
        let mut model = LeafMeans::default();
        model.push();
        for target in [f64::MAX, -f64::MAX, f64::MAX] {
            model.settle(NodeId::FIRST, target);
        }
        assert!(model.is_shaped(1));
        assert!(!model.agree(NodeId::FIRST));
    }

    #[test]
    fn equal_targets_agree_and_different_ones_do_not() {
        let mut model = LeafMeans::default();
        model.push();
        for target in [0.1, 0.1, 0.1] {
            model.settle(NodeId::FIRST, target);
        }
        assert!(model.agree(NodeId::FIRST));
        model.settle(NodeId::FIRST, 0.2);
        assert!(!model.agree(NodeId::FIRST));
        assert!(model.is_summary_of(NodeId::FIRST, [0.2, 0.1, 0.1, 0.1].into_iter()));
    }
}

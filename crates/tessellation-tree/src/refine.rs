//! Bringing every leaf up to a budget.

use forest_core::{Forest, Ground, OnlineLearner, TreeRng};

use crate::node::Kind;
use crate::tree::Work;
use crate::{Chance, CutMeasure, LabelModel, NodeId, TessellationTree};

impl<M: CutMeasure, L: LabelModel> TessellationTree<M, L> {
    /// Exposes every leaf to `budget`; leaves that have been exposed further stay as they are.
    ///
    /// With an increasing budget, leaves that no sample has visited lately stand at an older
    /// budget; after this the tree has the batch law at `budget`.
    pub fn refine(&mut self, budget: f64, ground: &Ground<'_, Self>, rng: &mut TreeRng) {
        let mut work = Work {
            samples: ground.samples,
            settings: ground.settings,
            budget,
            chance: Chance::resume(self.clock, rng),
        };
        for index in 0..self.nodes.len() {
            if matches!(self.nodes[index].kind, Kind::Leaf { .. }) {
                self.expose(NodeId::new(index), &mut work);
            }
        }
        self.clock = work.chance.pause();
    }
}

/// Forests whose leaves can be brought up to the present budget.
pub trait Refine {
    /// Exposes every leaf of every tree to the budget of the samples seen so far.
    fn refine(&mut self);
}

impl<M: CutMeasure, L: LabelModel> Refine for Forest<TessellationTree<M, L>> {
    fn refine(&mut self) {
        let seen = usize::try_from(self.samples_seen()).unwrap_or(usize::MAX);
        let budget = self.settings().budget.at(seen.max(1));
        self.tend(|tree, ground, rng| tree.refine(budget, ground, rng));
    }
}

//! Bringing every leaf up to a budget.

use forest_core::{AdjustTree, Forest, ForestContext, TreeRng};
use registry::{PartitionTree, WorkCounts};

use crate::node::{Subtree, Turn};
use crate::tree::Work;
use crate::{CutDistribution, LabelModel, Side, TessellationTree};

impl<D: CutDistribution, L: LabelModel> TessellationTree<D, L> {
    /// Exposes every leaf to `budget`; leaves that have been exposed further stay as they are.
    ///
    /// With an increasing budget, leaves that no sample has visited lately stand at an older
    /// budget; after this the tree has the batch law at `budget`.
    ///
    /// A [full](Self::is_full) tree stays as it is, and so do leaves whose points stay together
    /// ([`Update::NewPointOnly`](crate::Update::NewPointOnly)).
    pub fn refine(&mut self, budget: f64, context: &ForestContext<'_, Self>, rng: &mut TreeRng) {
        if self.full {
            return;
        }
        self.scratch.ahead.clear();
        let mut work = Work::new(context, rng);
        self.begin(budget, work.rng);
        self.scratch.path.clear();
        // Subtrees with the number of inner nodes above them and the last turn on the way there.
        let root = self.root.map(|root| (0, None, root.get()));
        let mut waiting: Vec<_> = root.into_iter().collect();
        while let Some((depth, turn, subtree)) = waiting.pop() {
            self.scratch
                .path
                .truncate(depth - usize::from(turn.is_some()));
            self.scratch.path.extend(turn);
            match subtree {
                Subtree::Inner(node) => {
                    let time = self.nodes[node].time;
                    let child = |side| {
                        let turn = Turn { node, time, side };
                        (depth + 1, Some(turn), self.nodes[node].child(side))
                    };
                    waiting.extend([Side::Right, Side::Left].map(child));
                }
                Subtree::Leaf(leaf) => self.expose_unless_kept_whole(leaf, &mut work),
                Subtree::Sample(_) => {}
            }
        }
        self.drop_samples_if_full(&work);
    }
}

impl<D: CutDistribution, L: LabelModel> AdjustTree for TessellationTree<D, L> {
    /// A budget: leaves are exposed to it, or to that of the samples held if this is larger.
    type Adjustment = f64;

    fn adjust(&mut self, budget: &f64, context: &ForestContext<'_, Self>, rng: &mut TreeRng) {
        let of_samples = context.settings.budget.at(self.len().max(1));
        self.refine(budget.max(of_samples).max(self.budget), context, rng);
    }
}

impl<D: CutDistribution, L: LabelModel> PartitionTree for TessellationTree<D, L> {
    fn share_a_leaf(&self, a: &[f32], b: &[f32]) -> bool {
        self.share_a_leaf(a, b)
    }

    fn work_counts(&self) -> WorkCounts {
        self.work_counts()
    }

    fn refine_all(forest: &mut Forest<Self>) {
        forest.adjust(&0.0);
    }
}

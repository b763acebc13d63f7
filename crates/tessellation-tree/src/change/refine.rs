//! Bringing every leaf up to a budget.

use forest_core::{ForestContext, TreeRng};

use crate::structure::Structure;
use crate::structure::node::{LeafId, Subtree, Turn};
use crate::{CutDistribution, LabelModel, Side, TessellationTree};

impl<D: CutDistribution, L: LabelModel> TessellationTree<D, L> {
    /// Exposes every leaf to `budget`; leaves that have been exposed further stay as they are.
    ///
    /// With an increasing budget, leaves that no sample has visited lately stand at an older
    /// budget; after this the tree has the batch distribution at `budget`.
    ///
    /// A [full](Self::is_full) tree stays as it is, and so do leaves whose points stay together
    /// ([`Update::NewPointOnly`](crate::Update::NewPointOnly)).
    pub fn refine(&mut self, budget: f64, context: &ForestContext<'_, Self>, rng: &mut TreeRng) {
        if self.is_full() {
            return;
        }
        self.structure.cache.ahead.clear();
        self.structure.begin(budget);
        let mut turns = std::mem::take(&mut self.memory.turns);
        let mut waiting = self.structure.all_leaves();
        let mut change = self.change(context.samples, context.settings, rng);
        while let Some(leaf) = change.structure.next_leaf(&mut waiting, &mut turns) {
            change.expose(leaf, &turns);
        }
        change.work.memory.turns = turns;
        change.drop_samples_if_full();
    }
}

/// A subtree whose leaves have still to be visited, with the number of inner nodes above it and the last turn on the way there.
struct Waiting {
    depth: usize,
    turn: Option<Turn>,
    subtree: Subtree,
}

impl<D: CutDistribution> Structure<D> {
    /// For [`Structure::next_leaf`].
    fn all_leaves(&self) -> Vec<Waiting> {
        let root = self.root.map(|root| Waiting {
            depth: 0,
            turn: None,
            subtree: root.get(),
        });
        root.into_iter().collect()
    }

    /// Returns the next leaf of several samples, and the turns down to it.
    fn next_leaf(&self, waiting: &mut Vec<Waiting>, turns: &mut Vec<Turn>) -> Option<LeafId> {
        while let Some(Waiting {
            depth,
            turn,
            subtree,
        }) = waiting.pop()
        {
            // Back to the turns above the parent: `turn` is the last one on the way.
            turns.truncate(depth - usize::from(turn.is_some()));
            turns.extend(turn);
            match subtree {
                Subtree::Inner(node) => {
                    let time = self.nodes[node].time;
                    let child = |side| Waiting {
                        depth: depth + 1,
                        turn: Some(Turn { node, time, side }),
                        subtree: self.nodes[node].child(side),
                    };
                    // The left side is taken from the stack first: the order of draws is part of what a seed stands for.
                    waiting.extend([Side::Right, Side::Left].map(child));
                }
                Subtree::Leaf(leaf) => return Some(leaf),
                Subtree::Sample(_) => {}
            }
        }
        None
    }
}

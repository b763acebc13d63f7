//! A tree while it changes: the structure is changed, and the label model is informed of each step.

pub(crate) mod division;
mod expose;
mod insert;
pub(crate) mod remove;
mod search;
pub(crate) mod work;

use forest_core::{ForestContext, SampleId, SampleStore, TreeRng};

use crate::change::insert::Insertion;
use crate::change::remove::{Collapse, Rest};
use crate::change::work::{Memory, Samples, Work};
use crate::structure::Structure;
use crate::structure::node::{Child, LeafId, NodeId, Turn};
use crate::walks::path::parent_below;
use crate::walks::path::steps;
use crate::{
    CutDistribution, Joined, LabelContext, LabelModel, Side, Subtree, TessellationSettings,
    TessellationTree,
};

pub use expose::MISSES_PER_FEATURE;

/// The parts of a tree, and what it works with while it changes.
pub(crate) struct Change<'a, D: CutDistribution, L: LabelModel> {
    pub(crate) structure: &'a mut Structure<D>,
    labels: &'a mut L,
    context: LabelContext<'a, L>,
    pub(crate) work: Work<'a>,
}

impl<D: CutDistribution, L: LabelModel> TessellationTree<D, L> {
    pub(crate) fn change<'a>(
        &'a mut self,
        samples: &'a SampleStore<L::Task>,
        settings: &'a TessellationSettings<D::Settings, L::Settings>,
        rng: &'a mut TreeRng,
    ) -> Change<'a, D, L> {
        Change {
            structure: &mut self.structure,
            labels: &mut self.labels,
            context: LabelContext {
                settings: &settings.labels,
                samples,
            },
            work: Work {
                samples: Samples::of(samples),
                rules: settings.rules(),
                rng,
                memory: &mut self.memory,
            },
        }
    }
}

impl<D: CutDistribution, L: LabelModel> Change<'_, D, L> {
    /// Exposes a leaf below these turns to the budget, unless its points stay together.
    pub(crate) fn expose(&mut self, leaf: LeafId, turns: &[Turn]) {
        if let Some(top) = self.structure.expose(leaf, turns, &mut self.work) {
            self.divided(leaf, top, turns);
        }
    }

    /// The leaf below these turns was divided.
    fn divided(&mut self, leaf: LeafId, top: NodeId, turns: &[Turn]) {
        let Self {
            structure,
            labels,
            context,
            work,
        } = self;
        let division = &mut work.memory.division;
        // First, so that its statistics make room for those of the leaves below.
        labels.removed(Subtree::Leaf(leaf));
        for (leaf, ids) in division.leaves() {
            labels.leaf_made(leaf, ids.iter().copied(), *context);
        }
        // After the leaves and from below: a node's statistics are made of its children's.
        division.for_each_node(&structure.nodes, |made| labels.node_made(made, *context));
        labels.leaf_cut(steps(&structure.nodes, turns), top, *context);
    }

    /// Makes a tree without samples one of all of them, drawn at once from the batch distribution.
    pub(crate) fn draw(&mut self, ids: &[SampleId]) {
        ids.iter().for_each(|&id| self.structure.hold(id));
        let Some(root) = self.structure.leaf_of(ids, 0.0, self.work.samples) else {
            return;
        };
        self.structure.set_child(None, root);
        if let Subtree::Leaf(leaf) = root {
            let samples = ids.iter().copied();
            self.labels.leaf_made(leaf, samples, self.context);
            if let Some(top) = self.structure.draw_cuts(leaf, &[], &mut self.work) {
                self.divided(leaf, top, &[]);
            }
        }
    }

    /// A tree without room for another cut becomes full: it lets its samples go.
    pub(crate) fn drop_samples_if_full(&mut self) {
        let Self {
            structure,
            labels,
            context,
            work,
        } = self;
        let has_room = structure.root.is_none() || structure.has_room(&work.rules);
        if structure.full || has_room {
            return;
        }
        for (leaf, id) in structure.drop_samples() {
            labels.leaf_made(leaf, std::iter::once(id), *context);
        }
        // The working memory of a tree that cuts grows with its samples.
        *work.memory = Memory::default();
    }

    /// Lets the label model look at the whole tree.
    pub(crate) fn survey(&mut self) {
        let structure = &*self.structure;
        let root = structure.root.map(Child::get);
        let nodes = || structure.inner_nodes();
        self.labels
            .survey(structure.held, nodes, root, self.context);
    }
}

impl<D: CutDistribution, L: LabelModel> Change<'_, D, L> {
    /// Inserts the sample `id`, which the tree does not hold.
    pub(crate) fn insert(&mut self, id: SampleId) {
        self.structure.hold(id);
        let Some(root) = self.structure.root else {
            return self.structure.set_child(None, Subtree::Sample(id));
        };
        let points = self.work.samples.points();
        let turns = std::mem::take(&mut self.work.memory.turns);
        let mut descent = self.structure.descend_to_learn(root, id, points, turns);
        let insertion = self.structure.insert(id, &mut descent, &mut self.work);
        // Those above the change: the sample joins their points.
        let passed = insertion.level;
        self.inserted(id, &insertion, &descent.turns[..passed]);
        if let Some(leaf) = insertion.to_expose {
            self.expose(leaf, &descent.turns);
        }
        self.structure.walk_again(&descent.turns[..passed], points);
        self.work.memory.turns = descent.turns;
    }

    /// Informs the label model.
    fn inserted(&mut self, id: SampleId, insertion: &Insertion, passed: &[Turn]) {
        if let (Some(first), Joined::Leaf(leaf)) = (insertion.made_of, insertion.end) {
            // `joined` is for the second sample, as it is for a leaf that was there before.
            let first = std::iter::once(first);
            self.labels.leaf_made(leaf, first, self.context);
        }
        let path = steps(&self.structure.nodes, passed);
        self.labels.joined(path, insertion.end, id, self.context);
    }

    /// What a full tree learns of a sample: it counts in the statistics on its path.
    pub(crate) fn count(&mut self, id: SampleId) {
        let Some(root) = self.structure.root else {
            unreachable!("a full tree has nodes");
        };
        let points = self.work.samples.points();
        let turns = std::mem::take(&mut self.work.memory.turns);
        let descent = self.structure.descend_to_learn(root, id, points, turns);
        let Subtree::Leaf(leaf) = descent.leaf else {
            unreachable!("each leaf of a full tree has a record");
        };
        let points = &mut self.structure.leaves[leaf].points;
        *points = points.saturating_add(1);
        let path = steps(&self.structure.nodes, &descent.turns);
        let end = Joined::Leaf(leaf);
        self.labels.joined(path, end, id, self.context);
        self.work.memory.turns = descent.turns;
    }
}

impl<D: CutDistribution, L: LabelModel> Change<'_, D, L> {
    /// Takes the sample `id` out. Costs a walk, and a pass over the other points of its leaf or, if
    /// they may not be cut any more, over those of the node that becomes a leaf.
    pub(crate) fn remove(&mut self, id: SampleId) {
        let Some(root) = self.structure.root else {
            return;
        };
        let points = self.work.samples.points();
        let turns = std::mem::take(&mut self.work.memory.turns);
        let mut descent = self.structure.descend(root, points.features(id), turns);
        let rest = self.structure.take_out(id, &mut descent, &self.work);
        self.taken_out(id, rest);
        if let Some(collapse) = self.structure.collapse(&mut descent, &mut self.work) {
            self.collapsed(collapse);
        }
        // Routes of later samples of a batch may lead through nodes that were removed.
        self.structure.walk_again(&descent.turns, points);
        if let Some(below) = self.structure.child_of(parent_below(&descent.turns)) {
            let path = steps(&self.structure.nodes, &descent.turns);
            let labels = &mut self.labels;
            labels.path_left(path, below.get(), id, self.context);
        }
        self.work.memory.turns = descent.turns;
    }

    fn taken_out(&mut self, id: SampleId, rest: Rest) {
        match rest {
            Rest::Several(leaf) => {
                let remaining = self.structure.samples_of(leaf);
                self.labels.leaf_left(leaf, id, remaining, self.context);
            }
            Rest::One(leaf) => self.labels.removed(Subtree::Leaf(leaf)),
            Rest::Nothing(node) => self.labels.removed(Subtree::Inner(node)),
            Rest::Empty => {}
        }
    }
}

impl<D: CutDistribution, L: LabelModel> Change<'_, D, L> {
    fn collapsed(&mut self, collapse: Collapse) {
        for &removed in &collapse.removed {
            self.labels.removed(removed);
        }
        if let Some(leaf) = collapse.leaf {
            let ids = collapse.ids.iter().copied();
            self.labels.leaf_made(leaf, ids, self.context);
        }
        self.work.memory.collapse = collapse;
    }
}

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

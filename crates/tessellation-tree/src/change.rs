//! A tree while it changes: the structure is changed, and the label model is informed of each step.

pub(crate) mod division;
mod expose;
mod forgetting;
mod insert;
mod learning;
mod refine;
pub(crate) mod remove;
mod search;
mod witness;
pub(crate) mod work;

pub use expose::MISSES_PER_FEATURE;

use forest_core::{SampleId, SampleStore, TreeRng};

use crate::change::division::Division;
use crate::change::work::{Samples, Work};
use crate::structure::Structure;
use crate::structure::memory::Memory;
use crate::structure::node::{Child, LeafId, NodeId, Turn};
use crate::walks::path::steps;
use crate::{
    CutDistribution, LabelContext, LabelModel, Subtree, TessellationSettings, TessellationTree,
};

/// The parts of a tree, and what it works with while it changes.
pub(crate) struct Change<'a, D: CutDistribution, L: LabelModel> {
    pub(crate) structure: &'a mut Structure<D>,
    labels: &'a mut L,
    context: LabelContext<'a, L>,
    division: &'a mut Division,
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
            division: &mut self.division,
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
        let Self {
            structure,
            division,
            work,
            ..
        } = self;
        if let Some(top) = structure.expose(leaf, turns, division, work) {
            self.divided(leaf, top, turns);
        }
    }

    /// The leaf below these turns was divided.
    fn divided(&mut self, leaf: LeafId, top: NodeId, turns: &[Turn]) {
        let Self {
            structure,
            labels,
            context,
            division,
            ..
        } = self;
        // First, so that its statistics make room for those of the leaves below.
        labels.leaf_removed(leaf);
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
            let (division, work) = (&mut *self.division, &mut self.work);
            if let Some(top) = self.structure.draw_cuts(leaf, &[], division, work) {
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
            division,
        } = self;
        let has_room = structure.root.is_none() || structure.has_room(&work.rules);
        if structure.full || has_room {
            return;
        }
        for (leaf, id) in structure.drop_samples() {
            labels.leaf_made(leaf, std::iter::once(id), *context);
        }
        // The working memory of a tree that cuts grows with its samples.
        (*work.memory, **division) = (Memory::default(), Division::default());
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

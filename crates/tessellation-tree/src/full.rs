//! A tree that has as many nodes as it may: it holds no samples, and only its statistics go on.

use forest_core::SampleId;

use crate::links::Links;
use crate::node::{Child, Leaf, LeafId, Subtree};
use crate::path::steps;
use crate::scratch::Scratch;
use crate::tree::Work;
use crate::{CutDistribution, Joined, LabelModel, TessellationSettings, TessellationTree};

impl<D: CutDistribution, L: LabelModel> TessellationTree<D, L> {
    /// Whether the tree has as many nodes as [`TessellationSettings::max_nodes`] allows. It then holds no
    /// samples: each leaf has its statistics alone.
    pub fn is_full(&self) -> bool {
        self.full
    }

    /// Whether a leaf may be cut: an inner node has one leaf more below it than it takes the place of.
    #[inline]
    pub(crate) fn has_room(
        &self,
        settings: &TessellationSettings<D::Settings, L::Settings>,
    ) -> bool {
        let cut_once_more = 2 * self.nodes.len() + 3;
        let fits = |most: std::num::NonZeroU32| cut_once_more <= most.get() as usize;
        settings.max_nodes.is_none_or(fits)
    }

    /// A tree without room for another cut becomes full: it lets its samples go.
    pub(crate) fn drop_samples_if_full(&mut self, work: &Work<'_, D, L>) {
        if self.full || self.root.is_none() || self.has_room(work.settings) {
            return;
        }
        self.scratch.ahead.clear();
        self.root = self.root.map(|root| self.without_samples(root, 0.0, work));
        let mut waiting: Vec<Child> = self.root.into_iter().collect();
        while let Some(Subtree::Inner(id)) = waiting.pop().map(Child::get) {
            let node = &self.nodes[id];
            let (birth, children) = (node.time, node.children);
            let children = children.map(|child| self.without_samples(child, birth, work));
            self.nodes[id].children = children;
            let inner = |child: &Child| matches!(child.get(), Subtree::Inner(_));
            waiting.extend(children.into_iter().filter(inner));
        }
        (self.links, self.held, self.full) = (Links::default(), 0, true);
        // The scratch memory of a tree that cuts grows with its samples.
        let counts = self.scratch.counts;
        self.scratch = Scratch {
            counts,
            ..Scratch::default()
        };
    }

    /// A leaf gets a record that names no samples.
    fn without_samples(&mut self, child: Child, birth: f64, work: &Work<'_, D, L>) -> Child {
        match child.get() {
            Subtree::Inner(_) => child,
            Subtree::Leaf(id) => {
                let leaf = self.leaves[id];
                self.leaves[id] = Leaf::without_samples(leaf.exposed, leaf.points, leaf.mixed);
                child
            }
            Subtree::Sample(id) => {
                let leaf = Leaf::without_samples(birth, 1, false);
                let leaf = self.leaves.insert(leaf);
                let sample = std::iter::once(id);
                self.labels.leaf_made(leaf, sample, work.labels());
                Subtree::Leaf(leaf).into()
            }
        }
    }

    /// What a full tree learns of a sample: it counts in the statistics on its path.
    pub(crate) fn count(&mut self, id: SampleId, work: &Work<'_, D, L>) {
        let Some(Subtree::Leaf(leaf)) = self.path_to(id, work.samples.features(id)) else {
            unreachable!("each leaf of a full tree has a record");
        };
        self.add_point(leaf);
        let path = steps(&self.nodes, &self.scratch.path);
        let end = Joined::Leaf(leaf);
        self.labels.joined(path, end, id, work.labels());
    }

    fn add_point(&mut self, leaf: LeafId) {
        let points = &mut self.leaves[leaf].points;
        *points = points.saturating_add(1);
    }
}

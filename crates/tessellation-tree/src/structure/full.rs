//! A structure that has as many nodes as it may: it holds no samples, and only statistics of labels are still updated.

use forest_core::SampleId;

use crate::CutDistribution;
use crate::settings::Rules;
use crate::structure::Structure;
use crate::structure::cache::Cache;
use crate::structure::node::{Child, Leaf, LeafId, Subtree};
use forest_core::SampleLists;

impl<D: CutDistribution> Structure<D> {
    /// Returns whether it has no room for another cut, but still holds its samples.
    pub(crate) fn lacks_room(&self, rules: &Rules) -> bool {
        !self.full && self.root.is_some() && !self.has_room(rules)
    }

    /// Lets the samples go. Returns the leaves that were samples, each with its sample, and now have records, which name none.
    pub(crate) fn drop_samples(&mut self) -> Vec<(LeafId, SampleId)> {
        let mut made = Vec::new();
        let root = self
            .root
            .map(|root| self.without_samples(root, 0.0, &mut made));
        self.root = root;
        let mut waiting: Vec<Child> = self.root.into_iter().collect();
        while let Some(Subtree::Inner(id)) = waiting.pop().map(Child::get) {
            let node = &self.nodes[id];
            let (birth, children) = (node.time, node.children);
            let children = children.map(|child| self.without_samples(child, birth, &mut made));
            self.nodes[id].children = children;
            let inner = |child: &Child| matches!(child.get(), Subtree::Inner(_));
            waiting.extend(children.into_iter().filter(inner));
        }
        (self.links, self.held, self.full) = (SampleLists::default(), 0, true);
        // Routes and boxes are of samples.
        self.cache = Cache::default();
        made
    }

    /// Gives a leaf a record that does not name samples.
    fn without_samples(
        &mut self,
        child: Child,
        birth: f64,
        made: &mut Vec<(LeafId, SampleId)>,
    ) -> Child {
        match child.get() {
            Subtree::Inner(_) => child,
            Subtree::Leaf(id) => {
                let leaf = self.leaves[id];
                self.leaves[id] = Leaf::without_samples(leaf.exposed, leaf.points, leaf.mixed);
                child
            }
            Subtree::Sample(id) => {
                let record = Leaf::without_samples(birth, 1, false);
                let leaf = self.leaves.insert(record);
                made.push((leaf, id));
                Subtree::Leaf(leaf).into()
            }
        }
    }

    /// A sample falls into a leaf of a full tree.
    pub(crate) fn count(&mut self, leaf: LeafId) {
        let points = &mut self.leaves[leaf].points;
        *points = points.saturating_add(1);
    }
}

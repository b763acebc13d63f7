//! Lazy upkeep: the cut of a node is reconsidered when a share of its samples has changed.

use forest_core::SampleId;
use smallvec::SmallVec;

use crate::exact::Change;
use crate::grow::{Growth, Place, Task};
use crate::labels::Totals;
use crate::labels::sealed::Sums;

/// Nodes on the path of a sample whose cut has to be reconsidered, from the root.
type Due = SmallVec<[(Place, usize); 8]>;

impl<T: Sums> Growth<'_, T> {
    pub(crate) fn learn_lazily(&mut self, root: Place, id: SampleId) {
        let mut due = Due::new();
        let (leaf, _) = self.walk(root, Change::Comes(id), &mut due);
        self.add_to_leaf(leaf, id);
        self.recheck(&due);
        self.tree.nodes.keep_in_order();
    }

    /// An inner node has samples on both sides at all times.
    pub(crate) fn forget_lazily(&mut self, root: Place, id: SampleId) {
        let mut due = Due::new();
        let (leaf, parent) = self.walk(root, Change::Goes(id), &mut due);
        if self.remove_from_leaf(leaf, id) {
            let parent = parent.filter(|parent| due.last().is_none_or(|last| last.1 != parent.1));
            due.extend(parent);
        }
        self.recheck(&due);
        self.tree.nodes.keep_in_order();
    }

    /// Returns the leaf that a sample falls into, and the node above it. Every node on the path counts the arrival or departure.
    #[inline]
    fn walk(
        &mut self,
        root: Place,
        change: Change,
        due: &mut Due,
    ) -> (Place, Option<(Place, usize)>) {
        let x = self.store.features(change.id());
        let is_silent = self.is_silent(change.id());
        let code = self.code(change.id());
        let (mut place, mut child, mut parent) = (root, self.tree.nodes.root, None);
        while let Some(index) = child.as_node() {
            let node = self.tree.nodes.get_mut(index);
            let Some(cut) = node.as_cut() else { break };
            if !is_silent {
                let change = node.totals.change(&self.tree.mixed, code);
                node.watch = node.watch.saturating_sub(change);
                if node.watch == 0 {
                    due.push((place, index));
                }
            }
            parent = Some((place, index));
            let side = cut.side(x);
            child = node.children[side];
            self.update_totals(index, change, side);
            place = place.below(index, side);
        }
        (place, parent)
    }

    /// Chooses the cuts of these nodes again, until a subtree is rebuilt, which includes everything below it.
    fn recheck(&mut self, due: &Due) {
        let mut due = due.iter();
        while due
            .next()
            .is_some_and(|&(place, node)| !self.is_rebuilt(place, node))
        {}
    }

    fn is_rebuilt(&mut self, place: Place, index: usize) -> bool {
        self.collect(self.tree.nodes.child(place.link));
        let count = self.scratch.set.len();
        let task = Task {
            place,
            start: 0,
            end: count,
        };
        let cut = self.choose(task);
        let watch = self.changes_until_recheck(task);
        let node = self.tree.nodes.get_mut(index);
        if cut.is_some() && cut == node.as_cut() {
            node.watch = watch;
            return false;
        }
        self.release();
        self.grow_with(task, cut);
        true
    }
}

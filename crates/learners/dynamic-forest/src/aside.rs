//! Subtrees that are set aside while another candidate is the best, since near ties flip many times.

use crate::exact::Change;
use crate::grow::{Growth, Place, Task};
use crate::labels::sealed::Sums;
use crate::nodes::{Below, Child, Content, Cut, MixedLeaf, Node};
use crate::statistics::{Aside, Outcome, Statistics};

impl<T: Sums> Growth<'_, T> {
    /// Replaces a node's old best cut by the new one. The subtree below is set aside, and the one that was aside is restored if it
    /// belongs to this cut.
    pub(crate) fn change_cut(
        &mut self,
        place: Place,
        index: usize,
        (old, best): (Cut, Cut),
        change: Change,
    ) {
        self.collect_changed(place, change);
        let node = *self.tree.nodes.get(index);
        let aside = Aside {
            cut: old,
            children: node.children,
            changes: 0,
        };
        let statistics = self.statistics_of(node.watch);
        let before = statistics.aside.replace(aside);
        let comes_back = before.filter(|before| before.cut == best);
        *self.tree.nodes.get_mut(index) = node.with_cut(best);
        if let Some(before) = comes_back {
            self.tree.nodes.get_mut(index).children = before.children;
            self.change_subtree(place, index, best, change);
        } else if let Some(before) = before {
            self.release_below(before.children);
        }
        self.change_aside(place, index, node.watch, change);
        self.fill(place, index, best);
    }

    fn statistics_of(&mut self, number: u32) -> &mut Statistics<T> {
        self.tree
            .statistics
            .get_mut(number)
            .expect("a node with statistics")
    }

    /// Gives the leaves below a node the samples of the set, and builds what is missing.
    pub(crate) fn fill(&mut self, place: Place, index: usize, cut: Cut) {
        let (start, end) = (0, self.scratch.set.len());
        self.read_best(cut, start, end);
        let parts = self.divide(Task { place, start, end }, index, cut);
        self.add_up_again(index, parts);
        let mut tasks = parts.to_vec();
        while let Some(task) = tasks.pop() {
            match self.tree.nodes.child(task.place.link).get() {
                Below::Nothing => self.grow_part(task),
                Below::Pure(_) => {
                    let first = self
                        .tree
                        .links
                        .join(self.scratch.set.part(task.start, task.end).ids);
                    self.tree
                        .nodes
                        .set_child(task.place.link, Child::pure(first));
                }
                Below::Node(index) => self.fill_node(task, index, &mut tasks),
            }
        }
    }

    fn fill_node(&mut self, task: Task, index: usize, tasks: &mut Vec<Task>) {
        match self.tree.nodes.get(index).content() {
            Content::Cut(cut) => {
                self.read_best(cut, task.start, task.end);
                let parts = self.divide(task, index, cut);
                self.add_up_again(index, parts);
                tasks.extend(parts);
            }
            Content::Mixed(leaf) => {
                let first = self
                    .tree
                    .links
                    .join(self.scratch.set.part(task.start, task.end).ids);
                *self.tree.nodes.get_mut(index) = Node::mixed(MixedLeaf { first, ..leaf });
            }
            Content::Free => unreachable!("it can be reached"),
        }
    }

    /// Applies a change to the subtree that a node keeps aside; after many changes it is discarded.
    pub(crate) fn change_aside(&mut self, place: Place, index: usize, number: u32, change: Change) {
        let statistics = self.statistics_of(number);
        let count = statistics.count() as u32;
        let Some(aside) = &mut statistics.aside else {
            return;
        };
        aside.changes += 1;
        let Aside {
            cut,
            children,
            changes,
        } = *aside;
        if changes > count / Self::SHARE_KEPT {
            return self.drop_aside(number);
        }
        // During the change it is below the node.
        let current = std::mem::replace(&mut self.tree.nodes.get_mut(index).children, children);
        self.change_subtree(place, index, cut, change);
        let changed = std::mem::replace(&mut self.tree.nodes.get_mut(index).children, current);
        let aside = self.statistics_of(number).aside.as_mut();
        aside.expect("it has just been there").children = changed;
    }

    /// A subtree is discarded once more than one in this many samples has arrived or left while it waited.
    const SHARE_KEPT: u32 = 8;

    pub(crate) fn drop_aside(&mut self, number: u32) {
        let aside = self.statistics_of(number).aside.take();
        if let Some(aside) = aside {
            self.release_below(aside.children);
        }
    }

    /// Applies a change to a subtree without samples: statistics that stay valid are updated; nodes without any are discarded.
    fn change_subtree(&mut self, place: Place, index: usize, cut: Cut, change: Change) {
        let x = self.store.features(change.id());
        let mut place = place.below(index, cut.side(x));
        loop {
            let child = self.tree.nodes.child(place.link);
            let Some((index, cut)) = self.stays(place, child, change) else {
                self.tree.nodes.set_child(place.link, Child::NOTHING);
                return self.release_below([child]);
            };
            place = place.below(index, cut.side(x));
        }
    }

    /// Returns a node and its cut, if its statistics show that the cut is still the best after the change.
    fn stays(&mut self, place: Place, child: Child, change: Change) -> Option<(usize, Cut)> {
        let index = child.as_node()?;
        let node = *self.tree.nodes.get(index);
        let cut = node.as_cut()?;
        self.tree.statistics.get(node.watch)?;
        self.drop_aside(node.watch);
        let is_noted = self.note(place, node.watch, change) == Outcome::UpToDate;
        let choice = self.choice;
        let statistics = self.statistics_of(node.watch);
        let stays = is_noted && statistics.best(choice) == Some(cut);
        let count = statistics.count();
        (stays && self.upkeep.counts_sides(count)).then_some((index, cut))
    }
}

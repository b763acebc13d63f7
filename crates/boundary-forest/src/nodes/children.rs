//! Lists of children, each in one piece, so that a walk reads them in a row.

use forest_core::Arena;

use super::{NodeId, NodeRef};

/// Where a node's children are: `start..start + count` of the pool.
#[derive(Clone, Copy, Debug, Default)]
struct List {
    start: u32,
    count: u32,
}

/// The children of every node.
///
/// A list has room for a power of two; when that is full, it moves to the end of the pool and
/// leaves its old room behind. All rooms left behind by a list are together smaller than it.
#[derive(Clone, Debug, Default)]
pub(super) struct Children {
    lists: Arena<List>,
    pool: Arena<NodeRef>,
}

impl Children {
    /// The most nodes: `c` children take less than `4·c` places of the pool, which has 2³².
    pub(super) const LIMIT: usize = 1 << 30;

    /// Bytes allocated.
    pub(super) fn bytes(&self) -> usize {
        self.lists.bytes() + self.pool.bytes()
    }

    /// Gives the next node an empty list.
    pub(super) fn add_node(&mut self) {
        self.lists.push(List::default());
    }

    #[inline]
    pub(super) fn of(&self, parent: NodeId) -> &[NodeRef] {
        let List { start, count } = self.lists[parent.index()];
        &self.pool[start as usize..][..count as usize]
    }

    pub(super) fn push(&mut self, parent: NodeId, child: NodeRef) {
        if self.is_full(parent) {
            self.make_room(parent, child);
        }
        let list = &mut self.lists[parent.index()];
        self.pool[(list.start + list.count) as usize] = child;
        list.count += 1;
    }

    fn is_full(&self, parent: NodeId) -> bool {
        let count = self.lists[parent.index()].count;
        count == 0 || count.is_power_of_two()
    }

    /// Moves a full list to the end of the pool, with room for twice as many (the new ones, until
    /// they are written, hold `filler`).
    fn make_room(&mut self, parent: NodeId, filler: NodeRef) {
        let List { start, count } = self.lists[parent.index()];
        let (start, count, end) = (start as usize, count as usize, self.pool.len());
        self.pool.resize(end + (2 * count).max(1), filler);
        self.pool.copy_within(start..start + count, end);
        let end = u32::try_from(end).expect("there are at most 2³⁰ nodes");
        self.lists[parent.index()].start = end;
    }

    /// Gives a child of `parent`, one of its newest, another sample.
    pub(super) fn set_sample(&mut self, parent: NodeId, child: NodeRef) {
        let List { start, count } = self.lists[parent.index()];
        let list = &mut self.pool[start as usize..][..count as usize];
        let stored = list
            .iter_mut()
            .rev()
            .find(|stored| stored.node == child.node);
        if let Some(stored) = stored {
            stored.sample = child.sample;
        }
    }
}

#[cfg(test)]
mod tests {
    use forest_core::SampleId;

    use super::*;

    #[test]
    fn lists_that_grow_in_turn_stay_apart() {
        let mut children = Children::default();
        (0..3).for_each(|_| children.add_node());
        let child = |index| NodeRef {
            sample: SampleId::new(index),
            node: NodeId::new(index),
        };
        for index in 0..300 {
            children.push(NodeId::new(index % 3), child(index));
        }
        for parent in 0..3 {
            let expected: Vec<_> = (parent..300).step_by(3).map(child).collect();
            assert_eq!(children.of(NodeId::new(parent)), expected);
        }
    }

    #[test]
    fn every_child_takes_less_than_four_places() {
        let mut children = Children::default();
        children.add_node();
        for index in 1..5000 {
            let (sample, node) = (SampleId::new(index), NodeId::new(index));
            children.push(NodeId::ROOT, NodeRef { sample, node });
            assert!(children.pool.len() < 4 * index, "{index} children");
        }
        assert!(4 * Children::LIMIT as u64 <= 1 << 32);
    }
}

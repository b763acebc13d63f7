//! Lists of children, each in one piece, so that a walk reads them in a row.

use super::{NodeId, Place};

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
    lists: Vec<List>,
    pool: Vec<Place>,
}

impl Children {
    /// A node's list, and its own place in the list of its parent.
    pub(super) const BYTES_PER_NODE: usize = size_of::<List>() + size_of::<Place>();

    /// Gives the next node an empty list.
    pub(super) fn add_node(&mut self) {
        self.lists.push(List::default());
    }

    #[inline]
    pub(super) fn of(&self, parent: NodeId) -> &[Place] {
        let List { start, count } = self.lists[parent.index()];
        &self.pool[start as usize..][..count as usize]
    }

    pub(super) fn push(&mut self, parent: NodeId, child: Place) {
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
    fn make_room(&mut self, parent: NodeId, filler: Place) {
        let List { start, count } = self.lists[parent.index()];
        let (first, end) = (start as usize, self.pool.len());
        self.pool.extend_from_within(first..first + count as usize);
        self.pool.resize(end + (2 * count as usize).max(1), filler);
        let start = u32::try_from(end).expect("a tree of 2³⁰ nodes would exhaust any memory first");
        self.lists[parent.index()].start = start;
    }

    /// Gives a child of `parent`, one of its newest, the sample it has now.
    pub(super) fn rename(&mut self, parent: NodeId, child: Place) {
        let List { start, count } = self.lists[parent.index()];
        let list = &mut self.pool[start as usize..][..count as usize];
        let known = list.iter_mut().rev().find(|place| place.node == child.node);
        if let Some(place) = known {
            place.sample = child.sample;
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
        let child = |index| Place {
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
        assert!(children.pool.len() < 4 * 300);
    }
}

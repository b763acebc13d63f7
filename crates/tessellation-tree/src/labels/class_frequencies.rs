//! The empirical model of classification: a leaf predicts its class frequencies.

use forest_core::{Arena, Classification, Vote};
use serde::{Deserialize, Serialize};

use super::LabelModel;
use crate::NodeId;

/// Class frequencies of leaves (Fan et al. 2020).
///
/// Most leaves hold one class, which takes 12 bytes; a leaf with several has a row of counts, as
/// wide as the classes seen by this tree, and rows are used again when their leaf is cut.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClassFrequencies {
    leaves: Arena<Tally>,
    rows: Arena<u32>,
    row_width: u32,
    free_rows: Arena<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Tally {
    Nothing,
    OneClass { class: u32, count: u32 },
    Row(u32),
}

impl ClassFrequencies {
    /// Where the counts of `row` are.
    fn cells(&self, row: u32) -> std::ops::Range<usize> {
        let (row, width) = (row as usize, self.row_width as usize);
        row * width..(row + 1) * width
    }

    fn row(&self, row: u32) -> &[u32] {
        &self.rows[self.cells(row)]
    }

    /// Number of rows, used and free.
    fn row_count(&self) -> usize {
        let width = self.row_width as usize;
        self.rows.len().checked_div(width).unwrap_or(0)
    }

    fn count(&mut self, row: u32, class: u32, times: u32) {
        if class >= self.row_width {
            self.widen((class + 1).next_power_of_two());
        }
        let cells = self.cells(row);
        self.rows[cells][class as usize] += times;
    }

    fn widen(&mut self, width: u32) {
        let rows = self.row_count();
        let mut wider = vec![0; rows * width as usize];
        for row in 0..rows {
            let old = self.row(row as u32);
            wider[row * width as usize..][..old.len()].copy_from_slice(old);
        }
        (self.rows, self.row_width) = (wider.into(), width);
    }

    /// A row of zeros, used before or new.
    fn take_row(&mut self) -> u32 {
        if let Some(row) = self.free_rows.pop() {
            return row;
        }
        self.row_width = self.row_width.max(2);
        let row = self.row_count();
        let cells = self.rows.len() + self.row_width as usize;
        self.rows.resize(cells, 0);
        u32::try_from(row).expect("a tree has fewer rows than nodes")
    }

    fn counts(&self, leaf: NodeId) -> impl Iterator<Item = (usize, u32)> {
        let (one, row) = match self.leaves[leaf.index()] {
            Tally::Nothing => (None, &[][..]),
            Tally::OneClass { class, count } => (Some((class as usize, count)), &[][..]),
            Tally::Row(row) => (None, self.row(row)),
        };
        one.into_iter().chain(row.iter().copied().enumerate())
    }
}

impl LabelModel for ClassFrequencies {
    type Task = Classification;

    fn push(&mut self) {
        self.leaves.push(Tally::Nothing);
    }

    fn settle(&mut self, leaf: NodeId, class: u32) {
        match self.leaves[leaf.index()] {
            Tally::Nothing => self.leaves[leaf.index()] = Tally::OneClass { class, count: 1 },
            Tally::OneClass { class: only, count } if only == class => {
                self.leaves[leaf.index()] = Tally::OneClass {
                    class,
                    count: count + 1,
                };
            }
            Tally::OneClass {
                class: first,
                count,
            } => {
                let row = self.take_row();
                self.leaves[leaf.index()] = Tally::Row(row);
                self.count(row, first, count);
                self.count(row, class, 1);
            }
            Tally::Row(row) => self.count(row, class, 1),
        }
    }

    fn open(&mut self, leaf: NodeId) {
        let tally = std::mem::replace(&mut self.leaves[leaf.index()], Tally::Nothing);
        if let Tally::Row(row) = tally {
            let cells = self.cells(row);
            self.rows[cells].fill(0);
            self.free_rows.push(row);
        }
    }

    fn agree(&self, leaf: NodeId) -> bool {
        !matches!(self.leaves[leaf.index()], Tally::Row(_))
    }

    fn vote(&self, leaf: NodeId, vote: Vote, ballot: &mut [f64]) {
        ballot.fill(0.0);
        match self.leaves[leaf.index()] {
            Tally::Nothing => {}
            Tally::OneClass { class, .. } => ballot[class as usize] = 1.0,
            Tally::Row(row) => {
                let counts = self.row(row);
                let total = f64::from(counts.iter().sum::<u32>());
                for (cell, &count) in ballot.iter_mut().zip(counts) {
                    *cell = f64::from(count) / total;
                }
            }
        }
        vote.cast(ballot);
    }

    fn bytes(&self) -> usize {
        self.leaves.bytes() + self.rows.bytes() + self.free_rows.bytes()
    }

    /// Each row belongs to one leaf or is free, and free rows hold zeros.
    fn is_shaped(&self, nodes: usize) -> bool {
        let of_leaf = |tally: &Tally| match *tally {
            Tally::Row(row) => Some(row),
            Tally::Nothing | Tally::OneClass { .. } => None,
        };
        let used = self.leaves.iter().filter_map(of_leaf);
        let mut rows: Vec<u32> = used.chain(self.free_rows.iter().copied()).collect();
        rows.sort_unstable();
        let each_once = rows.iter().map(|&row| row as usize).eq(0..self.row_count());
        let fits = self.rows.len() == self.row_count() * self.row_width as usize;
        let zero = |&row: &u32| self.row(row).iter().all(|&count| count == 0);
        self.leaves.len() == nodes && fits && each_once && self.free_rows.iter().all(zero)
    }

    fn is_summary_of(&self, leaf: NodeId, classes: impl Iterator<Item = u32>) -> bool {
        let mut fresh = Self::default();
        fresh.push();
        classes.for_each(|class| fresh.settle(NodeId::FIRST, class));
        let counted = |(_, count): &(usize, u32)| *count > 0;
        let own = self.counts(leaf).filter(counted);
        own.eq(fresh.counts(NodeId::FIRST).filter(counted))
            && self.agree(leaf) == fresh.agree(NodeId::FIRST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vote(model: &ClassFrequencies, leaf: usize, width: usize) -> Vec<f64> {
        let mut ballot = vec![7.0; width];
        model.vote(NodeId::new(leaf), Vote::Frequencies, &mut ballot);
        ballot
    }

    #[test]
    fn frequencies_survive_new_classes_and_used_rows() {
        let mut model = ClassFrequencies::default();
        (0..3).for_each(|_| model.push());
        for class in [0, 0, 1, 5] {
            model.settle(NodeId::FIRST, class);
        }
        assert_eq!(vote(&model, 0, 6), [0.5, 0.25, 0.0, 0.0, 0.0, 0.25]);
        model.open(NodeId::FIRST);
        model.settle(NodeId::new(1), 3);
        assert!(model.agree(NodeId::new(1)));
        model.settle(NodeId::new(1), 4);
        assert!(!model.agree(NodeId::new(1)));
        assert_eq!(vote(&model, 1, 6), [0.0, 0.0, 0.0, 0.5, 0.5, 0.0]);
        assert_eq!(model.rows.len(), 8, "the first leaf's row is used again");
        assert!(model.is_shaped(3));
    }

    #[test]
    fn a_row_belongs_to_one_leaf_or_is_free() {
        let mut model = ClassFrequencies::default();
        (0..2).for_each(|_| model.push());
        for class in [0, 1] {
            model.settle(NodeId::FIRST, class);
            model.settle(NodeId::new(1), class);
        }
        model.open(NodeId::FIRST);
        assert!(model.is_shaped(2));
        let altered = |alter: fn(&mut ClassFrequencies)| {
            let mut altered = model.clone();
            alter(&mut altered);
            altered
        };
        let shared = altered(|model| model.leaves[0] = model.leaves[1]);
        let used = altered(|model| model.free_rows[0] = 1);
        let lost = altered(|model| model.free_rows.clear());
        let dirty = altered(|model| model.rows[0] = 1);
        for wrong in [shared, used, lost, dirty] {
            assert!(!wrong.is_shaped(2), "{wrong:?}");
        }
    }

    #[test]
    fn a_summary_knows_its_targets() {
        let mut model = ClassFrequencies::default();
        model.push();
        for class in [2, 1, 2] {
            model.settle(NodeId::FIRST, class);
        }
        assert!(model.is_summary_of(NodeId::FIRST, [1, 2, 2].into_iter()));
        assert!(!model.is_summary_of(NodeId::FIRST, [1, 2].into_iter()));
    }
}

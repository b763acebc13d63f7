//! The empirical model of classification: a leaf predicts its class frequencies.

use forest_core::{Arena, CanForget, ClassSpace, Classification, SampleId, Vote, accumulate};
use registry::{ClassLabels, Labels};
use serde::{Deserialize, Serialize};

use super::{CountedLabels, Joined, LabelContext, LabelModel};
use crate::pool::Index;
use crate::{CutDistribution, LeafId, NodeId, Path, Step, Subtree, Walks};

/// Class frequencies of leaves (Fan et al. 2020).
///
/// Most leaves hold one class, which takes 12 bytes; a leaf with several has a row of counts, as
/// wide as the classes seen by this tree, and rows are used again when their leaf is removed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClassFrequencies {
    leaves: Arena<Counts>,
    rows: Arena<u32>,
    row_width: u32,
    free_rows: Arena<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Counts {
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

    fn add_to_row(&mut self, row: u32, class: u32, times: u32) {
        if class >= self.row_width {
            self.widen((class + 1).next_power_of_two());
        }
        let cells = self.cells(row);
        let counts = &mut self.rows[cells];
        if counts[class as usize] == u32::MAX {
            // A stream without end: halves keep the frequencies.
            counts
                .iter_mut()
                .for_each(|count| *count = count.div_ceil(2));
        }
        counts[class as usize] += times;
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
        u32::try_from(row).expect("a tree has fewer rows than leaves")
    }

    fn add(&mut self, leaf: LeafId, class: u32) {
        let leaf = leaf.index();
        match self.leaves[leaf] {
            Counts::Nothing => self.leaves[leaf] = Counts::OneClass { class, count: 1 },
            Counts::OneClass { class: only, count } if only == class => {
                let count = count.saturating_add(1);
                self.leaves[leaf] = Counts::OneClass { class, count };
            }
            Counts::OneClass { class: only, count } => {
                let row = self.take_row();
                self.leaves[leaf] = Counts::Row(row);
                self.add_to_row(row, only, count);
                self.add_to_row(row, class, 1);
            }
            Counts::Row(row) => self.add_to_row(row, class, 1),
        }
    }

    /// Puts the vote of a leaf into `accumulator`, which is all 0.
    fn vote(&self, leaf: LeafId, vote: Vote, accumulator: &mut [f64]) {
        let total: u64 = self.counts(leaf).map(|(_, count)| u64::from(count)).sum();
        for (class, count) in self.counts(leaf) {
            accumulator[class] = f64::from(count) / total as f64;
        }
        vote.cast(accumulator);
    }

    /// The classes of a leaf, each with its count.
    fn counts(&self, leaf: LeafId) -> impl Iterator<Item = (usize, u32)> {
        let (one, row) = match self.leaves[leaf.index()] {
            Counts::Nothing => (None, &[][..]),
            Counts::OneClass { class, count } => (Some((class as usize, count)), &[][..]),
            Counts::Row(row) => (None, self.row(row)),
        };
        let all = one.into_iter().chain(row.iter().copied().enumerate());
        all.filter(|(_, count)| *count > 0)
    }
}

impl LabelModel for ClassFrequencies {
    type Task = Classification;
    type Settings = Vote;
    type Forgets = CanForget;

    fn leaf_made(
        &mut self,
        leaf: LeafId,
        samples: impl Iterator<Item = SampleId>,
        context: LabelContext<'_, Self>,
    ) {
        if leaf.index() == self.leaves.len() {
            self.leaves.push(Counts::Nothing);
        }
        samples.for_each(|id| self.add(leaf, context.samples.target(id)));
    }

    fn joined(
        &mut self,
        _: impl DoubleEndedIterator<Item = Step>,
        end: Joined,
        id: SampleId,
        context: LabelContext<'_, Self>,
    ) {
        if let Joined::Leaf(leaf) = end {
            self.add(leaf, context.samples.target(id));
        }
    }

    fn leaf_removed(&mut self, leaf: LeafId) {
        let counts = std::mem::replace(&mut self.leaves[leaf.index()], Counts::Nothing);
        if let Counts::Row(row) = counts {
            let cells = self.cells(row);
            self.rows[cells].fill(0);
            self.free_rows.push(row);
        }
    }

    fn leaf_left(
        &mut self,
        leaf: LeafId,
        left: SampleId,
        _: impl Iterator<Item = SampleId>,
        context: LabelContext<'_, Self>,
        CanForget: CanForget,
    ) {
        match &mut self.leaves[leaf.index()] {
            Counts::Nothing => {}
            Counts::OneClass { count, .. } => *count -= 1,
            Counts::Row(row) => {
                let row = *row;
                let cells = self.cells(row);
                self.rows[cells][context.samples.target(left) as usize] -= 1;
            }
        }
    }

    #[inline]
    fn predict<D: CutDistribution>(
        &self,
        path: Path<'_, D>,
        context: LabelContext<'_, Self>,
        accumulator: &mut [f64],
    ) {
        accumulator.fill(0.0);
        match path.leaf() {
            Subtree::Sample(id) => accumulator[context.samples.target(id) as usize] = 1.0,
            Subtree::Leaf(leaf) => self.vote(leaf, *context.settings, accumulator),
            Subtree::Inner(_) => unreachable!("a path ends in a leaf"),
        }
    }

    fn add_votes<D: CutDistribution>(
        &self,
        walks: &Walks<'_, D>,
        context: LabelContext<'_, Self>,
        accumulator: &mut [f64],
        sums: &mut [f64],
    ) {
        let width = accumulator.len();
        walks.leaves(|row, leaf| match leaf {
            Subtree::Sample(id) => sums[row * width + context.samples.target(id) as usize] += 1.0,
            Subtree::Leaf(leaf) => {
                accumulator.fill(0.0);
                self.vote(leaf, *context.settings, accumulator);
                accumulate(&mut sums[row * width..][..width], accumulator);
            }
            Subtree::Inner(_) => unreachable!("a walk ends in a leaf"),
        });
    }

    fn bytes(&self) -> usize {
        self.leaves.bytes() + self.rows.bytes() + self.free_rows.bytes()
    }

    /// Each row belongs to one leaf or is free, and free rows hold zeros.
    fn is_shaped(
        &self,
        mut leaves: impl Iterator<Item = LeafId>,
        _: impl Iterator<Item = NodeId>,
    ) -> bool {
        let of_leaf = |counts: &Counts| match *counts {
            Counts::Row(row) => Some(row),
            Counts::Nothing | Counts::OneClass { .. } => None,
        };
        let used = self.leaves.iter().filter_map(of_leaf);
        let mut rows: Vec<u32> = used.chain(self.free_rows.iter().copied()).collect();
        rows.sort_unstable();
        let each_once = rows.iter().map(|&row| row as usize).eq(0..self.row_count());
        let fits = self.rows.len() == self.row_count() * self.row_width as usize;
        let zero = |&row: &u32| self.row(row).iter().all(|&count| count == 0);
        leaves.all(|leaf| leaf.index() < self.leaves.len())
            && fits
            && each_once
            && self.free_rows.iter().all(zero)
    }

    fn is_summary_of(
        &self,
        leaf: LeafId,
        samples: impl Iterator<Item = SampleId>,
        context: LabelContext<'_, Self>,
    ) -> bool {
        let mut fresh = Self::default();
        let ids: Vec<SampleId> = samples.collect();
        fresh.leaf_made(LeafId::new(0), ids.into_iter(), context);
        self.counts(leaf).eq(fresh.counts(LeafId::new(0)))
    }

    fn is_possible(&self, place: Subtree, classes: &ClassSpace) -> bool {
        let Subtree::Leaf(leaf) = place else {
            return true;
        };
        let known = |(class, _): (usize, u32)| class < classes.known() as usize;
        self.counts(leaf).next().is_some() && self.counts(leaf).all(known)
    }
}

impl CountedLabels for ClassFrequencies {
    fn add_labels(&self, leaf: LeafId, sum: &mut ClassLabels) {
        let counts = self.counts(leaf);
        counts.for_each(|(class, count)| sum.add(class as u32, u64::from(count)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_beyond_32_bits_keep_the_frequencies() {
        let (leaf, most) = (LeafId::new(0), u32::MAX);
        let of_one = Counts::OneClass {
            class: 1,
            count: most,
        };
        let mut model = ClassFrequencies::default();
        model.leaves.push(of_one);
        model.add(leaf, 1);
        assert_eq!(model.leaves[0], of_one);
        model.add(leaf, 0);
        model.add(leaf, 1);
        let counts: Vec<_> = model.counts(leaf).collect();
        assert_eq!(counts, [(0, 1), (1, most / 2 + 2)]);
    }
}

//! The empirical model of classification: a leaf predicts its class frequencies.

mod weighted;

use crate::{
    CutDistribution, ForgetLabels, Joined, LabelContext, LabelModel, LeafId, NodeId, Path, Place,
    Step, Subtree, TessellationTree, Walks,
};
use forest_core::registry::{ClassLabels, Labels};
use forest_core::{
    Arena, ClassSpace, Classification, Forest, Forgetting, LearnWeighted, SampleId, SampleWeight,
    Supports, Vote, Weights, accumulate,
};
use serde::{Deserialize, Serialize};

use super::weighted_samples;

/// Class frequencies of leaves (Fan et al. 2020).
///
/// Most leaves hold one class, which takes 12 bytes; a leaf with several has a row of counts, as
/// wide as the classes seen by this tree, and rows are used again when their leaf is removed. Counts are whole numbers as
/// long as the weights of the leaf's samples are, and otherwise multiples of 2⁻³⁰ in two rows.
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
    OneClass {
        class: u32,
        count: u32,
    },
    Row(u32),
    /// The upper and the lower 32 bits of counts in units of weights.
    Weighted {
        high: u32,
        low: u32,
    },
}

impl ClassFrequencies {
    /// Returns where the counts of `row` are.
    fn cells(&self, row: u32) -> std::ops::Range<usize> {
        let (row, width) = (row as usize, self.row_width as usize);
        row * width..(row + 1) * width
    }

    fn row(&self, row: u32) -> &[u32] {
        &self.rows[self.cells(row)]
    }

    /// Returns the number of rows, used and free.
    fn row_count(&self) -> usize {
        let width = self.row_width as usize;
        self.rows.len().checked_div(width).unwrap_or(0)
    }

    fn add_to_row(&mut self, row: u32, class: u32, times: u32) {
        self.make_wide(class);
        let cells = self.cells(row);
        let counts = &mut self.rows[cells];
        if counts[class as usize].checked_add(times).is_none() {
            // A stream without end: halves keep the frequencies.
            counts
                .iter_mut()
                .for_each(|count| *count = count.div_ceil(2));
        }
        counts[class as usize] += times;
    }

    /// Makes room for a class in all rows.
    #[inline]
    fn make_wide(&mut self, class: u32) {
        if class >= self.row_width {
            self.widen((class + 1).next_power_of_two());
        }
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

    /// Returns a row of zeros, used before or new.
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

    fn free_row(&mut self, row: u32) {
        let cells = self.cells(row);
        self.rows[cells].fill(0);
        self.free_rows.push(row);
    }

    #[inline]
    fn add(&mut self, leaf: LeafId, class: u32, weight: SampleWeight) {
        match weight.copies() {
            Some(1) if !self.is_weighted(leaf) => self.add_copies(leaf, class, 1),
            Some(times) if self.has_room(leaf, class, times) => {
                self.add_copies(leaf, class, times);
            }
            _ => self.change_weight(leaf, class, |units| units.checked_add(weight.units())),
        }
    }

    fn add_copies(&mut self, leaf: LeafId, class: u32, times: u32) {
        let leaf = leaf.index();
        match self.leaves[leaf] {
            Counts::Nothing => {
                self.leaves[leaf] = Counts::OneClass {
                    class,
                    count: times,
                };
            }
            Counts::OneClass { class: only, count } if only == class => {
                let count = count.saturating_add(times);
                self.leaves[leaf] = Counts::OneClass { class, count };
            }
            Counts::OneClass { class: only, count } => {
                let row = self.take_row();
                self.leaves[leaf] = Counts::Row(row);
                self.add_to_row(row, only, count);
                self.add_to_row(row, class, times);
            }
            Counts::Row(row) => self.add_to_row(row, class, times),
            Counts::Weighted { .. } => unreachable!("the leaf counts copies"),
        }
    }

    /// Overwrites `accumulator` with the prediction of a leaf.
    #[inline]
    fn predict_at(&self, leaf: Subtree, context: LabelContext<'_, Self>, accumulator: &mut [f64]) {
        accumulator.fill(0.0);
        match leaf {
            Subtree::Sample(id) => accumulator[context.samples.target(id) as usize] = 1.0,
            Subtree::Leaf(leaf) => self.vote(leaf, *context.settings, accumulator),
            Subtree::Inner(_) => unreachable!("a path ends in a leaf"),
        }
    }

    /// Puts the vote of a leaf into `accumulator`, which is all 0.
    fn vote(&self, leaf: LeafId, vote: Vote, accumulator: &mut [f64]) {
        if self.is_weighted(leaf) {
            self.add_weighted_frequencies(leaf, accumulator);
        } else {
            let total: u64 = self.counts(leaf).map(|(_, count)| u64::from(count)).sum();
            for (class, count) in self.counts(leaf) {
                accumulator[class] = f64::from(count) / total as f64;
            }
        }
        vote.cast(accumulator);
    }

    /// Returns the classes of a leaf, each with its count.
    fn counts(&self, leaf: LeafId) -> impl Iterator<Item = (usize, u32)> {
        let (one, row) = match self.leaves[leaf.index()] {
            Counts::Nothing => (None, &[][..]),
            Counts::OneClass { class, count } => (Some((class as usize, count)), &[][..]),
            Counts::Row(row) => (None, self.row(row)),
            Counts::Weighted { .. } => unreachable!("the leaf counts copies"),
        };
        let all = one.into_iter().chain(row.iter().copied().enumerate());
        all.filter(|(_, count)| *count > 0)
    }
}

impl LabelModel for ClassFrequencies {
    type Task = Classification;
    type Settings = Vote;

    fn leaf_made(
        &mut self,
        leaf: LeafId,
        samples: impl Iterator<Item = SampleId>,
        context: LabelContext<'_, Self>,
    ) {
        if leaf.index() == self.leaves.len() {
            self.leaves.push(Counts::Nothing);
        }
        let samples = samples.map(weighted_samples(context.samples));
        samples.for_each(|(class, weight)| self.add(leaf, class, weight));
    }

    fn joined(
        &mut self,
        _: impl DoubleEndedIterator<Item = Step>,
        end: Joined,
        id: SampleId,
        context: LabelContext<'_, Self>,
    ) {
        if let Joined::Leaf(leaf) = end {
            let (class, weight) = weighted_samples(context.samples)(id);
            self.add(leaf, class, weight);
        }
    }

    fn leaf_removed(&mut self, leaf: LeafId) {
        let counts = std::mem::replace(&mut self.leaves[leaf.index()], Counts::Nothing);
        match counts {
            Counts::Nothing | Counts::OneClass { .. } => {}
            Counts::Row(row) => self.free_row(row),
            Counts::Weighted { high, low } => {
                self.free_row(high);
                self.free_row(low);
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
        self.predict_at(path.leaf(), context, accumulator);
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

    /// Returns whether each row belongs to one leaf or is free, and free rows hold zeros.
    fn is_shaped(
        &self,
        mut leaves: impl Iterator<Item = LeafId>,
        _: impl Iterator<Item = NodeId>,
    ) -> bool {
        let of_leaf = |counts: &Counts| match *counts {
            Counts::Row(row) => [Some(row), None],
            Counts::Weighted { high, low } => [Some(high), Some(low)],
            Counts::Nothing | Counts::OneClass { .. } => [None, None],
        };
        let used = self.leaves.iter().flat_map(of_leaf).flatten();
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
        fresh.leaf_made(LeafId::FIRST, ids.into_iter(), context);
        self.units(leaf).eq(fresh.units(LeafId::FIRST))
    }

    fn is_possible(&self, place: Subtree, classes: &ClassSpace) -> bool {
        let Subtree::Leaf(leaf) = place else {
            return true;
        };
        let known = |(class, _): (usize, u64)| class < classes.known() as usize;
        self.units(leaf).next().is_some() && self.units(leaf).all(known)
    }

    fn forgetting<D: CutDistribution>() -> Option<Forgetting<TessellationTree<D, Self>>> {
        Some(Forgetting::by_trees())
    }

    fn predict_in(
        &self,
        _: &[Step],
        leaf: Place,
        context: LabelContext<'_, Self>,
        accumulator: &mut [f64],
    ) {
        self.predict_at(leaf.subtree, context, accumulator);
    }

    fn add_labels(&self, leaf: LeafId, sum: &mut ClassLabels) {
        let (counts, copy) = (self.units(leaf), SampleWeight::ONE.units());
        // Explanations count in whole numbers.
        counts.for_each(|(class, units)| sum.add(class as u32, units.div_ceil(copy)));
    }

    fn as_weighted_mut<D: CutDistribution>(
        forest: &mut Forest<TessellationTree<D, Self>>,
    ) -> Option<&mut dyn LearnWeighted<Task = Classification>> {
        Some(forest)
    }
}

impl ForgetLabels for ClassFrequencies {
    fn leaf_left(
        &mut self,
        leaf: LeafId,
        left: SampleId,
        _: impl Iterator<Item = SampleId>,
        context: LabelContext<'_, Self>,
    ) {
        let (class, weight) = weighted_samples(context.samples)(left);
        self.remove(leaf, class, weight);
    }
}

impl Supports<Weights> for ClassFrequencies {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_beyond_32_bits_keep_the_frequencies() {
        let (leaf, most) = (LeafId::FIRST, u32::MAX);
        let of_one = Counts::OneClass {
            class: 1,
            count: most,
        };
        let mut model = ClassFrequencies::default();
        model.leaves.push(of_one);
        model.add(leaf, 1, SampleWeight::ONE);
        assert_eq!(model.leaves[0], of_one);
        model.add(leaf, 0, SampleWeight::ONE);
        model.add(leaf, 1, SampleWeight::ONE);
        let counts: Vec<_> = model.counts(leaf).collect();
        assert_eq!(counts, [(0, 1), (1, most / 2 + 2)]);
    }
}

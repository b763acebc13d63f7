//! The empirical model of classification: a leaf predicts its class frequencies.

use crate::{
    CutDistribution, Joined, LabelContext, LabelModel, LeafId, NodeId, Path, Place, Step, Subtree,
    Walks,
};
use forest_core::registry::{ClassLabels, Labels};
use forest_core::{Arena, ClassSpace, Classification, SampleId, Vote, accumulate};
use serde::{Deserialize, Serialize};

use super::weighted_samples;

/// Class frequencies of leaves (Fan et al. 2020).
///
/// Most leaves hold one class, which takes 16 bytes; a leaf with several has a row of weights, as
/// wide as the classes seen by this tree, and rows are used again when their leaf is removed. Sums of weights are exact below
/// 2²³, and of whole weights below 2⁵³: what was added is taken out again without a trace.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClassFrequencies {
    leaves: Arena<Counts>,
    rows: Arena<f64>,
    row_width: u32,
    free_rows: Arena<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
enum Counts {
    Nothing,
    OneClass { class: u32, weight: f64 },
    Row(u32),
}

impl ClassFrequencies {
    /// Returns where the weights of `row` are.
    fn cells(&self, row: u32) -> std::ops::Range<usize> {
        let (row, width) = (row as usize, self.row_width as usize);
        row * width..(row + 1) * width
    }

    /// Returns the number of rows, used and free.
    fn row_count(&self) -> usize {
        let width = self.row_width as usize;
        self.rows.len().checked_div(width).unwrap_or(0)
    }

    fn add_to_row(&mut self, row: u32, class: u32, weight: f64) {
        if class >= self.row_width {
            self.widen((class + 1).next_power_of_two());
        }
        let cells = self.cells(row);
        self.rows[cells][class as usize] += weight;
    }

    fn widen(&mut self, width: u32) {
        let rows = self.row_count();
        let mut wider = vec![0.0; rows * width as usize];
        for row in 0..rows {
            let old = &self.rows[self.cells(row as u32)];
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
        self.rows.resize(cells, 0.0);
        u32::try_from(row).expect("a tree has fewer rows than leaves")
    }

    fn add(&mut self, leaf: LeafId, class: u32, weight: f64) {
        let leaf = leaf.index();
        match self.leaves[leaf] {
            Counts::Nothing => self.leaves[leaf] = Counts::OneClass { class, weight },
            Counts::OneClass {
                class: only,
                weight: held,
            } if only == class => {
                let weight = held + weight;
                self.leaves[leaf] = Counts::OneClass { class, weight };
            }
            Counts::OneClass {
                class: only,
                weight: held,
            } => {
                let row = self.take_row();
                self.leaves[leaf] = Counts::Row(row);
                self.add_to_row(row, only, held);
                self.add_to_row(row, class, weight);
            }
            Counts::Row(row) => self.add_to_row(row, class, weight),
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
        let total: f64 = self.weights(leaf).map(|(_, weight)| weight).sum();
        for (class, weight) in self.weights(leaf) {
            accumulator[class] = weight / total;
        }
        vote.cast(accumulator);
    }

    /// Returns the classes of a leaf, each with its weight.
    fn weights(&self, leaf: LeafId) -> impl Iterator<Item = (usize, f64)> {
        let (one, row) = match self.leaves[leaf.index()] {
            Counts::Nothing => (None, &[][..]),
            Counts::OneClass { class, weight } => (Some((class as usize, weight)), &[][..]),
            Counts::Row(row) => (None, &self.rows[self.cells(row)]),
        };
        let all = one.into_iter().chain(row.iter().copied().enumerate());
        all.filter(|(_, weight)| *weight > 0.0)
    }
}

impl LabelModel for ClassFrequencies {
    const TAKES_WEIGHTS: bool = true;

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

    fn removed(&mut self, place: Subtree) {
        let Subtree::Leaf(leaf) = place else {
            return;
        };
        let counts = std::mem::replace(&mut self.leaves[leaf.index()], Counts::Nothing);
        if let Counts::Row(row) = counts {
            let cells = self.cells(row);
            self.rows[cells].fill(0.0);
            self.free_rows.push(row);
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

    /// Returns whether each row belongs to one leaf or is free and all 0, and no class is unknown.
    fn is_shaped(
        &self,
        mut leaves: impl Iterator<Item = LeafId> + Clone,
        _: impl Iterator<Item = NodeId> + Clone,
        _: usize,
        classes: &ClassSpace,
    ) -> bool {
        let mut rows: Vec<u32> = self.free_rows.to_vec();
        for counts in self.leaves.iter() {
            match *counts {
                Counts::Nothing => {}
                Counts::OneClass { class, .. } if class < classes.known() => {}
                Counts::OneClass { .. } => return false,
                Counts::Row(row) => rows.push(row),
            }
        }
        rows.sort_unstable();
        let each_once = rows.iter().map(|&row| row as usize).eq(0..self.row_count());
        let fits = self.rows.len() == self.row_count() * self.row_width as usize
            && self.row_width <= classes.known().max(2).next_power_of_two();
        // Rows are as wide as a power of two; what is beyond the classes known is never read.
        let has = |row: u32, from: usize| {
            self.rows[self.cells(row)]
                .iter()
                .skip(from)
                .any(|w| *w != 0.0)
        };
        leaves.all(|leaf| leaf.index() < self.leaves.len())
            && fits
            && each_once
            && !rows.iter().any(|&row| has(row, classes.known() as usize))
            && !self.free_rows.iter().any(|&row| has(row, 0))
    }

    const FORGETS: bool = true;

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
        for (class, weight) in self.weights(leaf) {
            // Explanations count in whole numbers.
            sum.add(class as u32, weight.ceil() as u64);
        }
    }

    fn leaf_left(
        &mut self,
        leaf: LeafId,
        left: SampleId,
        _: impl Iterator<Item = SampleId>,
        context: LabelContext<'_, Self>,
    ) {
        let (class, weight) = weighted_samples(context.samples)(left);
        self.add(leaf, class, -weight);
    }
}

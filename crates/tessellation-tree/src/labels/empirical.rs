//! The empirical models: a leaf predicts its class frequencies, or the mean of its targets (Fan et al. 2020).

use forest_core::{
    Arena, ClassSpace, Classification, LabelSummary, Regression, SampleId, Vote, accumulate,
};
use serde::{Deserialize, Serialize};

use super::{Classes, Numbers, set};
use crate::{CutDistribution, Joined, LabelModel, LeafId, Path, Step, Subtree, Walks};

/// Class frequencies of leaves.
///
/// A leaf with one class takes 16 bytes, one with several a row of weights, as wide as the classes seen by this tree.
/// Sums of weights are exact below 2²³, and of whole weights below 2⁵³: what was added is taken out without a trace.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClassFrequencies {
    leaves: Arena<Frequencies>,
    rows: Arena<f64>,
    row_width: u32,
    free_rows: Arena<u32>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
enum Frequencies {
    #[default]
    Nothing,
    OneClass(u32, f64),
    Row(u32),
}

impl ClassFrequencies {
    /// Returns where the weights of `row` are.
    fn cells(&self, row: u32) -> std::ops::Range<usize> {
        let width = self.row_width as usize;
        let start = row as usize * width;
        start..start + width
    }

    /// Returns the number of rows, used and free.
    fn row_count(&self) -> usize {
        let cells = self.rows.len();
        cells.checked_div(self.row_width as usize).unwrap_or(0)
    }

    fn add_to_row(&mut self, row: u32, class: u32, weight: f64) {
        if class >= self.row_width {
            let width = (class + 1).next_power_of_two();
            let mut wider = Arena::default();
            for row in 0..self.row_count() {
                wider.extend_from_slice(&self.rows[self.cells(row as u32)]);
                wider.resize((row + 1) * width as usize, 0.0);
            }
            self.rows = wider;
            self.row_width = width;
        }
        let cells = self.cells(row);
        self.rows[cells][class as usize] += weight;
    }

    fn add(&mut self, leaf: LeafId, class: u32, weight: f64) {
        let leaf = leaf.index();
        match self.leaves[leaf] {
            Frequencies::Nothing => self.leaves[leaf] = Frequencies::OneClass(class, weight),
            Frequencies::OneClass(only, held) if only == class => {
                self.leaves[leaf] = Frequencies::OneClass(class, held + weight);
            }
            Frequencies::OneClass(only, held) => {
                let row = self.free_rows.pop().unwrap_or_else(|| {
                    self.row_width = self.row_width.max(2);
                    let row = self.row_count();
                    self.rows.resize((row + 1) * self.row_width as usize, 0.0);
                    row as u32
                });
                self.leaves[leaf] = Frequencies::Row(row);
                self.add_to_row(row, only, held);
                self.add_to_row(row, class, weight);
            }
            Frequencies::Row(row) => self.add_to_row(row, class, weight),
        }
    }

    /// Puts the vote of a leaf into `accumulator`.
    fn vote(&self, leaf: LeafId, vote: Vote, accumulator: &mut [f64]) {
        accumulator.fill(0.0);
        let total: f64 = self.weights(leaf).map(|(_, weight)| weight).sum();
        for (class, weight) in self.weights(leaf) {
            // A crafted file may have weights of classes beyond those known.
            if let Some(cell) = accumulator.get_mut(class) {
                *cell = weight / total;
            }
        }
        vote.cast(accumulator);
    }

    /// Returns the classes of a leaf, each with its weight.
    fn weights(&self, leaf: LeafId) -> impl Iterator<Item = (usize, f64)> {
        let (one, row) = match self.leaves[leaf.index()] {
            Frequencies::Nothing => (None, &[][..]),
            Frequencies::OneClass(class, weight) => (Some((class as usize, weight)), &[][..]),
            Frequencies::Row(row) => (None, &self.rows[self.cells(row)]),
        };
        let all = one.into_iter().chain(row.iter().copied().enumerate());
        all.filter(|(_, weight)| *weight > 0.0)
    }
}

impl LabelModel for ClassFrequencies {
    const TAKES_WEIGHTS: bool = true;

    type Task = Classification;

    fn leaf_made(&mut self, leaf: LeafId, samples: &[SampleId], context: Classes<'_>) {
        set(&mut self.leaves, leaf.index(), Frequencies::Nothing);
        for &id in samples {
            let weight = context.samples.weight(id).value();
            self.add(leaf, context.samples.target(id), weight);
        }
    }

    fn removed(&mut self, place: Subtree) {
        if let Subtree::Leaf(leaf) = place
            && let Frequencies::Row(row) = std::mem::take(&mut self.leaves[leaf.index()])
        {
            let cells = self.cells(row);
            self.rows[cells].fill(0.0);
            self.free_rows.push(row);
        }
    }

    fn joined(&mut self, _: &[Step], end: Joined, id: SampleId, context: Classes<'_>) {
        if let Joined::Leaf(leaf) = end {
            let weight = context.samples.weight(id).value();
            self.add(leaf, context.samples.target(id), weight);
        }
    }

    fn leaf_left(&mut self, leaf: LeafId, left: SampleId, context: Classes<'_>) -> bool {
        let weight = context.samples.weight(left).value();
        self.add(leaf, context.samples.target(left), -weight);
        true
    }

    fn predict(&self, path: &Path<'_>, context: Classes<'_>, accumulator: &mut [f64]) {
        match path.leaf {
            Subtree::Sample(id) => {
                accumulator.fill(0.0);
                accumulator[context.samples.target(id) as usize] = 1.0;
            }
            Subtree::Leaf(leaf) => self.vote(leaf, context.settings.vote, accumulator),
            Subtree::Inner(_) => unreachable!("a path ends in a leaf"),
        }
    }

    fn add_votes<D: CutDistribution>(
        &self,
        walks: &Walks<'_, D>,
        context: Classes<'_>,
        accumulator: &mut [f64],
        sums: &mut [f64],
    ) {
        let width = accumulator.len();
        walks.leaves(|row, leaf| match leaf {
            Subtree::Sample(id) => sums[row * width + context.samples.target(id) as usize] += 1.0,
            Subtree::Leaf(leaf) => {
                self.vote(leaf, context.settings.vote, accumulator);
                accumulate(&mut sums[row * width..][..width], accumulator);
            }
            Subtree::Inner(_) => unreachable!("a walk ends in a leaf"),
        });
    }

    fn add_labels(&self, leaf: LeafId, sum: &mut LabelSummary) {
        for (class, weight) in self.weights(leaf) {
            // Explanations count in whole numbers.
            sum.add_class(class as u32, weight.ceil() as u64);
        }
    }

    fn bytes(&self) -> usize {
        self.leaves.bytes() + self.rows.bytes() + self.free_rows.bytes()
    }

    fn room(&self, _: usize, classes: &ClassSpace) -> Option<[usize; 2]> {
        let rows = self.row_count();
        let fits = self.rows.len() == rows * self.row_width as usize
            && self.row_width <= classes.known().max(2).next_power_of_two()
            && self.free_rows.iter().all(|&row| (row as usize) < rows)
            && self.leaves.iter().all(|frequencies| match *frequencies {
                Frequencies::Nothing => true,
                Frequencies::OneClass(class, _) => class < classes.known(),
                Frequencies::Row(row) => (row as usize) < rows,
            });
        fits.then_some([self.leaves.len(), usize::MAX])
    }
}

/// The mean of some targets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Mean {
    pub(super) mean: f64,
    /// The sum of their weights.
    pub(super) weight: f64,
}

impl Mean {
    #[inline]
    pub(super) fn add(&mut self, target: f64, weight: f64) {
        self.weight += weight;
        // In this order: a weight of 1 leaves the difference as it is.
        self.mean += (target - self.mean) * weight / self.weight;
    }
}

/// Means of leaves.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LeafMeans {
    leaves: Arena<Mean>,
}

impl LeafMeans {
    #[inline]
    fn mean(&self, leaf: Subtree, context: Numbers<'_>) -> f64 {
        match leaf {
            Subtree::Sample(id) => context.samples.target(id),
            Subtree::Leaf(leaf) => self.leaves[leaf.index()].mean,
            Subtree::Inner(_) => unreachable!("a path ends in a leaf"),
        }
    }
}

impl LabelModel for LeafMeans {
    const TAKES_WEIGHTS: bool = true;

    type Task = Regression;

    fn leaf_made(&mut self, leaf: LeafId, samples: &[SampleId], context: Numbers<'_>) {
        let mut mean = Mean::default();
        for &id in samples {
            let weight = context.samples.weight(id).value();
            mean.add(context.samples.target(id), weight);
        }
        set(&mut self.leaves, leaf.index(), mean);
    }

    fn joined(&mut self, _: &[Step], end: Joined, id: SampleId, context: Numbers<'_>) {
        if let Joined::Leaf(leaf) = end {
            let weight = context.samples.weight(id).value();
            self.leaves[leaf.index()].add(context.samples.target(id), weight);
        }
    }

    fn predict(&self, path: &Path<'_>, context: Numbers<'_>, accumulator: &mut [f64]) {
        accumulator[0] = self.mean(path.leaf, context);
    }

    fn add_votes<D: CutDistribution>(
        &self,
        walks: &Walks<'_, D>,
        context: Numbers<'_>,
        _: &mut [f64],
        sums: &mut [f64],
    ) {
        walks.leaves(|row, leaf| sums[row] += self.mean(leaf, context));
    }

    fn add_labels(&self, leaf: LeafId, sum: &mut LabelSummary) {
        let own = &self.leaves[leaf.index()];
        // Explanations count in whole numbers.
        sum.add_number(own.mean, own.weight.ceil() as u64);
    }

    fn bytes(&self) -> usize {
        self.leaves.bytes()
    }

    fn room(&self, _: usize, (): &()) -> Option<[usize; 2]> {
        Some([self.leaves.len(), usize::MAX])
    }
}

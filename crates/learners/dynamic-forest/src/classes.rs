//! Classes: counts, and the Gini index of what a cut leaves together.

use forest_core::{Arena, Classification};
use serde::{Deserialize, Serialize};

use crate::labels::{CodeUnit, Coded, MixedLeaves, Sides, Sums, Tally, lost_digits, total};
use crate::samples::{Samples, Scratch, Scratches};
use crate::settings::Choice;

impl Sums for Classification {
    type Code = u32;
    type Unit = NoUnit;
    type Tally = ClassTally;
    type Sides = ClassSides;
    type Mixed = ClassLeaves;

    /// √d, rounded down.
    fn candidates(width: usize) -> usize {
        width.isqrt()
    }

    #[inline]
    fn add_vote(class: u32, _: &NoUnit, sum: &mut [f64]) {
        sum[class as usize] += 1.0;
    }

    fn scratch(all: &mut Scratches) -> &mut Scratch<Self> {
        &mut all.0
    }
}

/// Classes are integers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct NoUnit;

impl CodeUnit<Classification> for NoUnit {
    #[inline]
    fn code(&self, class: u32) -> u32 {
        class
    }
}

/// What is on one side of a cut: samples or their weights, and the sum of the squares of those of each class.
#[derive(Clone, Copy, Default)]
struct Side {
    count: u32,
    squares: u64,
}

impl Side {
    fn new(count: u32, squares: u64) -> Self {
        Self { count, squares }
    }

    /// Adds the samples of a class.
    #[inline]
    fn add(&mut self, count: u64) {
        self.count = self.count.wrapping_add(count as u32);
        self.squares = self.squares.wrapping_add(count.wrapping_mul(count));
    }

    /// A side whose weight has lost all its digits gains nothing.
    #[inline]
    fn gain(self) -> f64 {
        self.squares as f64 / f64::from(self.count.max(1))
    }
}

/// Returns both sides of a cut of classes that count so often on the left and in all, without their last digits.
#[inline]
fn sides(classes: impl Iterator<Item = (u64, u64)>, lost: u32) -> [Side; 2] {
    let (mut left, mut right) = (Side::default(), Side::default());
    for (of_left, of_all) in classes {
        left.add(of_left >> lost);
        right.add(of_all.wrapping_sub(of_left) >> lost);
    }
    [left, right]
}

/// Returns how good a cut is: the sums of the squares of the class counts of a side, over its samples, added up for both sides. The
/// larger it is the smaller is the Gini impurity that is left.
///
/// A fixed expression of integers: the same samples give the same bits, in whatever order they came.
#[inline]
fn gain([left, right]: [Side; 2]) -> f64 {
    left.gain() + right.gain()
}

/// Counts of the classes of a node's samples, and of those left of a candidate.
#[derive(Debug, Default)]
pub(crate) struct ClassTally {
    /// For each class its number among the classes of the node, plus 1; all 0 between nodes.
    numbers: Vec<u32>,
    /// The class of each sample, as a number among the classes of the node.
    classes: Vec<u32>,
    /// How often each class of the node counts, and those of its samples that are left.
    totals: Vec<u64>,
    lefts: Vec<u64>,
    /// See [`lost_digits`].
    lost: u32,
    /// How many samples each side of a cut has at least.
    side: u32,
}

impl ClassTally {
    /// Returns the number of a class in this node.
    #[inline]
    fn number(&mut self, class: u32) -> u32 {
        let class = class as usize;
        if class >= self.numbers.len() {
            self.numbers.resize(class + 1, 0);
        }
        let number = &mut self.numbers[class];
        if *number == 0 {
            self.totals.push(0);
            *number = self.totals.len() as u32;
        }
        *number - 1
    }

    /// Counts what is left of a threshold; returns the number of samples if they weigh something else.
    #[inline]
    fn count_left(&mut self, column: &[f32], threshold: f32, weights: &[u64]) -> Option<u32> {
        self.lefts.clear();
        self.lefts.resize(self.totals.len(), 0);
        let values = column.iter().zip(&self.classes);
        if !weights.is_empty() {
            let mut count = 0;
            for ((&value, &class), &units) in values.zip(weights) {
                let is_left = value <= threshold;
                count += u32::from(is_left);
                self.lefts[class as usize] += units * u64::from(is_left);
            }
            return Some(count);
        }
        if let [first, second] = &mut self.lefts[..] {
            // Of two classes, without a step that waits for another.
            let (mut all, mut of_second) = (0, 0);
            for (&value, &class) in values {
                let is_left = u32::from(value <= threshold);
                all += is_left;
                of_second += is_left & class;
            }
            (*first, *second) = ((all - of_second).into(), of_second.into());
        } else {
            for (&value, &class) in values {
                self.lefts[class as usize] += u64::from(value <= threshold);
            }
        }
        None
    }
}

impl Tally<u32> for ClassTally {
    fn begin(&mut self, samples: Samples<'_, u32>, side: u32) {
        self.side = side;
        self.classes.clear();
        self.totals.clear();
        let mut all = 0u64;
        for (index, &class) in samples.codes.iter().enumerate() {
            let (number, units) = (self.number(class), samples.units(index));
            self.totals[number as usize] += units;
            all = all.wrapping_add(units);
            self.classes.push(number);
        }
        self.lost = lost_digits(all);
    }

    fn gain(&mut self, column: &[f32], threshold: f32, samples: Samples<'_, u32>) -> f64 {
        let count = self.count_left(column, threshold, samples.weights);
        let classes = self.lefts.iter().zip(&self.totals);
        let both = sides(classes.map(|(&left, &all)| (left, all)), self.lost);
        let (count, all) = (count.unwrap_or(both[0].count), samples.len() as u32);
        if !Choice::allows(self.side, count, all) {
            return f64::NEG_INFINITY;
        }
        gain(both)
    }

    /// Both sides are pure: Σ c² / n = n. Of weights it is not known: rounding may put one pure cut above another.
    fn largest_gain(samples: Samples<'_, u32>) -> f64 {
        match samples.weights {
            [] => samples.len() as f64,
            _ => f64::INFINITY,
        }
    }

    fn end(&mut self, classes: &[u32]) {
        for &class in classes {
            self.numbers[class as usize] = 0;
        }
    }
}

/// Rows of class counts: that of all samples, then those of the samples left of each candidate.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct ClassSides {
    count: u32,
    candidates: Box<[Left]>,
    /// Class by class, a count for all samples and one for each candidate.
    counts: Arena<u32>,
    /// The weights of the same samples, where they have any.
    weights: Option<Arena<u64>>,
}

/// The samples left of a candidate, and the sums of the squares of the counts of classes on both sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Left {
    count: u32,
    squares: u64,
    right_squares: u64,
}

impl ClassSides {
    /// The length of a row.
    fn width(&self) -> usize {
        1 + self.candidates.len()
    }

    /// Makes room for `class`; returns where its counts start.
    fn row(&mut self, class: u32) -> usize {
        let start = class as usize * self.width();
        if start >= self.counts.len() {
            let length = start + self.width();
            self.counts.resize(length, 0);
            if let Some(weights) = &mut self.weights {
                weights.resize(length, 0);
            }
        }
        start
    }

    /// A class beyond the last that has samples has no row: equal samples have equal counts.
    fn drop_last_classes(&mut self) {
        let (width, mut length) = (self.width(), self.counts.len());
        while length > 0 && self.counts[length - width] == 0 {
            length -= width;
        }
        self.counts.truncate(length);
        if let Some(weights) = &mut self.weights {
            weights.truncate(length);
        }
    }
}

/// Returns rows of `width` cells without those from `kept` on.
fn narrow<V: Copy>(cells: &Arena<V>, width: usize, kept: usize) -> Arena<V> {
    let rows = cells.chunks_exact(width);
    rows.flat_map(|row| &row[..kept]).copied().collect()
}

impl Sides<u32> for ClassSides {
    fn new(samples: Samples<'_, u32>, candidates: usize) -> Self {
        let mut sides = Self {
            count: 0,
            candidates: vec![Left::default(); candidates].into(),
            counts: Arena::default(),
            weights: (!samples.weights.is_empty()).then(Arena::default),
        };
        for sample in samples.coded() {
            sides.change(sample, 1, |_| false);
        }
        sides
    }

    fn found(&mut self, candidates: usize) {
        let width = self.width();
        if 1 + candidates < width {
            self.counts = narrow(&self.counts, width, 1 + candidates);
            let weights = self.weights.as_ref();
            self.weights = weights.map(|cells| narrow(cells, width, 1 + candidates));
            self.candidates = self.candidates[..candidates].into();
        }
    }

    #[inline]
    fn change(&mut self, sample: Coded<u32>, step: i32, is_left: impl Fn(usize) -> bool) {
        let square = |count: u32| u64::from(count).wrapping_mul(u64::from(count));
        let start = self.row(sample.code);
        let row = &mut self.counts[start..=start + self.candidates.len()];
        let (total, lefts) = row.split_first_mut().expect("a row for the class");
        let all = total.wrapping_add_signed(step);
        for (candidate, (sums, left)) in self.candidates.iter_mut().zip(lefts).enumerate() {
            let (squares, before, now);
            if is_left(candidate) {
                (squares, before, now) = (&mut sums.squares, *left, left.wrapping_add_signed(step));
                sums.count = sums.count.wrapping_add_signed(step);
                *left = now;
            } else {
                squares = &mut sums.right_squares;
                (before, now) = (total.wrapping_sub(*left), all.wrapping_sub(*left));
            }
            let change = square(now).wrapping_sub(square(before));
            *squares = squares.wrapping_add(change);
        }
        *total = all;
        self.count = self.count.wrapping_add_signed(step);
        if let Some(weights) = &mut self.weights {
            let units = sample.units.wrapping_mul(i64::from(step) as u64);
            let row = &mut weights[start..=start + self.candidates.len()];
            for (place, weight) in row.iter_mut().enumerate() {
                if place == 0 || is_left(place - 1) {
                    *weight = weight.wrapping_add(units);
                }
            }
        }
        if step < 0 {
            self.drop_last_classes();
        }
    }

    fn recount(&mut self, candidate: usize, column: &[f32], level: f32, samples: Samples<'_, u32>) {
        let (width, place) = (self.width(), 1 + candidate);
        for row in self.counts.chunks_exact_mut(width) {
            row[place] = 0;
        }
        if let Some(weights) = &mut self.weights {
            weights
                .chunks_exact_mut(width)
                .for_each(|row| row[place] = 0);
        }
        let mut sums = Left::default();
        for (index, &class) in samples.codes.iter().enumerate() {
            if column[index] <= level {
                let cell = self.row(class) + place;
                self.counts[cell] += 1;
                sums.count += 1;
                if let Some(weights) = &mut self.weights {
                    weights[cell] = weights[cell].wrapping_add(samples.units(index));
                }
            }
        }
        let rows = self.counts.chunks_exact(width);
        let classes = rows.map(|row| (row[place].into(), row[0].into()));
        [sums.squares, sums.right_squares] = sides(classes, 0).map(|side| side.squares);
        self.candidates[candidate] = sums;
    }

    #[inline]
    fn gain(&self, candidate: usize, side: u32) -> f64 {
        let sums = self.candidates[candidate];
        if !Choice::allows(side, sums.count, self.count) {
            return f64::NEG_INFINITY;
        }
        let Some(weights) = &self.weights else {
            let left = Side::new(sums.count, sums.squares);
            return gain([
                left,
                Side::new(self.count.wrapping_sub(sums.count), sums.right_squares),
            ]);
        };
        let rows = weights.chunks_exact(self.width());
        let all = total(rows.clone().map(|row| row[0]));
        let classes = rows.map(|row| (row[1 + candidate], row[0]));
        gain(sides(classes, lost_digits(all)))
    }

    fn count(&self) -> u32 {
        self.count
    }

    fn may_be_pure(&self) -> bool {
        // Of one class all on either side are of it.
        let (sums, square) = (self.candidates[0], |count: u32| u64::from(count).pow(2));
        let right = self.count.wrapping_sub(sums.count);
        let mut totals = self.counts.iter().step_by(self.width());
        sums.squares == square(sums.count)
            && sums.right_squares == square(right)
            && totals.any(|&total| total == self.count)
    }

    fn bytes(&self) -> usize {
        let weights = self.weights.as_ref().map_or(0, Arena::bytes);
        self.counts.bytes() + weights + self.candidates.len() * size_of::<Left>()
    }

    fn is_shaped(&self, candidates: usize) -> bool {
        let length = self.counts.len();
        let weights = self.weights.as_ref().map_or(length, |it| it.len());
        self.candidates.len() == candidates
            && length.is_multiple_of(self.width())
            && length == weights
    }
}

/// Class counts of leaves whose samples differ in their class, and of inner nodes that keep them: a list of cells for each, one for each of its classes.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct ClassLeaves {
    cells: Arena<Cell>,
    /// What the samples of each cell weigh, where they have weights.
    weights: Option<Arena<u64>>,
    /// The first cell that is in no leaf, plus 1; the others follow it.
    free: u32,
}

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Cell {
    class: u32,
    count: u32,
    /// The next cell of the list, plus 1; 0 at its end.
    next: u32,
}

impl ClassLeaves {
    fn allocate(&mut self, class: u32, next: u32) -> u32 {
        let (cell, index) = (
            Cell {
                class,
                count: 0,
                next,
            },
            self.free.wrapping_sub(1),
        );
        match self.cells.get_mut(index as usize) {
            Some(freed) => self.free = std::mem::replace(freed, cell).next,
            None => {
                self.cells.push(cell);
                self.weights.iter_mut().for_each(|weights| weights.push(0));
                return self.cells.len() as u32 - 1;
            }
        }
        if let Some(weights) = &mut self.weights {
            weights[index as usize] = 0;
        }
        index
    }

    /// Returns the cells of a leaf.
    #[inline]
    fn list(&self, leaf: u32) -> impl Iterator<Item = usize> {
        let next = |&index: &usize| Some(self.cells[index].next.checked_sub(1)? as usize);
        std::iter::successors(Some(leaf as usize), next)
    }

    /// Returns how often the samples of a cell count.
    #[inline]
    fn amount(&self, cell: usize) -> u64 {
        match &self.weights {
            None => self.cells[cell].count.into(),
            Some(weights) => weights[cell],
        }
    }

    fn find(&self, leaf: u32, class: u32) -> Option<usize> {
        self.list(leaf)
            .find(|&cell| self.cells[cell].class == class)
    }
}

impl MixedLeaves<Classification> for ClassLeaves {
    fn weigh(&mut self) {
        self.weights = Some(Arena::default());
    }

    fn insert(&mut self, samples: Samples<'_, u32>) -> u32 {
        let leaf = self.allocate(samples.codes[0], 0);
        for sample in samples.coded() {
            self.change(leaf, sample, 1);
        }
        leaf
    }

    /// The cell of a class without samples stays until the leaf is released.
    fn change(&mut self, leaf: u32, sample: Coded<u32>, step: i32) {
        let cell = self.find(leaf, sample.code).unwrap_or_else(|| {
            let cell = self.allocate(sample.code, self.cells[leaf as usize].next);
            self.cells[leaf as usize].next = cell + 1;
            cell as usize
        });
        let count = &mut self.cells[cell].count;
        *count = count.wrapping_add_signed(step);
        if let Some(weights) = &mut self.weights {
            let units = sample.units.wrapping_mul(i64::from(step) as u64);
            weights[cell] = weights[cell].wrapping_add(units);
        }
    }

    fn release(&mut self, leaf: u32) {
        let mut next = leaf + 1;
        while let Some(index) = next.checked_sub(1) {
            next = std::mem::replace(&mut self.cells[index as usize].next, self.free);
            self.free = index + 1;
        }
    }

    fn vote(&self, leaf: u32, without: Option<Coded<u32>>, _: &NoUnit, prediction: &mut [f64]) {
        let (code, units) = without.map_or((u32::MAX, 0), |own| (own.code, own.units));
        let all = total(self.list(leaf).map(|cell| self.amount(cell)));
        let all = all.wrapping_sub(units) as f64;
        prediction.fill(0.0);
        for cell in self.list(leaf) {
            let class = self.cells[cell].class;
            let gone = if class == code { units } else { 0 };
            prediction[class as usize] = self.amount(cell).wrapping_sub(gone) as f64 / all;
        }
    }

    fn rarity(&self, leaf: u32, sample: Coded<u32>) -> f64 {
        let (mut classes, mut own, mut all) = (0, sample.units, sample.units);
        for cell in self.list(leaf) {
            let amount = self.amount(cell);
            all = all.wrapping_add(amount);
            if self.cells[cell].class == sample.code {
                own = own.wrapping_add(amount);
            } else {
                classes += u32::from(amount > 0);
            }
        }
        all as f64 / (f64::from(classes + 1) * own as f64)
    }

    fn bytes(&self) -> usize {
        self.cells.bytes() + self.weights.as_ref().map_or(0, Arena::bytes)
    }

    fn is_shaped(&self, leaves: &[u32], width: usize) -> bool {
        let mut seen = vec![false; self.cells.len()];
        let lists = leaves.iter().map(|leaf| leaf.saturating_add(1));
        for mut next in lists.chain([self.free]) {
            while let Some(index) = next.checked_sub(1) {
                match self.cells.get(index as usize) {
                    Some(cell) if (cell.class as usize) < width && !seen[index as usize] => {
                        seen[index as usize] = true;
                        next = cell.next;
                    }
                    _ => return false,
                }
            }
        }
        let weights = self.weights.as_ref().map_or(seen.len(), |it| it.len());
        weights == seen.len() && !seen.contains(&false)
    }
}

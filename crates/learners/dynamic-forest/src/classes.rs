//! Classes: counts, and the Gini impurity that a split leaves.

use forest_core::Classification;
use serde::{Deserialize, Serialize};

use crate::labels::{Coded, Group, Labels, Samples, lost_digits};
use crate::nodes::ClassLeaves;
use crate::settings::Rules;
use crate::unit::Unit;

impl Labels for Classification {
    type Code = u32;
    type Tally = ClassTally;
    type Sides = ClassSides;
    type Leaves = ClassLeaves;

    /// √d, rounded down.
    fn candidates(width: usize) -> usize {
        width.isqrt()
    }

    #[inline]
    fn code(class: u32, _: &Unit) -> u32 {
        class
    }

    #[inline]
    fn add_vote(class: u32, _: &Unit, sum: &mut [f64]) {
        sum[class as usize] += 1.0;
    }

    fn begin(tally: &mut ClassTally, samples: Samples<'_, Self>) {
        tally.classes.clear();
        tally.totals.clear();
        for class in tally.known.drain(..) {
            tally.numbers[class as usize] = 0;
        }
        let mut classes = std::mem::take(&mut tally.classes);
        classes.extend(samples.codes.iter().map(|&class| tally.count(class)));
        tally.lost = 0;
        if !samples.weights.is_empty() {
            tally.totals.fill(0);
            let mut all = 0u64;
            for (&number, &units) in classes.iter().zip(samples.weights) {
                tally.totals[number as usize] += units;
                all = all.wrapping_add(units);
            }
            tally.lost = lost_digits(all);
        }
        tally.classes = classes;
    }

    fn gain(tally: &mut ClassTally, column: &[f32], level: f32, group: Group<'_, Self>) -> f64 {
        let count = tally.count_left(column, level, group.samples.weights);
        let classes = tally.lefts.iter().zip(&tally.totals);
        let both = sides(classes.map(|(&left, &all)| (left, all)), tally.lost);
        let count = count.unwrap_or(both[0].count);
        if !Rules::allows(group.rules.min_leaf, count, group.samples.len() as u32) {
            return f64::NEG_INFINITY;
        }
        gain(both)
    }

    /// Both sides are pure: Σ c² / n = n. Unknown for weights, where rounding may put one pure split above another.
    fn largest_gain(samples: Samples<'_, Self>) -> f64 {
        match samples.weights {
            [] => samples.len() as f64,
            _ => f64::INFINITY,
        }
    }

    fn sides(samples: Samples<'_, Self>, candidates: usize) -> ClassSides {
        let width = 1 + candidates;
        let last = samples.codes.iter().max();
        let cells = last.map_or(0, |&last| (1 + last as usize) * width);
        let weights = if samples.weights.is_empty() { 0 } else { cells };
        let mut sides = ClassSides {
            count: 0,
            width: width as u32,
            candidates: vec![Left::default(); candidates].into(),
            counts: vec![0; cells].into(),
            weights: vec![0; weights].into(),
        };
        for sample in samples.coded() {
            Self::change(&mut sides, sample, 1, |_| false);
        }
        sides
    }

    fn narrow(sides: &mut ClassSides, candidates: usize) {
        sides.candidates = sides.candidates[..candidates].into();
    }

    #[inline]
    fn change(sides: &mut ClassSides, own: Coded<Self>, step: i32, left: impl Fn(usize) -> bool) {
        let square = |count: u32| u64::from(count).wrapping_mul(u64::from(count));
        let start = sides.row(own.code);
        let row = &mut sides.counts[start..=start + sides.candidates.len()];
        let (total, cells) = row.split_first_mut().expect("a row for the class");
        let all = total.wrapping_add_signed(step);
        for (candidate, (sums, cell)) in sides.candidates.iter_mut().zip(cells).enumerate() {
            if left(candidate) {
                let now = cell.wrapping_add_signed(step);
                let change = square(now).wrapping_sub(square(*cell));
                sums.squares = sums.squares.wrapping_add(change);
                sums.count = sums.count.wrapping_add_signed(step);
                *cell = now;
            } else {
                let before = total.wrapping_sub(*cell);
                let now = all.wrapping_sub(*cell);
                let change = square(now).wrapping_sub(square(before));
                sums.right_squares = sums.right_squares.wrapping_add(change);
            }
        }
        *total = all;
        sides.count = sides.count.wrapping_add_signed(step);
        if !sides.weights.is_empty() {
            let units = own.units.wrapping_mul(i64::from(step) as u64);
            let row = &mut sides.weights[start..=start + sides.candidates.len()];
            for (place, weight) in row.iter_mut().enumerate() {
                if place == 0 || left(place - 1) {
                    *weight = weight.wrapping_add(units);
                }
            }
        }
        if step < 0 {
            sides.drop_last_classes();
        }
    }

    fn recount(
        sides: &mut ClassSides,
        candidate: usize,
        column: &[f32],
        level: f32,
        samples: Samples<'_, Self>,
    ) {
        let width = sides.width as usize;
        let place = 1 + candidate;
        for cell in (place..sides.counts.len()).step_by(width) {
            sides.counts[cell] = 0;
            if let Some(weight) = sides.weights.get_mut(cell) {
                *weight = 0;
            }
        }
        let mut sums = Left::default();
        for (index, &class) in samples.codes.iter().enumerate() {
            if column[index] <= level {
                let cell = sides.row(class) + place;
                sides.counts[cell] += 1;
                sums.count += 1;
                if let Some(weight) = sides.weights.get_mut(cell) {
                    *weight = weight.wrapping_add(samples.units(index));
                }
            }
        }
        let rows = sides.counts.chunks_exact(width);
        let classes = rows.map(|row| (row[place].into(), row[0].into()));
        [sums.squares, sums.right_squares] = self::sides(classes, 0).map(|side| side.squares);
        sides.candidates[candidate] = sums;
    }

    #[inline]
    fn gain_of(sides: &ClassSides, candidate: usize, min_leaf: u32) -> f64 {
        let sums = sides.candidates[candidate];
        if !Rules::allows(min_leaf, sums.count, sides.count) {
            return f64::NEG_INFINITY;
        }
        if sides.weights.is_empty() {
            let left = Side {
                count: sums.count,
                squares: sums.squares,
            };
            let right = Side {
                count: sides.count.wrapping_sub(sums.count),
                squares: sums.right_squares,
            };
            return gain([left, right]);
        }
        let rows = sides.weights.chunks_exact(sides.width as usize);
        let all = rows.clone().map(|row| row[0]).fold(0, u64::wrapping_add);
        let classes = rows.map(|row| (row[1 + candidate], row[0]));
        gain(self::sides(classes, lost_digits(all)))
    }

    fn count(sides: &ClassSides) -> u32 {
        sides.count
    }

    fn may_be_pure(sides: &ClassSides) -> bool {
        // If there is one class, all samples on either side have it.
        let sums = sides.candidates[0];
        let square = |count: u32| u64::from(count).pow(2);
        let mut totals = sides.counts.iter().step_by(sides.width as usize);
        sums.squares == square(sums.count)
            && sums.right_squares == square(sides.count.wrapping_sub(sums.count))
            && totals.any(|&total| total == sides.count)
    }

    fn sides_bytes(sides: &ClassSides) -> usize {
        size_of_val(&*sides.counts) + size_of_val(&*sides.weights) + size_of_val(&*sides.candidates)
    }

    fn are_sides(sides: &ClassSides, candidates: usize) -> bool {
        sides.candidates.len() == candidates
            && candidates < sides.width as usize
            && sides.counts.len().is_multiple_of(sides.width as usize)
            && [0, sides.counts.len()].contains(&sides.weights.len())
    }

    fn leaf(leaves: &mut ClassLeaves, samples: Samples<'_, Self>) -> u32 {
        let leaf = leaves.allocate(samples.codes[0], 0);
        if !samples.weights.is_empty() {
            leaves.weights.resize(leaves.cells.len(), 0);
        }
        for sample in samples.coded() {
            Self::change_leaf(leaves, leaf, sample, 1);
        }
        leaf
    }

    /// The cell of a class without samples stays until the leaf is released.
    fn change_leaf(leaves: &mut ClassLeaves, leaf: u32, sample: Coded<Self>, step: i32) {
        let is_own = |&cell: &usize| leaves.cells[cell].class == sample.code;
        let cell = leaves.list(leaf).find(is_own);
        let cell = cell.unwrap_or_else(|| {
            let cell = leaves.allocate(sample.code, leaves.cells[leaf as usize].next);
            leaves.cells[leaf as usize].next = cell + 1;
            cell as usize
        });
        let count = &mut leaves.cells[cell].count;
        *count = count.wrapping_add_signed(step);
        if let Some(weight) = leaves.weights.get_mut(cell) {
            *weight = weight.wrapping_add(sample.units.wrapping_mul(i64::from(step) as u64));
        }
    }

    fn release_leaf(leaves: &mut ClassLeaves, leaf: u32) {
        let mut next = leaf + 1;
        while let Some(index) = next.checked_sub(1) {
            next = std::mem::replace(&mut leaves.cells[index as usize].next, leaves.free);
            leaves.free = index + 1;
        }
    }

    fn predict_leaf(
        leaves: &ClassLeaves,
        leaf: u32,
        without: Option<Coded<Self>>,
        _: &Unit,
        prediction: &mut [f64],
    ) {
        let (code, units) = without.map_or((u32::MAX, 0), |own| (own.code, own.units));
        let amounts = leaves.list(leaf).map(|cell| leaves.amount(cell));
        let all = amounts.fold(0, u64::wrapping_add).wrapping_sub(units) as f64;
        prediction.fill(0.0);
        for cell in leaves.list(leaf) {
            let class = leaves.cells[cell].class;
            let gone = if class == code { units } else { 0 };
            prediction[class as usize] = leaves.amount(cell).wrapping_sub(gone) as f64 / all;
        }
    }

    fn rarity(leaves: &ClassLeaves, leaf: u32, sample: Coded<Self>) -> f64 {
        let mut all = sample.units;
        let mut own = sample.units;
        let mut others = 0;
        for cell in leaves.list(leaf) {
            let amount = leaves.amount(cell);
            all = all.wrapping_add(amount);
            if leaves.cells[cell].class == sample.code {
                own = own.wrapping_add(amount);
            } else {
                others += u32::from(amount > 0);
            }
        }
        all as f64 / (f64::from(others + 1) * own as f64)
    }

    fn leaves_bytes(leaves: &ClassLeaves) -> usize {
        leaves.cells.bytes() + leaves.weights.bytes()
    }

    fn are_leaves(leaves: &ClassLeaves, numbers: &[u32], width: usize) -> bool {
        let mut seen = vec![false; leaves.cells.len()];
        let lists = numbers.iter().map(|leaf| leaf.saturating_add(1));
        for mut next in lists.chain([leaves.free]) {
            while let Some(index) = next.checked_sub(1) {
                match leaves.cells.get(index as usize) {
                    Some(cell) if (cell.class as usize) < width && !seen[index as usize] => {
                        seen[index as usize] = true;
                        next = cell.next;
                    }
                    _ => return false,
                }
            }
        }
        [0, seen.len()].contains(&leaves.weights.len()) && !seen.contains(&false)
    }
}

/// One side of a split: the number of samples or their weight, and the sum of the squares of that of each class.
#[derive(Clone, Copy, Default)]
struct Side {
    count: u32,
    squares: u64,
}

impl Side {
    /// Adds the samples of a class.
    #[inline]
    fn add(&mut self, count: u64) {
        self.count = self.count.wrapping_add(count as u32);
        self.squares = self.squares.wrapping_add(count.wrapping_mul(count));
    }

    /// Returns the sum of squares over the count; 0 for a side whose weight has lost all its digits.
    #[inline]
    fn gain(self) -> f64 {
        self.squares as f64 / f64::from(self.count.max(1))
    }
}

/// Returns both sides of a split from how often each class counts on the left and in all, less the last `lost` digits.
#[inline]
fn sides(classes: impl Iterator<Item = (u64, u64)>, lost: u32) -> [Side; 2] {
    let (mut left, mut right) = (Side::default(), Side::default());
    for (of_left, of_all) in classes {
        left.add(of_left >> lost);
        right.add(of_all.wrapping_sub(of_left) >> lost);
    }
    [left, right]
}

/// Returns the gain of a split: the sum over both sides of Σ c² / n, for class counts c of n samples. The larger it is,
/// the smaller is the Gini impurity that is left. It is a fixed expression of integers.
#[inline]
fn gain([left, right]: [Side; 2]) -> f64 {
    left.gain() + right.gain()
}

/// Counts of the classes of a node's samples, and of those left of a candidate.
#[derive(Debug, Default)]
pub struct ClassTally {
    /// For each class its number among the classes of the node, plus 1; 0 if the node does not have it.
    numbers: Vec<u32>,
    /// The classes of the node, in the order of these numbers.
    known: Vec<u32>,
    /// The class of each sample, as a number among the classes of the node.
    classes: Vec<u32>,
    /// How often each class of the node counts, and those of its samples that are left.
    totals: Vec<u64>,
    lefts: Vec<u64>,
    /// See [`lost_digits`].
    lost: u32,
}

impl ClassTally {
    /// Counts a sample; returns the number of its class in this node.
    #[inline]
    fn count(&mut self, class: u32) -> u32 {
        if class as usize >= self.numbers.len() {
            self.numbers.resize(class as usize + 1, 0);
        }
        let number = &mut self.numbers[class as usize];
        if *number == 0 {
            self.known.push(class);
            self.totals.push(0);
            *number = self.totals.len() as u32;
        }
        self.totals[*number as usize - 1] += 1;
        *number - 1
    }

    /// Counts what is left of a threshold; returns the number of these samples if they are weighted.
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
            // Two classes need no memory access that depends on the class.
            let mut all = 0;
            let mut of_second = 0;
            for (&value, &class) in values {
                let is_left = u32::from(value <= threshold);
                all += is_left;
                of_second += is_left & class;
            }
            *first = (all - of_second).into();
            *second = of_second.into();
        } else {
            for (&value, &class) in values {
                self.lefts[class as usize] += u64::from(value <= threshold);
            }
        }
        None
    }
}

/// Class counts of all samples of a node, and of those left of each candidate.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClassSides {
    count: u32,
    /// The length of a row of counts: one more than the candidates for which there is room.
    width: u32,
    candidates: Box<[Left]>,
    /// A row for each class: the count of all samples, then one for each candidate.
    counts: Box<[u32]>,
    /// The weights of the same samples; empty without weights.
    weights: Box<[u64]>,
}

/// The samples left of a candidate, and the sums of the squares of the counts of classes on both sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Left {
    count: u32,
    squares: u64,
    right_squares: u64,
}

impl ClassSides {
    /// Makes room for `class`; returns where its counts start.
    #[inline]
    fn row(&mut self, class: u32) -> usize {
        let start = class as usize * self.width as usize;
        if start >= self.counts.len() {
            self.resize(start + self.width as usize);
        }
        start
    }

    #[cold]
    fn resize(&mut self, length: usize) {
        let mut counts = std::mem::take(&mut self.counts).into_vec();
        counts.resize(length, 0);
        self.counts = counts.into();
        if !self.weights.is_empty() {
            let mut weights = std::mem::take(&mut self.weights).into_vec();
            weights.resize(length, 0);
            self.weights = weights.into();
        }
    }

    /// A class beyond the last that has samples has no row: equal samples have equal counts.
    fn drop_last_classes(&mut self) {
        let width = self.width as usize;
        let mut length = self.counts.len();
        while length > 0 && self.counts[length - width] == 0 {
            length -= width;
        }
        if length < self.counts.len() {
            self.resize(length);
        }
    }
}

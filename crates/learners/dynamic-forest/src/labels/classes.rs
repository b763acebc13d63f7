//! Classes: counts, and the Gini index of what a cut leaves together.

mod amount;
mod mixed;
mod sides;
mod weighted;

pub(crate) use mixed::Classes;
pub(crate) use sides::ClassSides;
pub(crate) use weighted::{WeightedClassSides, WeightedClassTally};

use super::sealed::Tally;
use crate::scratch::fit;
use crate::settings::Choice;

/// Returns how good a cut is: the sums of the squares of the class counts of a side, over its samples, added up for both sides. The
/// larger it is the smaller is the Gini impurity that is left.
///
/// A fixed expression of integers: the same samples give the same bits, in whatever order they came. −∞ if a side has fewer than
/// `side` samples.
#[inline]
fn gain(left: Side, right: Side, side: u32) -> f64 {
    if !Choice::allows(side, left.count, left.count + right.count) {
        return f64::NEG_INFINITY;
    }
    left.squares as f64 / f64::from(left.count) + right.squares as f64 / f64::from(right.count)
}

/// The samples on one side of a cut.
#[derive(Clone, Copy, Default)]
struct Side {
    count: u32,
    /// The sum of the squares of the class counts.
    squares: u64,
}

impl Side {
    /// Adds the samples of a class.
    #[inline]
    fn add(&mut self, count: u32) {
        self.count += count;
        self.squares += u64::from(count) * u64::from(count);
    }
}

/// Counts of the classes of a node's samples, and of those left of a candidate.
#[derive(Clone, Debug, Default)]
pub(crate) struct ClassTally {
    /// For each class its number among the classes of the node, plus 1; all 0 between nodes.
    numbers: Vec<u32>,
    /// The class of each sample, as a number among the classes of the node.
    classes: Vec<u32>,
    /// The counts of each class of the node.
    totals: Vec<u32>,
    lefts: Vec<u32>,
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

    /// Counts what is left of a threshold.
    #[inline]
    fn count_left(&mut self, column: &[f32], threshold: f32) {
        self.lefts.clear();
        self.lefts.resize(self.totals.len(), 0);
        let values = column.iter().zip(&self.classes);
        if let [first, second] = &mut self.lefts[..] {
            // Of two classes, without a step that waits for another.
            let (mut all, mut of_second) = (0, 0);
            for (&value, &class) in values {
                let is_left = u32::from(value <= threshold);
                all += is_left;
                of_second += is_left & class;
            }
            (*first, *second) = (all - of_second, of_second);
        } else {
            for (&value, &class) in values {
                self.lefts[class as usize] += u32::from(value <= threshold);
            }
        }
    }
}

impl Tally<u32> for ClassTally {
    fn fit(&mut self, samples: usize) {
        fit(&mut self.classes, samples);
    }

    fn begin(&mut self, classes: &[u32], side: u32) {
        self.side = side;
        self.classes.clear();
        self.totals.clear();
        for &class in classes {
            let number = self.number(class);
            self.totals[number as usize] += 1;
            self.classes.push(number);
        }
    }

    fn gain(&mut self, column: &[f32], threshold: f32, _: &[u32]) -> f64 {
        self.count_left(column, threshold);
        let (mut left, mut right) = (Side::default(), Side::default());
        for (&total, &count) in self.totals.iter().zip(&self.lefts) {
            left.add(count);
            right.add(total - count);
        }
        gain(left, right, self.side)
    }

    /// Both sides are pure: Σ c² / n = n.
    fn largest_gain(&self) -> f64 {
        self.classes.len() as f64
    }

    fn end(&mut self, classes: &[u32]) {
        for &class in classes {
            self.numbers[class as usize] = 0;
        }
    }
}

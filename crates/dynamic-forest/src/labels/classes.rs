//! Classes: counts, and the Gini index of what a cut leaves together.

mod mixed;
mod sides;

pub use mixed::Classes;
pub use sides::ClassSides;

use super::sealed::Tally;

/// How good a cut is: the sums of the squares of the class counts of a side, over its samples, added up for both sides. The
/// larger it is the smaller is the Gini impurity that is left.
///
/// A fixed expression of integers: the same samples give the same bits, in whatever order they came.
#[inline]
fn gain(left: Side, right: Side) -> f64 {
    left.squares as f64 / f64::from(left.count) + right.squares as f64 / f64::from(right.count)
}

/// The samples on one side of a cut.
#[derive(Clone, Copy)]
struct Side {
    count: u32,
    /// The sum of the squares of the class counts.
    squares: u64,
}

/// Counts of the classes of a node's samples, and of those left of a candidate.
#[derive(Clone, Debug, Default)]
pub struct ClassTally {
    /// For each class; all 0 between nodes.
    counts: Vec<Counts>,
    count: u32,
    squares: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    total: u32,
    left: u32,
}

impl Tally<u32> for ClassTally {
    fn begin(&mut self, classes: &[u32]) {
        self.count = classes.len() as u32;
        self.squares = 0;
        for &class in classes {
            let class = class as usize;
            if class >= self.counts.len() {
                self.counts.resize(class + 1, Counts::default());
            }
            let total = &mut self.counts[class].total;
            self.squares += 2 * u64::from(*total) + 1;
            *total += 1;
        }
    }

    fn gain(&mut self, column: &[f32], threshold: f32, classes: &[u32]) -> f64 {
        let (mut count, mut squares, mut products) = (0, 0, 0);
        for (&value, &class) in column.iter().zip(classes) {
            let counts = &mut self.counts[class as usize];
            let is_left = u32::from(value <= threshold);
            // (l + 1)² = l² + 2·l + 1; and Σ (t − l)² = Σ t² − 2·Σ t·l + Σ l², where Σ t·l is the sum of t over the
            // samples on the left.
            squares += u64::from(is_left * (2 * counts.left + 1));
            products += u64::from(is_left * counts.total);
            counts.left += is_left;
            count += is_left;
        }
        for &class in classes {
            self.counts[class as usize].left = 0;
        }
        let left = Side { count, squares };
        let right = Side {
            count: self.count - count,
            squares: self.squares + squares - 2 * products,
        };
        gain(left, right)
    }

    /// Both sides are pure: Σ c² / n = n.
    fn largest_gain(&self) -> f64 {
        self.count.into()
    }

    fn end(&mut self, classes: &[u32]) {
        for &class in classes {
            self.counts[class as usize].total = 0;
        }
    }
}

//! Classes: a leaf's histogram and its prediction; the classes in every bin, and the information that a split gives about them
//! (Algorithm 8).

use std::sync::LazyLock;

use forest_core::{Arena, Classification, InvariantError, Task, Vote};
use serde::{Deserialize, Serialize};

use super::{Labels, SplitLabels};
use crate::packed_counts::PackedCounts;
use crate::point_counts::{Dimension as AnyDimension, refill};

/// A summary is a histogram of the classes known.
impl Labels for Classification {
    type Cell = u32;
    type Splits = ClassHistograms;
    type Scratch = Scratch;

    /// At 2³² labels of a class all counts are halved: frequencies of that many lose nothing.
    fn add(row: &mut [u32], class: u32, weight: u32) {
        let class = class as usize;
        while row[class].checked_add(weight).is_none() {
            row.iter_mut().for_each(|count| *count /= 2);
        }
        row[class] += weight;
    }

    fn error(row: &[u32]) -> f64 {
        let most = row.iter().max().map_or(0, |&most| most.into());
        let all = total(row);
        if all == 0 {
            0.0
        } else {
            (all - most) as f64 / all as f64
        }
    }

    /// The class frequencies η, or the class with the largest (section 3.5).
    fn vote(row: &[u32], vote: Vote, accumulator: &mut [f64]) {
        // Cells beyond the classes known are empty.
        let known = accumulator.len().min(row.len());
        let all = total(&row[..known]);
        if all == 0 {
            return accumulator.fill(0.0);
        }
        accumulator[known..].fill(0.0);
        for (share, &count) in accumulator.iter_mut().zip(row) {
            *share = f64::from(count) / all as f64;
        }
        vote.cast(accumulator);
    }

    fn finish(accumulator: &[f64], prediction: &mut [f64]) {
        let trees: f64 = accumulator.iter().sum();
        if trees == 0.0 {
            return Self::prior_prediction(prediction);
        }
        for (probability, share) in prediction.iter_mut().zip(accumulator) {
            *probability = share / trees;
        }
    }
}

fn total(row: &[u32]) -> u64 {
    row.iter().map(|&count| u64::from(count)).sum()
}

type Dimension<'a> = AnyDimension<'a, u32>;

/// A histogram over all bins for each class that has appeared, in the order of the classes.
///
/// A sample touches only the histogram of its class: with a byte per bin, all its candidate dimensions
/// lie in a few cache lines. The order makes sums over classes the same whatever came first.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ClassHistograms {
    classes: Arena<u32>,
    counts: PackedCounts,
}

#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// The histogram of each early point.
    early: Vec<usize>,
    /// Points of each class on both sides, by the source of the split.
    both: Vec<u64>,
    /// N·H(A), by the source of the split.
    entropy: Vec<f64>,
    /// Points of each class on the left of each split of one dimension.
    left: Vec<u64>,
    /// Points of all classes on the left.
    all_left: Vec<u64>,
}

impl ClassHistograms {
    /// Returns the number of the histogram of a class, which is made if it is missing.
    #[inline]
    fn histogram(&mut self, class: u32, bins: usize) -> usize {
        match self.classes.binary_search(&class) {
            Ok(histogram) => histogram,
            Err(histogram) => {
                self.classes.push(class);
                // Keeps the classes sorted, and their histograms in the same order.
                self.classes[histogram..].rotate_right(1);
                self.counts.insert_zeros(histogram * bins, bins);
                histogram
            }
        }
    }

    /// Points of a class that count in all splits; while these are created, all of its points.
    fn least(&self, of: &Dimension<'_>, class: u32) -> u64 {
        let Ok(histogram) = self.classes.binary_search(&class) else {
            return 0;
        };
        // Once candidates are complete, early points may be missing in some split: only those in bins count in all of them.
        if of.is_complete() {
            return self.in_bins(of, histogram);
        }
        let early = of.early().filter(|(early, _)| early.target == class);
        early.map(|(early, _)| u64::from(early.weight)).sum()
    }

    /// Points of a class in the bins of a dimension, which is the same for all of them.
    fn in_bins(&self, of: &Dimension<'_>, histogram: usize) -> u64 {
        self.counts
            .sum(histogram * of.all_bins() + of.start(), of.bins)
    }

    /// Fills `scratch` with what is the same for all dimensions, `of` being any.
    fn prepare(&self, of: &Dimension<'_>, counted: &[u64], scratch: &mut Scratch) {
        let (both, splits) = (&mut scratch.both, counted.len());
        both.clear();
        for histogram in 0..self.classes.len() {
            both.resize((histogram + 1) * splits, self.in_bins(of, histogram));
        }
        scratch.early.clear();
        for (early, _) in of.early() {
            // A class that has only early points has a histogram, too: `add` made it.
            let histogram = self.classes.partition_point(|&class| class < early.target);
            let counting = &mut both[histogram * splits..][..early.points.into()];
            let weight = u64::from(early.weight);
            counting.iter_mut().for_each(|sum| *sum += weight);
            scratch.early.push(histogram);
        }
        let phi = Phi::new();
        let entropy = counted.iter().enumerate().map(|(source, &points)| {
            let classes = both.iter().skip(source).step_by(splits);
            phi.of(points) - classes.fold(0.0, |sum, &count| sum + phi.of(count))
        });
        scratch.entropy.clear();
        scratch.entropy.extend(entropy);
    }

    /// Fills `scratch.left`.
    fn count_left(&self, of: &Dimension<'_>, scratch: &mut Scratch) {
        let (left, splits) = (&mut scratch.left, of.sources.len());
        refill(left, self.classes.len() * splits, 0);
        for (histogram, left) in left.chunks_exact_mut(splits).enumerate() {
            let start = histogram * of.all_bins() + of.start();
            self.counts.read_sums(start, left);
        }
        for ((early, bin), histogram) in of.early().zip(&scratch.early) {
            let left = &mut left[histogram * splits..][..splits];
            of.add_left(early, bin, 1, left);
        }
    }
}

impl SplitLabels<Classification> for ClassHistograms {
    fn new(_: usize) -> Self {
        Self {
            classes: Arena::default(),
            counts: PackedCounts::zeros(0),
        }
    }

    fn has_met(&self, class: u32) -> bool {
        self.classes.binary_search(&class).is_ok()
    }

    #[inline]
    fn add(&mut self, at: impl Iterator<Item = usize>, bins: usize, class: u32, weight: u32) {
        let start = self.histogram(class, bins) * bins;
        at.for_each(|bin| self.counts.add(start + bin, weight));
    }

    fn add_sides(&self, of: &Dimension<'_>, rank: usize, rows: &mut [&mut [u32]; 2]) {
        for (histogram, &class) in self.classes.iter().enumerate() {
            let start = histogram * of.all_bins() + of.start();
            let sides = of.sides(&self.counts, start, rank);
            for (row, count) in rows.iter_mut().zip(sides) {
                add_many(row, class, count);
            }
        }
    }

    /// Returns the gain of Algorithm 8 times N: the entropy of the whole less those of the sides, each times
    /// its points.
    fn find_gains<'a>(
        &self,
        dimension: impl Fn(usize) -> Dimension<'a>,
        counted: &[u64],
        scratch: &mut Scratch,
        gains: &mut Vec<f64>,
    ) -> f64 {
        let (first, phi, splits) = (dimension(0), Phi::new(), counted.len());
        self.prepare(&first, counted, scratch);
        refill(gains, first.dimensions * splits, 0.0);
        let mut most = 0.0f64;
        for (index, gains) in gains.chunks_exact_mut(splits).enumerate() {
            let of = dimension(index);
            self.count_left(&of, scratch);
            let sources = || of.sources.iter().map(|&source| usize::from(source));
            let classes = scratch.left.chunks_exact(splits);
            refill(&mut scratch.all_left, splits, 0);
            for (left, both) in classes.zip(scratch.both.chunks_exact(splits)) {
                let sums = gains.iter_mut().zip(&mut scratch.all_left);
                for (((gain, all_left), &left), source) in sums.zip(left).zip(sources()) {
                    *all_left = all_left.wrapping_add(left);
                    // Wrapping: the counts of a crafted file may contradict each other.
                    *gain += phi.of(left) + phi.of(both[source].wrapping_sub(left));
                }
            }
            for ((gain, &left), source) in gains.iter_mut().zip(&scratch.all_left).zip(sources()) {
                let points = counted[source];
                // Until here `gain` held Σₖ φ of both sides.
                let sides = phi.of(left) + phi.of(points.wrapping_sub(left)) - *gain;
                let scaled = scratch.entropy[source] - sides;
                most = most.max(scaled);
                // A split without points has gain 0, not NaN.
                *gain = scaled / points.max(1) as f64;
            }
        }
        most
    }

    /// Points add to the entropy of the whole and of one side, so to their difference no more than to
    /// the whole: `φ(N + w) − φ(N) − φ(Yₖ + w) + φ(Yₖ)`, which grows with the points N and falls with
    /// those of the class, Yₖ. No split has counted more points than there were, or fewer of the class
    /// than count in all splits.
    ///
    /// While candidates are created, all points so far bound the gain of a split on some of them.
    fn gain_increase(&self, of: &Dimension<'_>, class: u32, weight: u32) -> f64 {
        let (phi, n, k) = (Phi::new(), of.points.total, self.least(of, class));
        let weight = u64::from(weight);
        phi.of(n + weight) - phi.of(n) - phi.of(k + weight) + phi.of(k)
    }

    fn bytes(&self) -> usize {
        self.classes.bytes() + self.counts.bytes()
    }

    fn check(
        &self,
        bins: usize,
        outputs: &<Classification as Task>::Outputs,
    ) -> Result<(), InvariantError> {
        let known = self.classes.iter().all(|&class| class < outputs.known());
        let ordered = self.classes.is_sorted_by(|a, b| a < b);
        let fits = self.counts.len() == self.classes.len().saturating_mul(bins);
        let sound = known && ordered && fits && self.counts.are_bounded();
        let what = "classes without a histogram, or histograms without a class";
        InvariantError::require(sound, "labels", what)
    }
}

/// Adds any number of labels of one class.
fn add_many(row: &mut [u32], class: u32, mut count: u64) {
    while count > 0 {
        let some = count.min(u32::MAX.into());
        Classification::add(row, class, some as u32);
        count -= some;
    }
}

/// φ(n) = n·log₂ n. With it the entropy of N points of which Yₖ are of class k, times N, is
/// `φ(N) − Σₖ φ(Yₖ)`.
///
/// Small values are read from a table; without it, letter and USPS are learned in 1.2 to 1.4 times the time.
struct Phi(&'static [f64]);

static TABLE: LazyLock<Vec<f64>> = LazyLock::new(|| (0..4096).map(phi).collect());

fn phi(n: u64) -> f64 {
    if n == 0 {
        0.0
    } else {
        n as f64 * libm::log2(n as f64)
    }
}

impl Phi {
    fn new() -> Self {
        Self(&TABLE)
    }

    #[inline]
    fn of(&self, n: u64) -> f64 {
        // The table is computed by `phi` itself: both ways give the same bits.
        self.0.get(n as usize).copied().unwrap_or_else(|| phi(n))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_of_a_leaf_is_the_share_of_other_classes() {
        assert_eq!(Classification::error(&[3, 6, 1]), 0.4);
        assert_eq!(Classification::error(&[0, 0]), 0.0);
        assert_eq!(Classification::error(&[0, 7]), 0.0);
    }

    #[test]
    fn a_full_count_is_halved_with_its_neighbours() {
        let mut row = [u32::MAX - 1, 1000];
        Classification::add(&mut row, 0, 5);
        assert_eq!(row, [(u32::MAX - 1) / 2 + 5, 500]);
    }

    #[test]
    fn trees_without_points_do_not_vote() {
        let mut accumulator = [0.0; 2];
        Classification::vote(&[0, 0, 0], Vote::Majority, &mut accumulator);
        assert_eq!(accumulator, [0.0, 0.0]);
        let mut prediction = [0.0; 2];
        Classification::finish(&accumulator, &mut prediction);
        assert_eq!(prediction, [0.5, 0.5]);
        Classification::vote(&[1, 3, 0], Vote::Frequencies, &mut accumulator);
        Classification::finish(&accumulator, &mut prediction);
        assert_eq!(prediction, [0.25, 0.75]);
    }

    #[test]
    fn a_majority_of_equals_is_the_smaller_class() {
        let mut accumulator = [0.0; 3];
        Classification::vote(&[1, 3, 3], Vote::Majority, &mut accumulator);
        assert_eq!(accumulator, [0.0, 1.0, 0.0]);
    }
}

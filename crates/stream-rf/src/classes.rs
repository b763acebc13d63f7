//! Classes: a leaf's histogram and its prediction; the classes in every bin, and the gain of a split (Algorithm 8).

use std::sync::LazyLock;

use forest_core::{Arena, ClassSpace, Classification, Task, Vote};
use serde::{Deserialize, Serialize};

use crate::candidates::{Candidate, Candidates};
use crate::packed_counts::PackedCounts;
use crate::statistics::{Labels, Scratch, Statistics, add_left, refill};

/// A histogram over all bins for each class that has appeared, in the order of the classes, which makes sums over them
/// the same whatever came first. A sample touches only a few cache lines, those of its class.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ClassHistograms {
    classes: Arena<u32>,
    counts: PackedCounts,
}

/// A summary is a histogram of the classes known.
impl Labels for Classification {
    type Cell = u32;
    type Bins = ClassHistograms;

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
        match total(row) {
            0 => 0.0,
            all => (all - most) as f64 / all as f64,
        }
    }

    /// The class frequencies η, or the class with the largest (section 3.5).
    fn vote(row: &[u32], vote: Vote, accumulator: &mut [f64]) {
        // Cells beyond the classes known are empty.
        let row = &row[..accumulator.len().min(row.len())];
        let all = total(row);
        accumulator.fill(0.0);
        if all > 0 {
            for (share, &count) in accumulator.iter_mut().zip(row) {
                *share = f64::from(count) / all as f64;
            }
            vote.cast(accumulator);
        }
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

    fn empty(_: usize) -> ClassHistograms {
        let classes = Arena::default();
        let counts = PackedCounts::zeros(0);
        ClassHistograms { classes, counts }
    }

    #[inline]
    fn add_to_bins(
        labels: &mut ClassHistograms,
        places: impl Iterator<Item = usize>,
        bins: usize,
        class: u32,
        weight: u32,
    ) {
        let ClassHistograms { classes, counts } = labels;
        let histogram = classes.binary_search(&class).unwrap_or_else(|histogram| {
            classes.push(class);
            // Keeps the classes sorted, and their histograms in the same order.
            classes[histogram..].rotate_right(1);
            counts.insert_zeros(histogram * bins, bins);
            histogram
        });
        places.for_each(|place| counts.add(histogram * bins + place, weight));
    }

    fn add_sides(
        stats: &Statistics<Self>,
        candidates: &Candidates,
        at: Candidate,
        rows: &mut [&mut [u32]; 2],
    ) {
        for (histogram, &class) in stats.labels.classes.iter().enumerate() {
            let start = start(candidates, histogram, at.dimension);
            let counts = &stats.labels.counts;
            let sides = counts.sides(start, at.rank + 1, candidates.bins());
            for (row, mut count) in rows.iter_mut().zip(sides) {
                while count > 0 {
                    let some = count.min(u32::MAX.into());
                    Self::add(row, class, some as u32);
                    count -= some;
                }
            }
        }
    }

    /// Returns the gain of Algorithm 8 times N: the entropy of the whole less those of the sides, times their points.
    fn find_gains(stats: &Statistics<Self>, candidates: &Candidates, scratch: &mut Scratch) -> f64 {
        find_what_all_dimensions_share(stats, candidates, scratch);
        let phi = Phi::new();
        let splits = usize::from(candidates.points);
        refill(&mut scratch.gains, candidates.dimensions() * splits, 0.0);
        let mut most = 0.0f64;
        for (dimension, gains) in scratch.gains.chunks_exact_mut(splits).enumerate() {
            let sources = candidates.sources(dimension);
            let lefts = &mut scratch.left_of_class;
            refill(lefts, stats.labels.classes.len() * splits, 0);
            for (histogram, left) in lefts.chunks_exact_mut(splits).enumerate() {
                let start = start(candidates, histogram, dimension);
                stats.labels.counts.read_sums(start, left);
            }
            let early = stats.early(candidates, dimension);
            for ((early, bin), histogram) in early.zip(&scratch.histograms) {
                let left = &mut lefts[histogram * splits..][..splits];
                add_left(sources, early, bin, 1, left);
            }
            let all_left = &mut scratch.left;
            refill(all_left, splits, 0);
            let classes = lefts.chunks_exact(splits);
            for (left, both) in classes.zip(scratch.of_class.chunks_exact(splits)) {
                let sums = gains.iter_mut().zip(&mut *all_left);
                for (((gain, all_left), &left), &source) in sums.zip(left).zip(sources) {
                    *all_left = all_left.wrapping_add(left);
                    // Wrapping: the counts of a crafted file may contradict each other.
                    let right = both[usize::from(source)].wrapping_sub(left);
                    *gain += phi.of(left) + phi.of(right);
                }
            }
            for ((gain, &left), &source) in gains.iter_mut().zip(&*all_left).zip(sources) {
                let points = scratch.counted[usize::from(source)];
                // Until here `gain` held Σₖ φ of both sides.
                let sides = phi.of(left) + phi.of(points.wrapping_sub(left)) - *gain;
                let scaled = scratch.sums[usize::from(source)] - sides;
                most = most.max(scaled);
                // A split without points has gain 0, not NaN.
                *gain = scaled / points.max(1) as f64;
            }
        }
        most
    }

    /// Points add to the entropy of the whole and of one side, so to their difference no more than to the whole:
    /// `φ(N + w) − φ(N) − φ(Yₖ + w) + φ(Yₖ)`, which grows with the points N and falls with those of the class, Yₖ. No
    /// split has counted more points than there were, or fewer of the class than count in all splits.
    ///
    /// While candidates are created, all points so far bound the gain of a split on some of them.
    fn gain_increase(
        stats: &Statistics<Self>,
        candidates: &Candidates,
        class: u32,
        weight: u32,
    ) -> f64 {
        let least = match stats.labels.classes.binary_search(&class) {
            // Once candidates are complete, only points in bins count in all splits.
            Ok(histogram) if candidates.are_complete() => in_bins(stats, candidates, histogram),
            Ok(_) => {
                let early = stats.early.iter().filter(|early| early.target == class);
                early.map(|early| u64::from(early.weight)).sum()
            }
            Err(_) => 0,
        };
        let phi = Phi::new();
        let n = stats.total;
        let w = u64::from(weight);
        phi.of(n + w) - phi.of(n) - phi.of(least + w) + phi.of(least)
    }

    fn bytes(labels: &ClassHistograms) -> usize {
        labels.classes.bytes() + labels.counts.bytes()
    }

    fn fit(stats: &Statistics<Self>, bins: usize, known: &ClassSpace) -> bool {
        let ClassHistograms { classes, counts } = &stats.labels;
        classes.iter().all(|&class| class < known.known())
            && classes.is_sorted_by(|a, b| a < b)
            && (stats.early.iter()).all(|early| classes.contains(&early.target))
            && counts.len() == classes.len().saturating_mul(bins)
            && counts.are_bounded()
    }
}

fn total(row: &[u32]) -> u64 {
    row.iter().map(|&count| u64::from(count)).sum()
}

/// Returns where the counts of a class in a dimension begin.
fn start(candidates: &Candidates, histogram: usize, dimension: usize) -> usize {
    (histogram * candidates.dimensions() + dimension) * candidates.bins()
}

/// Weight of a class in the bins of a dimension, which is the same for all of them.
fn in_bins(stats: &Statistics<Classification>, candidates: &Candidates, histogram: usize) -> u64 {
    let start = start(candidates, histogram, 0);
    stats.labels.counts.sum(start, candidates.bins())
}

/// Fills `scratch.of_class`, `scratch.histograms` and `scratch.sums`.
fn find_what_all_dimensions_share(
    stats: &Statistics<Classification>,
    candidates: &Candidates,
    scratch: &mut Scratch,
) {
    let splits = scratch.counted.len();
    let both = &mut scratch.of_class;
    both.clear();
    for histogram in 0..stats.labels.classes.len() {
        let count = in_bins(stats, candidates, histogram);
        both.resize((histogram + 1) * splits, count);
    }
    scratch.histograms.clear();
    for early in stats.early.iter() {
        // A class that has only early points has a histogram, too: `add_to_bins` made it.
        let classes = &stats.labels.classes;
        let histogram = classes.partition_point(|&class| class < early.target);
        for sum in &mut both[histogram * splits..][..early.points.into()] {
            *sum += u64::from(early.weight);
        }
        scratch.histograms.push(histogram);
    }
    let phi = Phi::new();
    scratch.sums.clear();
    for (source, &points) in scratch.counted.iter().enumerate() {
        let classes = both.iter().skip(source).step_by(splits);
        let entropy = phi.of(points) - classes.fold(0.0, |sum, &count| sum + phi.of(count));
        scratch.sums.push(entropy);
    }
}

/// φ(n) = n·log₂ n. With it the entropy of N points of which Yₖ are of class k, times N, is `φ(N) − Σₖ φ(Yₖ)`.
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
    fn a_leaf_has_an_error_and_a_vote() {
        assert_eq!(Classification::error(&[3, 6, 1]), 0.4);
        assert_eq!(Classification::error(&[0, 7]), 0.0);
        assert_eq!(Classification::error(&[0, 0]), 0.0);
        let voted = |row: &[u32; 3], vote| {
            let mut accumulator = [9.0; 3];
            Classification::vote(row, vote, &mut accumulator);
            accumulator
        };
        assert_eq!(voted(&[1, 3, 0], Vote::Frequencies), [0.25, 0.75, 0.0]);
        assert_eq!(voted(&[1, 3, 3], Vote::Majority), [0.0, 1.0, 0.0]);
        // A leaf without points does not vote; where none votes, all classes are as likely.
        assert_eq!(voted(&[0; 3], Vote::Majority), [0.0; 3]);
        let mut prediction = [0.0; 2];
        Classification::finish(&[0.0; 2], &mut prediction);
        assert_eq!(prediction, [0.5, 0.5]);
    }

    #[test]
    fn a_full_count_is_halved_with_its_neighbours() {
        let mut row = [u32::MAX - 1, 1000];
        Classification::add(&mut row, 0, 5);
        assert_eq!(row, [(u32::MAX - 1) / 2 + 5, 500]);
    }
}

//! The classes in every bin, and the information that a split gives about them (Algorithm 8).

use forest_core::{Arena, Classification, InvariantError, Task};
use serde::{Deserialize, Serialize};

use super::phi::Phi;
use crate::counters::Counters;
use crate::labels::{Labels, Sums, Work};
use crate::statistics::{Dimension, Sizes, accumulate};

/// A histogram over all bins for each class that has appeared, in the order of the classes.
///
/// A sample touches only the histogram of its class: with a byte per bin, all its candidate dimensions
/// lie in a few cache lines. The order makes sums over classes the same whatever came first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClassHistograms {
    classes: Arena<u32>,
    counts: Counters,
}

impl ClassHistograms {
    /// Which histogram a class has, after making it if it has none.
    #[inline]
    fn histogram(&mut self, class: u32, bins: usize) -> usize {
        match self.classes.binary_search(&class) {
            Ok(histogram) => histogram,
            Err(histogram) => {
                self.classes.push(class);
                self.classes[histogram..].rotate_right(1);
                self.counts.insert_zeros(histogram * bins, bins);
                histogram
            }
        }
    }
}

/// What is the same for all dimensions, and the class counts in one: working memory.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    /// The histogram of each early point.
    early: Vec<usize>,
    /// Points of each class on both sides, by the source of the split.
    both: Vec<u64>,
    /// N·H(A), by the source of the split.
    entropy: Vec<f64>,
    /// Points of each class on the left of each split.
    left: Vec<u64>,
}

impl Sums<Classification> for ClassHistograms {
    fn new(_: usize) -> Self {
        Self::default()
    }

    fn meet(&mut self, class: u32, _: u32, bins: usize) {
        self.histogram(class, bins);
    }

    fn has_met(&self, class: u32) -> bool {
        self.classes.binary_search(&class).is_ok()
    }

    #[inline]
    fn count(&mut self, cells: impl Iterator<Item = usize>, bins: usize, class: u32, weight: u32) {
        let start = self.histogram(class, bins) * bins;
        self.counts.add(cells.map(|cell| start + cell), weight);
    }

    fn sides(
        &self,
        of: &Dimension<'_, Classification>,
        rank: usize,
        left: &mut [u32],
        right: &mut [u32],
    ) {
        for (histogram, &class) in self.classes.iter().enumerate() {
            let start = histogram * of.all_bins() + of.start();
            let above = start + rank + 1;
            add_many(left, class, self.counts.sum(start, rank + 1));
            add_many(right, class, self.counts.sum(above, of.bins - rank - 1));
        }
    }

    fn prepare(&self, of: &Dimension<'_, Classification>, work: &mut Work<Classification>) {
        let (totals, sources) = (&mut work.totals, of.sources.len());
        totals.both.clear();
        for histogram in 0..self.classes.len() {
            let settled = self.counts.sum(histogram * of.all_bins(), of.bins);
            totals.both.resize((histogram + 1) * sources, settled);
        }
        totals.early.clear();
        for (early, _) in of.early() {
            let histogram = self.classes.partition_point(|&class| class < early.target);
            let counting = &mut totals.both[histogram * sources..][..early.points.into()];
            counting
                .iter_mut()
                .for_each(|all| *all += u64::from(early.weight));
            totals.early.push(histogram);
        }
        let (phi, both) = (Phi::new(), &totals.both);
        let entropy = work.counted.iter().enumerate().map(|(source, &points)| {
            let classes = both.iter().skip(source).step_by(sources);
            phi.of(points) - classes.fold(0.0, |sum, &count| sum + phi.of(count))
        });
        totals.entropy.clear();
        totals.entropy.extend(entropy);
    }

    /// With φ(n) = n·log₂ n, the entropy of N points times N is `φ(N) − Σₖ φ(Yₖ)`, and the gain of
    /// Algorithm 8 times N is that of the whole less those of the sides.
    fn gains(&self, of: &Dimension<'_, Classification>, work: &mut Work<Classification>) {
        self.count_left(of, work);
        let (phi, totals, sources) = (Phi::new(), &work.totals, of.sources.len());
        work.sizes.clear();
        work.sizes.resize(sources, Sizes::default());
        work.gains.clear();
        work.gains.resize(sources, 0.0);
        for histogram in 0..self.classes.len() {
            let row = histogram * sources..(histogram + 1) * sources;
            let (left, both) = (&totals.left[row.clone()], &totals.both[row]);
            let splits = left.iter().zip(of.sources);
            let sums = work.sizes.iter_mut().zip(&mut work.gains);
            for ((&left, &source), (sizes, classes)) in splits.zip(sums) {
                sizes.left += left;
                *classes += phi.of(left) + phi.of(both[usize::from(source)] - left);
            }
        }
        let sums = work.sizes.iter_mut().zip(&mut work.gains);
        for ((sizes, gain), source) in
            sums.zip(of.sources.iter().map(|&source| usize::from(source)))
        {
            sizes.both = work.counted[source];
            let sides = phi.of(sizes.left) + phi.of(sizes.right()) - *gain;
            let scaled = totals.entropy[source] - sides;
            work.most_gain = work.most_gain.max(scaled);
            *gain = scaled / sizes.both.max(1) as f64;
        }
    }

    /// Points add to the entropy of the whole and of one side, so to their difference no more than to
    /// the whole: `φ(N + w) − φ(N) − φ(Yₖ + w) + φ(Yₖ)`, which grows with the points N and falls with
    /// those of the class, Yₖ. No split has counted more points than there were, or fewer of the class
    /// than count in all splits.
    ///
    /// While candidates are created, all points so far bound the gain of a split on some of them.
    fn gain_increase(&self, of: &Dimension<'_, Classification>, class: u32, weight: u32) -> f64 {
        let (phi, n, k) = (Phi::new(), of.total(), self.least(of, class));
        let weight = u64::from(weight);
        phi.of(n + weight) - phi.of(n) - phi.of(k + weight) + phi.of(k)
    }

    /// The points that count in all splits, or the one that has created the newest.
    fn least_scale(&self, of: &Dimension<'_, Classification>) -> f64 {
        of.settled().max(1) as f64
    }

    fn bytes(&self) -> usize {
        self.classes.bytes() + self.counts.bytes()
    }

    fn check(
        &self,
        sizes: &Counters,
        bins: usize,
        outputs: &<Classification as Task>::Outputs,
    ) -> Result<(), InvariantError> {
        let known = self.classes.iter().all(|&class| class < outputs.known());
        let ordered = self.classes.is_sorted_by(|a, b| a < b);
        let fits = self.counts.len() == self.classes.len().saturating_mul(sizes.len());
        let what = || "classes without a histogram, or histograms without a class";
        InvariantError::unless(known && ordered && fits, || "labels", what)?;
        let (mut all, mut labels) = (vec![0; sizes.len()], vec![0u64; sizes.len()]);
        for histogram in 0..self.classes.len() {
            self.counts.read(histogram * sizes.len(), &mut all);
            let (sums, same) = (labels.iter_mut().zip(&all), have_equal_sums(&all, bins));
            sums.for_each(|(sum, &count)| *sum = sum.saturating_add(count));
            InvariantError::unless(same, || "labels", || "not as many in each dimension")?;
        }
        sizes.read(0, &mut all);
        InvariantError::unless(labels == all, || "labels", || "not as many as points")
    }
}

impl ClassHistograms {
    /// Points of a class that count in all splits; while these are created, all of its points.
    fn least(&self, of: &Dimension<'_, Classification>, class: u32) -> u64 {
        let Ok(histogram) = self.classes.binary_search(&class) else {
            return 0;
        };
        if !of.is_complete() {
            let early = of.early().filter(|(early, _)| early.target == class);
            return early.map(|(early, _)| u64::from(early.weight)).sum();
        }
        self.counts
            .sum(histogram * of.all_bins() + of.start(), of.bins)
    }

    /// Fills `work.totals.left` with the points of each class on the left of every split.
    fn count_left(&self, of: &Dimension<'_, Classification>, work: &mut Work<Classification>) {
        let (left, sources) = (&mut work.totals.left, of.sources.len());
        left.clear();
        left.resize(self.classes.len() * sources, 0);
        if of.is_complete() {
            for (histogram, row) in left.chunks_exact_mut(sources).enumerate() {
                let start = histogram * of.all_bins() + of.start();
                self.counts.read(start, row);
                accumulate(row);
            }
        }
        for ((early, bin), histogram) in of.early().zip(&work.totals.early) {
            of.add_left(early, bin, 1, &mut left[histogram * sources..][..sources]);
        }
    }
}

/// Whether all runs of `bins` counts have the same sum.
fn have_equal_sums(counts: &[u64], bins: usize) -> bool {
    let sum = |counts: &[u64]| counts.iter().fold(0, |sum: u64, &n| sum.saturating_add(n));
    let mut sums = counts.chunks_exact(bins).map(sum);
    let first = sums.next();
    sums.all(|sum| Some(sum) == first)
}

/// Adds any number of labels of one class.
fn add_many(row: &mut [u32], class: u32, mut count: u64) {
    while count > 0 {
        let some = count.min(u32::MAX.into());
        Classification::add(row, class, some as u32);
        count -= some;
    }
}

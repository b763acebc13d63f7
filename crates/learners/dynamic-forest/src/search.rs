//! The split of a node: the best of its candidates.

use crate::hash::{Draws, FeatureOrder};
use crate::labels::{Group, Labels};
use crate::splits::{Range, Split, divide_categories};

/// Working memory of the search for a split.
#[derive(Debug, Default)]
pub(crate) struct Search<T: Labels> {
    pub(crate) order: FeatureOrder,
    /// The values of the samples at one feature.
    pub(crate) column: Vec<f32>,
    /// The same with categories divided.
    divided: Vec<f32>,
    /// The column of the best split, with categories divided.
    pub(crate) best: Vec<f32>,
    tally: T::Tally,
}

impl<T: Labels> Search<T> {
    /// Returns the split of a node whose samples differ in their code, the first candidate with the largest gain;
    /// `None` if all samples are at the same point, or each split leaves too few on a side.
    pub(crate) fn choose(&mut self, group: Group<'_, T>) -> Option<Split> {
        let mut draws = group.key.order();
        let best;
        if group.samples.len() == 2 {
            // Every candidate separates two samples, so the first one is the best.
            let range = self.next(&mut draws, group, |_, _| ());
            best = range.map(|range| (range, range.split(group.key, 0, &self.column)));
            std::mem::swap(&mut self.column, &mut self.best);
        } else {
            T::begin(&mut self.tally, group.samples);
            best = self.best_of(&mut draws, group);
        }
        self.order.restart();
        let (range, split) = best?;
        if range.has_categories {
            divide_categories(&mut self.best, split);
        }
        Some(split)
    }

    /// Reads the next feature that is not constant; calls `skipped` with each constant feature and its value.
    #[inline(always)]
    pub(crate) fn next(
        &mut self,
        draws: &mut Draws,
        group: Group<'_, T>,
        mut skipped: impl FnMut(u32, f32),
    ) -> Option<Range> {
        while let Some(feature) = self.order.next(draws) {
            let range = Range::read(group.store, group.samples.ids, feature, &mut self.column);
            if range.differs(&self.column) {
                return Some(range);
            }
            skipped(feature, self.column[0]);
        }
        None
    }

    fn best_of(&mut self, draws: &mut Draws, group: Group<'_, T>) -> Option<(Range, Split)> {
        let largest_gain = T::largest_gain(group.samples);
        let (mut best, mut largest) = (None, f64::NEG_INFINITY);
        for _ in 0..group.rules.features {
            let Some(range) = self.next(draws, group, |_, _| ()) else {
                break;
            };
            let before = largest;
            for number in 0..group.rules.thresholds {
                let split = range.split(group.key, number, &self.column);
                let gain = if range.has_categories {
                    self.gain_of_categories(split, group)
                } else {
                    T::gain(&mut self.tally, &self.column, split.threshold, group)
                };
                if gain > largest {
                    (best, largest) = (Some((range, split)), gain);
                }
            }
            if largest > before {
                std::mem::swap(&mut self.column, &mut self.best);
            }
            // Later candidates can only tie, and the first one is taken.
            if largest >= largest_gain {
                break;
            }
        }
        best
    }

    #[cold]
    #[inline(never)]
    fn gain_of_categories(&mut self, split: Split, group: Group<'_, T>) -> f64 {
        self.divided.clone_from(&self.column);
        divide_categories(&mut self.divided, split);
        T::gain(&mut self.tally, &self.divided, split.level(), group)
    }
}

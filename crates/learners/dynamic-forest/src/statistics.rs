//! The candidates of large nodes of exact trees, kept up to date.

mod slab;
#[cfg(test)]
mod tests;

use forest_core::{SampleStore, side};
use serde::{Deserialize, Serialize};

use crate::candidates::{Range, divide_categories, is_same, subsets};
use crate::features::FeatureOrder;
use crate::hash::NodeKey;
use crate::labels::sealed::Sides;
use crate::labels::sealed::Sums;
use crate::nodes::{Child, Cut};
use crate::search::read_column;
use crate::set::Samples;
use crate::settings::Choice;
use crate::threshold::threshold;

pub(crate) use slab::Slab;

/// The statistics of a node about its candidates and of its samples on both sides of each.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) struct Statistics<T: Sums> {
    candidates: Box<[Candidate]>,
    /// The features that were skipped, with the value that all samples share.
    constants: Box<[(u32, f32)]>,
    sides: T::Sides,
    /// The subtree that was below the node while another candidate was the best.
    pub(crate) aside: Option<Aside>,
}

/// The subtree below a node before another candidate became its best, kept up to date in part.
///
/// Near ties flip many times within few samples, and the subtrees that are restored are unchanged except for those
/// samples. Of the nodes that a sample has reached, those stay whose statistics show that their cut is still the
/// best; below them, `Nothing` stands for a subtree that has to be rebuilt. Leaves keep the names of samples
/// that may not be in them any more, and get their samples when the subtree comes back.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Aside {
    pub(crate) cut: Cut,
    pub(crate) children: [Child; 2],
    /// Samples that have arrived and left since.
    pub(crate) changes: u32,
}

/// A feature whose values are not all the same.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Candidate {
    feature: u32,
    threshold: f32,
    /// The least number. Of a cut between categories: any one of them, and how many samples are left of it.
    least: Extreme,
    /// The largest number. Of a cut between categories: the number that is cut from them, or one of them, and how many samples are right of it.
    largest: Extreme,
}

/// The least or the largest value, and how many samples have it.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Extreme {
    value: f32,
    count: u32,
}

/// What has to be done after a sample has arrived or left, besides updating the statistics.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Outcome {
    /// Nothing.
    UpToDate,
    /// The samples must be looked at: what is left of some candidates has changed.
    Recount,
    /// The samples must be looked at: there may be other candidates, or none.
    Renew,
}

impl Extreme {
    fn of(value: f32, column: &[f32]) -> Self {
        let count = column.iter().filter(|&&other| other == value).count() as u32;
        Self { value, count }
    }
}

impl Candidate {
    /// Returns candidate `number` of a feature with these values, whose categories are divided afterwards.
    fn new(key: NodeKey, (feature, number): (u32, u32), range: Range, column: &mut [f32]) -> Self {
        let Cut { threshold, .. } = range.cut(key, feature, number, column);
        let mut candidate = Self {
            feature,
            threshold,
            least: Extreme {
                value: column[0],
                count: 0,
            },
            largest: Extreme {
                value: column[0],
                count: 0,
            },
        };
        if candidate.is_between_categories() {
            candidate.count_sides(range, column);
        } else {
            candidate.least = Extreme::of(range.lo, column);
            candidate.largest = Extreme::of(range.hi, column);
        }
        if range.has_categories {
            divide_categories(column, candidate.cut());
        }
        candidate
    }

    #[cold]
    fn count_sides(&mut self, range: Range, column: &[f32]) {
        if range.has_numbers() {
            self.largest.value = range.hi;
        }
        for &value in column {
            self.extreme(value).count += 1;
        }
    }

    fn cut(&self) -> Cut {
        Cut {
            feature: self.feature,
            threshold: self.threshold,
        }
    }

    fn is_left(&self, x: &[f32]) -> bool {
        self.cut().side(x) == 0
    }

    /// Returns whether it is not a threshold that divides numbers.
    #[inline]
    fn is_between_categories(&self) -> bool {
        !self.threshold.is_finite()
    }

    /// Returns what counts the samples on the side of a value of a cut between categories.
    fn extreme(&mut self, value: f32) -> &mut Extreme {
        match side(value, self.threshold) {
            0 => &mut self.least,
            _ => &mut self.largest,
        }
    }

    /// Notes the value of a new sample; returns whether the threshold is another one now.
    #[inline]
    fn add(&mut self, key: NodeKey, number: u32, value: f32) -> bool {
        if self.is_between_categories() {
            return self.add_category(key, number, value);
        }
        let before = self.range();
        self.add_number(value);
        let (lo, hi) = self.range();
        (lo, hi) != before && !self.is_threshold_of(key, number)
    }

    /// Notes a number; categories, which compare with none, change nothing.
    fn add_number(&mut self, value: f32) {
        if value <= self.least.value {
            let same = value == self.least.value;
            self.least = Extreme {
                value,
                count: 1 + if same { self.least.count } else { 0 },
            };
        }
        if value >= self.largest.value {
            let same = value == self.largest.value;
            self.largest = Extreme {
                value,
                count: 1 + if same { self.largest.count } else { 0 },
            };
        }
    }

    #[cold]
    fn add_category(&mut self, key: NodeKey, number: u32, value: f32) -> bool {
        self.extreme(value).count += 1;
        if !self.threshold.is_nan() {
            return !value.is_nan() && value != self.largest.value;
        }
        // All categories so far are on one side of each subset before this one.
        let one = self.least.value;
        let mut before = subsets(key, self.feature, number)
            .take_while(|subset| subset.to_bits() != self.threshold.to_bits());
        !value.is_nan() || before.any(|subset| side(value, subset) != side(one, subset))
    }

    /// Notes that a sample with this value has gone; returns whether an extreme has gone with it.
    fn remove(&mut self, value: f32) -> bool {
        if self.is_between_categories() {
            let extreme = self.extreme(value);
            extreme.count -= 1;
            return extreme.count == 0;
        }
        let extremes = [&mut self.least, &mut self.largest];
        let mut attained = extremes
            .into_iter()
            .filter(|extreme| extreme.value == value);
        attained.any(|extreme| {
            extreme.count -= 1;
            extreme.count == 0
        })
    }

    fn range(&self) -> (f32, f32) {
        (self.least.value, self.largest.value)
    }

    /// Returns whether the threshold is that of the extremes.
    #[inline]
    fn is_threshold_of(&self, key: NodeKey, number: u32) -> bool {
        let draws = key.threshold_number(self.feature, number);
        threshold(draws, self.least.value, self.largest.value) == self.threshold
    }

    /// Returns whether both are the same candidate of the same samples.
    fn is_same(&self, other: &Self) -> bool {
        let counts = |candidate: &Self| [candidate.least.count, candidate.largest.count];
        // Which category is kept depends on the order of the samples.
        let values = self.is_between_categories() || self.range() == other.range();
        self.cut() == other.cut() && counts(self) == counts(other) && values
    }
}

impl<T: Sums> Statistics<T> {
    /// Builds the statistics of a node with these samples.
    pub(crate) fn new(
        key: NodeKey,
        samples: Samples<'_, T::Code>,
        store: &SampleStore<T::Task>,
        choice: Choice,
        (order, column): (&mut FeatureOrder, &mut Vec<f32>),
    ) -> Self {
        let thresholds = choice.thresholds;
        let most = choice.features.min(store.width()) * thresholds as usize;
        let (mut found, mut constants) = (Vec::with_capacity(most), Vec::new());
        let mut sides = T::Sides::new(samples.codes, most);
        let mut draws = key.order();
        while let Some(feature) = order.next(&mut draws) {
            let range = read_column(store, samples.ids, feature, column);
            if !range.differs(column) {
                constants.push((feature, column[0]));
                continue;
            }
            for number in 0..thresholds {
                if number > 0 && range.has_categories {
                    read_column(store, samples.ids, feature, column);
                }
                let candidate = Candidate::new(key, (feature, number), range, column);
                sides.recount(found.len(), column, candidate.cut().level(), samples.codes);
                found.push(candidate);
            }
            if found.len() == most {
                break;
            }
        }
        order.restart();
        sides.found(found.len());
        let (candidates, constants) = (found.into(), constants.into());
        Self {
            candidates,
            constants,
            sides,
            aside: None,
        }
    }

    /// Returns whether both have the same statistics of the same samples.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let candidates = self.candidates.iter().zip(&other.candidates);
        let constants = self.constants.iter().zip(&other.constants);
        let counts = |node: &Self| [node.candidates.len(), node.constants.len()];
        counts(self) == counts(other)
            && candidates.into_iter().all(|(a, b)| a.is_same(b))
            && constants
                .into_iter()
                .all(|(a, b)| a.0 == b.0 && is_same(a.1, b.1))
            && self.sides == other.sides
    }

    /// Returns the number of samples.
    pub(crate) fn count(&self) -> usize {
        self.sides.count() as usize
    }

    /// Returns the best candidate: the first with the largest gain; `None` if all features are constant, or no cut leaves enough on each
    /// side.
    pub(crate) fn best(&self, choice: Choice) -> Option<Cut> {
        let (mut best, mut largest) = (None, f64::NEG_INFINITY);
        for (index, candidate) in self.candidates.iter().enumerate() {
            let gain = self.sides.gain(index, choice.side);
            if gain > largest {
                (best, largest) = (Some(candidate.cut()), gain);
            }
        }
        best
    }

    /// Adds a sample.
    pub(crate) fn add(
        &mut self,
        key: NodeKey,
        x: &[f32],
        code: T::Code,
        choice: Choice,
    ) -> Outcome {
        if self
            .constants
            .iter()
            .any(|&(feature, value)| !is_same(x[feature as usize], value))
        {
            return Outcome::Renew;
        }
        let candidates = &self.candidates;
        self.sides.add(code, |index| candidates[index].is_left(x));
        let mut outcome = Outcome::UpToDate;
        for (index, candidate) in self.candidates.iter_mut().enumerate() {
            let value = x[candidate.feature as usize];
            if candidate.add(key, choice.number(index), value) {
                outcome = Outcome::Recount;
            }
        }
        outcome
    }

    /// Removes a sample.
    pub(crate) fn remove(&mut self, x: &[f32], code: T::Code) -> Outcome {
        let candidates = &self.candidates;
        self.sides
            .remove(code, |index| candidates[index].is_left(x));
        let gone = |candidate: &mut Candidate| candidate.remove(x[candidate.feature as usize]);
        let gone = self
            .candidates
            .iter_mut()
            .map(gone)
            .fold(false, |any, gone| any | gone);
        if self.sides.may_be_pure() {
            Outcome::Renew
        } else if gone {
            Outcome::Recount
        } else {
            Outcome::UpToDate
        }
    }

    /// Looks at all samples after [`Outcome::Recount`]; returns false if there are other candidates now.
    pub(crate) fn recount(
        &mut self,
        key: NodeKey,
        samples: Samples<'_, T::Code>,
        store: &SampleStore<T::Task>,
        choice: Choice,
        column: &mut Vec<f32>,
    ) -> bool {
        for (index, candidate) in self.candidates.iter_mut().enumerate() {
            let is_attained = candidate.least.count > 0 && candidate.largest.count > 0;
            let number = choice.number(index);
            let is_number = !candidate.is_between_categories();
            if is_attained && is_number && candidate.is_threshold_of(key, number) {
                continue;
            }
            let range = read_column(store, samples.ids, candidate.feature, column);
            if !range.differs(column) {
                return false;
            }
            let before = candidate.cut();
            *candidate = Candidate::new(key, (candidate.feature, number), range, column);
            let cut = candidate.cut();
            if cut != before {
                self.sides
                    .recount(index, column, cut.level(), samples.codes);
            }
        }
        true
    }

    pub(crate) fn bytes(&self) -> usize {
        let candidates = self.candidates.len() * size_of::<Candidate>();
        let constants = self.constants.len() * size_of::<(u32, f32)>();
        candidates + constants + self.sides.bytes()
    }
}

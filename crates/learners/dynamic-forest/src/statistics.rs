//! The candidates of large nodes of exact trees, kept up to date.

mod slab;
#[cfg(test)]
mod tests;

use forest_core::SampleStore;
use serde::{Deserialize, Serialize};

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
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Candidate {
    feature: u32,
    threshold: f32,
    least: Extreme,
    largest: Extreme,
}

/// The least or the largest value, and how many samples have it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
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
    fn new(
        key: NodeKey,
        (feature, number): (u32, u32),
        (lo, hi): (f32, f32),
        column: &[f32],
    ) -> Self {
        Self {
            feature,
            threshold: threshold(key.threshold_number(feature, number), lo, hi),
            least: Extreme::of(lo, column),
            largest: Extreme::of(hi, column),
        }
    }

    fn cut(&self) -> Cut {
        Cut {
            feature: self.feature,
            threshold: self.threshold,
        }
    }

    fn is_left(&self, x: &[f32]) -> bool {
        x[self.feature as usize] <= self.threshold
    }

    /// Notes the value of a new sample.
    fn add(&mut self, value: f32) {
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

    /// Notes that a sample with this value has gone; returns whether an extreme has gone with it.
    fn remove(&mut self, value: f32) -> bool {
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
            let (lo, hi) = read_column(store, samples.ids, feature, column);
            if lo == hi {
                constants.push((feature, lo));
                continue;
            }
            for number in 0..thresholds {
                let candidate = Candidate::new(key, (feature, number), (lo, hi), column);
                sides.recount(found.len(), column, candidate.threshold, samples.codes);
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
        let candidates =
            (&self.candidates, &self.constants) == (&other.candidates, &other.constants);
        candidates && self.sides == other.sides
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
            .any(|&(feature, value)| x[feature as usize] != value)
        {
            return Outcome::Renew;
        }
        let candidates = &self.candidates;
        self.sides.add(code, |index| candidates[index].is_left(x));
        let mut outcome = Outcome::UpToDate;
        for (index, candidate) in self.candidates.iter_mut().enumerate() {
            let draws = key.threshold_number(candidate.feature, choice.number(index));
            let before = candidate.range();
            candidate.add(x[candidate.feature as usize]);
            let (lo, hi) = candidate.range();
            if (lo, hi) != before && threshold(draws, lo, hi) != candidate.threshold {
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
            let (lo, hi) = candidate.range();
            let is_attained = candidate.least.count > 0 && candidate.largest.count > 0;
            let number = choice.number(index);
            let draws = || key.threshold_number(candidate.feature, number);
            if is_attained && threshold(draws(), lo, hi) == candidate.threshold {
                continue;
            }
            let (lo, hi) = read_column(store, samples.ids, candidate.feature, column);
            if lo == hi {
                return false;
            }
            let before = candidate.threshold;
            *candidate = Candidate::new(key, (candidate.feature, number), (lo, hi), column);
            if candidate.threshold != before {
                self.sides
                    .recount(index, column, candidate.threshold, samples.codes);
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

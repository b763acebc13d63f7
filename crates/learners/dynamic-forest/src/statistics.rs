//! What a large node of an exact tree keeps of its candidates, so that a sample which comes or goes updates its best
//! split (docs/papers/dynamic-forest.md, Theorem 1, part 2 of the proof).

#[cfg(test)]
mod tests;

use forest_core::side;
use serde::{Deserialize, Serialize};

use crate::hash::NodeKey;
use crate::labels::{Change, Group, Labels};
use crate::nodes::Child;
use crate::search::Search;
use crate::settings::Rules;
use crate::splits::{Range, Split, divide_categories, is_same, subsets, threshold};

/// The candidates of a node, and the sums of its samples on both sides of each.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) struct Statistics<T: Labels> {
    candidates: Box<[Candidate]>,
    /// The features that were skipped as constant, with their value.
    constants: Box<[(u32, f32)]>,
    sides: T::Sides,
    /// The subtree of the candidate that was the best before.
    pub(crate) aside: Option<Aside>,
}

/// The subtree that was below a node before another candidate became the best.
///
/// Near ties change their order many times within few samples, and a subtree that is restored differs by those samples
/// alone. Of the nodes that such a sample has reached, those stay whose statistics show that their split is still the
/// best; below them, `Nothing` stands for a subtree to be rebuilt. Leaves get their samples when it is restored.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Aside {
    pub(crate) split: Split,
    pub(crate) children: [Child; 2],
    /// The number of samples that have been added and removed since.
    pub(crate) changes: u32,
}

/// A split of a feature whose values are not all the same, and what shows whether another split has taken its place.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Candidate {
    split: Split,
    /// The least number. Of a split between categories: a category, and the samples on the left.
    least: Extreme,
    /// The largest number. Of a split between categories: a category, or the number; and the samples on the right.
    largest: Extreme,
}

/// A value, and how many samples have it or, of a split between categories, are on its side.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Extreme {
    value: f32,
    count: u32,
}

/// What has to be done after a sample has been added or removed, besides updating the statistics.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Outcome {
    /// Nothing.
    UpToDate,
    /// [`recount`](Statistics::recount): the splits of some candidates may have changed.
    Recount,
    /// Build the [statistics](Statistics::new) again: the candidates may be others.
    Renew,
}

impl<T: Labels> Statistics<T> {
    pub(crate) fn new(group: Group<'_, T>, search: &mut Search<T>) -> Self {
        let Group { samples, rules, .. } = group;
        let most = rules.features.min(group.store.width()) * rules.thresholds as usize;
        let mut found = Vec::with_capacity(most);
        let mut constants = Vec::new();
        let mut sides = T::sides(samples, most);
        let mut draws = group.key.order();
        let mut skipped = |feature, value| constants.push((feature, value));
        while found.len() < most
            && let Some(range) = search.next(&mut draws, group, &mut skipped)
        {
            let column = &mut search.column;
            for number in 0..rules.thresholds {
                // The candidate before has divided the categories of the column.
                if number > 0 && range.has_categories {
                    Range::read(group.store, samples.ids, range.feature, column);
                }
                let candidate = Candidate::new(group.key, number, range, column);
                let level = candidate.split.level();
                T::recount(&mut sides, found.len(), column, level, samples);
                found.push(candidate);
            }
        }
        search.order.restart();
        T::narrow(&mut sides, found.len());
        Self {
            candidates: found.into(),
            constants: constants.into(),
            sides,
            aside: None,
        }
    }

    pub(crate) fn count(&self) -> usize {
        T::count(&self.sides) as usize
    }

    /// Returns the first split with the largest gain; `None` without a split that leaves enough samples on each side.
    pub(crate) fn best(&self, rules: Rules) -> Option<Split> {
        let (mut best, mut largest) = (None, f64::NEG_INFINITY);
        for (index, candidate) in self.candidates.iter().enumerate() {
            let gain = T::gain_of(&self.sides, index, rules.min_leaf);
            if gain > largest {
                (best, largest) = (Some(candidate.split), gain);
            }
        }
        best
    }

    /// Adds or removes a sample at `x`; returns what else has to be done.
    pub(crate) fn change(
        &mut self,
        key: NodeKey,
        x: &[f32],
        change: Change<T>,
        rules: Rules,
    ) -> Outcome {
        let Change { sample, step, .. } = change;
        let mut constants = self.constants.iter();
        if step > 0 && constants.any(|&(feature, value)| !is_same(x[feature as usize], value)) {
            return Outcome::Renew;
        }
        let candidates = &self.candidates;
        T::change(&mut self.sides, sample, step, |index| {
            candidates[index].split.side(x) == 0
        });
        let mut outcome = Outcome::UpToDate;
        for (index, candidate) in self.candidates.iter_mut().enumerate() {
            let value = x[candidate.split.feature as usize];
            let has_moved = match step {
                1 => candidate.add(key, rules.threshold_number(index), value),
                _ => candidate.remove(value),
            };
            if has_moved {
                outcome = Outcome::Recount;
            }
        }
        match step {
            -1 if T::may_be_pure(&self.sides) => Outcome::Renew,
            _ => outcome,
        }
    }

    /// Updates the splits of candidates from all samples; returns false if a feature has become constant.
    pub(crate) fn recount(&mut self, group: Group<'_, T>, search: &mut Search<T>) -> bool {
        let Group { key, samples, .. } = group;
        let column = &mut search.column;
        for (index, candidate) in self.candidates.iter_mut().enumerate() {
            let is_attained = candidate.least.count > 0 && candidate.largest.count > 0;
            let number = group.rules.threshold_number(index);
            let is_number = !candidate.is_between_categories();
            if is_attained && is_number && candidate.is_threshold_of(key, number) {
                continue;
            }
            let range = Range::read(group.store, samples.ids, candidate.split.feature, column);
            if !range.differs(column) {
                return false;
            }
            let before = candidate.split;
            *candidate = Candidate::new(key, number, range, column);
            let split = candidate.split;
            if split != before {
                T::recount(&mut self.sides, index, column, split.level(), samples);
            }
        }
        true
    }

    pub(crate) fn bytes(&self) -> usize {
        let candidates = size_of_val(&*self.candidates) + size_of_val(&*self.constants);
        candidates + T::sides_bytes(&self.sides)
    }

    /// Returns whether the statistics have the shape of those of a node of `width` features.
    pub(crate) fn is_shaped(&self, width: usize) -> bool {
        let candidates = self.candidates.iter().map(|one| one.split.feature);
        let constants = self.constants.iter().map(|constant| constant.0);
        let mut features = candidates.chain(constants);
        !self.candidates.is_empty()
            && T::are_sides(&self.sides, self.candidates.len())
            && features.all(|feature| (feature as usize) < width)
    }
}

impl Extreme {
    fn of(value: f32, column: &[f32]) -> Self {
        let count = column.iter().filter(|&&other| other == value).count() as u32;
        Self { value, count }
    }

    fn increment(&mut self) {
        self.count = self.count.wrapping_add(1);
    }

    /// Returns whether the count is 0 now.
    fn decrement(&mut self) -> bool {
        self.count = self.count.wrapping_sub(1);
        self.count == 0
    }
}

impl Candidate {
    /// Returns candidate `number` of a feature with these values, and divides its categories.
    fn new(key: NodeKey, number: u32, range: Range, column: &mut [f32]) -> Self {
        let mut candidate = Self {
            split: range.split(key, number, column),
            least: Extreme::of(range.lo, column),
            largest: Extreme::of(range.hi, column),
        };
        if candidate.is_between_categories() {
            candidate.count_sides(range, column);
        }
        if range.has_categories {
            divide_categories(column, candidate.split);
        }
        candidate
    }

    #[cold]
    fn count_sides(&mut self, range: Range, column: &[f32]) {
        let has_numbers = range.lo <= range.hi;
        self.least.value = column[0];
        self.largest.value = if has_numbers { range.hi } else { column[0] };
        self.least.count = 0;
        self.largest.count = 0;
        for &value in column {
            self.beside(value).increment();
        }
    }

    /// Returns whether the split does not divide numbers.
    #[inline]
    fn is_between_categories(&self) -> bool {
        !self.split.threshold.is_finite()
    }

    /// Returns the samples on the side of a value, for a split between categories.
    fn beside(&mut self, value: f32) -> &mut Extreme {
        match side(value, self.split.threshold) {
            0 => &mut self.least,
            _ => &mut self.largest,
        }
    }

    /// Adds the value of a sample; returns whether that changes the split.
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

    /// Adds a number; categories change nothing, since they compare with no number.
    fn add_number(&mut self, value: f32) {
        if value == self.least.value {
            self.least.increment();
        } else if value < self.least.value {
            self.least = Extreme { value, count: 1 };
        }
        if value == self.largest.value {
            self.largest.increment();
        } else if value > self.largest.value {
            self.largest = Extreme { value, count: 1 };
        }
    }

    /// As [`add`](Self::add), for a split between categories: new numbers, and categories that earlier subsets divide
    /// from the others, change it.
    #[cold]
    fn add_category(&mut self, key: NodeKey, number: u32, value: f32) -> bool {
        /// Two categories are on one side of all of this many subsets with probability 2⁻²⁰⁰.
        const ENOUGH: usize = 200;
        self.beside(value).increment();
        if !self.split.threshold.is_nan() {
            return !value.is_nan() && value != self.largest.value;
        }
        // All categories so far are on one side of each subset before this one.
        let one = self.least.value;
        let mut before = subsets(key, self.split.feature, number)
            .take_while(|subset| subset.to_bits() != self.split.threshold.to_bits())
            .take(ENOUGH);
        !value.is_nan() || before.any(|subset| side(value, subset) != side(one, subset))
    }

    /// Removes the value of a sample; returns whether an extreme or a side has no sample left: the split may change.
    fn remove(&mut self, value: f32) -> bool {
        if self.is_between_categories() {
            return self.beside(value).decrement();
        }
        value == self.least.value && self.least.decrement()
            || value == self.largest.value && self.largest.decrement()
    }

    fn range(&self) -> (f32, f32) {
        (self.least.value, self.largest.value)
    }

    /// Returns whether the threshold is that of the extremes.
    #[inline]
    fn is_threshold_of(&self, key: NodeKey, number: u32) -> bool {
        let (lo, hi) = self.range();
        let draws = key.threshold(self.split.feature, number);
        lo < hi
            && lo.is_finite()
            && hi.is_finite()
            && threshold(draws, lo, hi) == self.split.threshold
    }
}

//! The sums of targets that trees keep: integers, so that the order of summation does not matter.

use std::fmt::Debug;

use forest_core::{SampleId, SampleStore, Task};
use serde::{Serialize, de::DeserializeOwned};

use crate::hash::NodeKey;
use crate::settings::Rules;
use crate::unit::Unit;

/// A task as these trees learn it. Sealed: classification and regression.
pub trait Labels: Task {
    /// A target as an integer: its class, or a multiple of the tree's unit.
    type Code: Copy + Debug + Default + PartialEq + Send + Sync + 'static;
    /// Sums over the samples of a node, while its split is chosen.
    type Tally: Debug + Default;
    /// Sums over all samples of a node and over those left of its candidates, kept up to date.
    type Sides: Clone + Debug + Default + PartialEq + Send + Sync + Serialize + DeserializeOwned;
    /// Sums over the samples of leaves whose samples differ in their target, and of inner nodes that keep them.
    type Leaves: Clone + Debug + Default + Send + Sync + Serialize + DeserializeOwned;

    /// Returns K, the number of candidates by default, for points of this number of features.
    fn candidates(width: usize) -> usize;

    /// Returns the code of a target.
    fn code(target: Self::Target, unit: &Unit) -> Self::Code;

    /// Counts a target that is added or removed: `step` is 1 or −1, here and below. Returns whether that changes codes.
    fn count_target(_: &mut Unit, _: Self::Target, _step: i32) -> bool {
        false
    }

    /// Adds the prediction of a leaf whose samples all have this code.
    fn add_vote(code: Self::Code, unit: &Unit, sum: &mut [f64]);

    /// Sums the samples of a node, before the gains of its candidates are asked for.
    fn begin(tally: &mut Self::Tally, samples: Samples<'_, Self>);

    /// Returns the gain of splitting samples at a level of a feature; −∞ if a side has too few.
    fn gain(tally: &mut Self::Tally, column: &[f32], level: f32, group: Group<'_, Self>) -> f64;

    /// Returns the gain that no candidate exceeds; ∞ if it is unknown.
    fn largest_gain(_: Samples<'_, Self>) -> f64 {
        f64::INFINITY
    }

    /// Returns the sums of samples, before those of up to `candidates` candidates are [recounted](Self::recount).
    fn sides(samples: Samples<'_, Self>, candidates: usize) -> Self::Sides;

    /// Keeps the sums of the first `candidates` candidates alone: the others were not found.
    fn narrow(sides: &mut Self::Sides, candidates: usize);

    /// Adds or removes a sample that is left of the candidates for which `left` returns true.
    fn change(sides: &mut Self::Sides, own: Coded<Self>, step: i32, left: impl Fn(usize) -> bool);

    /// Sums the samples left of a candidate again.
    fn recount(
        sides: &mut Self::Sides,
        candidate: usize,
        column: &[f32],
        level: f32,
        samples: Samples<'_, Self>,
    );

    /// Returns the [gain](Self::gain) of a candidate, bit for bit.
    fn gain_of(sides: &Self::Sides, candidate: usize, min_leaf: u32) -> f64;

    /// Returns the number of samples.
    fn count(sides: &Self::Sides) -> u32;

    /// Returns true if all codes are equal, and in rare cases if they are not; there is a candidate.
    fn may_be_pure(sides: &Self::Sides) -> bool;

    /// Returns the bytes allocated.
    fn sides_bytes(sides: &Self::Sides) -> usize;

    /// Returns whether there are sums for exactly this number of candidates.
    fn are_sides(sides: &Self::Sides, candidates: usize) -> bool;

    /// Makes a leaf of samples; returns its number.
    fn leaf(leaves: &mut Self::Leaves, samples: Samples<'_, Self>) -> u32;

    /// Adds a sample to a leaf, or removes it.
    fn change_leaf(leaves: &mut Self::Leaves, leaf: u32, sample: Coded<Self>, step: i32);

    /// Releases a leaf.
    fn release_leaf(leaves: &mut Self::Leaves, leaf: u32);

    /// Overwrites `prediction` with that of a leaf, without one of its samples if one is given.
    fn predict_leaf(
        leaves: &Self::Leaves,
        leaf: u32,
        without: Option<Coded<Self>>,
        unit: &Unit,
        prediction: &mut [f64],
    );

    /// Returns n/(C nₖ) for the n samples of a leaf with this one, of C classes, nₖ of its class; 1 for numbers.
    fn rarity(_: &Self::Leaves, _leaf: u32, _: Coded<Self>) -> f64 {
        1.0
    }

    /// Returns the bytes allocated.
    fn leaves_bytes(leaves: &Self::Leaves) -> usize;

    /// Returns whether these are all the leaves, each once, all other memory is free, and classes are below `width`.
    fn are_leaves(leaves: &Self::Leaves, numbers: &[u32], width: usize) -> bool;
}

/// The code of a sample, and how often it counts: once, until a sample of the tree has a weight other than 1; then its
/// weight in units of 2⁻³⁰. Sums wrap where weights add up to more than 2³⁴ in a tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coded<T: Labels> {
    pub(crate) code: T::Code,
    pub(crate) units: u64,
}

/// A sample that is added, if `step` is 1, or removed, if it is −1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change<T: Labels> {
    pub(crate) id: SampleId,
    pub(crate) sample: Coded<T>,
    pub(crate) is_silent: bool,
    pub(crate) step: i32,
}

/// Returns how many of their last binary digits weights lose in a gain, so that those of a node sum to less than 2³².
#[inline]
pub(crate) fn lost_digits(all: u64) -> u32 {
    32u32.saturating_sub(all.leading_zeros())
}

/// The samples of a node, or a part of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Samples<'a, T: Labels> {
    pub(crate) ids: &'a [SampleId],
    pub(crate) codes: &'a [T::Code],
    /// How often each counts; empty if each counts once.
    pub(crate) weights: &'a [u64],
}

impl<'a, T: Labels> Samples<'a, T> {
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.ids.len()
    }

    /// Returns whether all have the same target.
    #[inline]
    pub(crate) fn are_pure(&self) -> bool {
        self.codes.iter().all(|code| *code == self.codes[0])
    }

    /// Returns how often the sample at `index` counts.
    #[inline]
    pub(crate) fn units(&self, index: usize) -> u64 {
        self.weights.get(index).copied().unwrap_or(1)
    }

    pub(crate) fn coded(self) -> impl Iterator<Item = Coded<T>> + 'a {
        self.codes.iter().enumerate().map(move |(index, &code)| {
            let units = self.units(index);
            Coded { code, units }
        })
    }
}

/// The active samples of a node, with all else that determines its split.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group<'a, T: Labels> {
    pub(crate) key: NodeKey,
    pub(crate) samples: Samples<'a, T>,
    pub(crate) store: &'a SampleStore<T>,
    pub(crate) rules: Rules,
}

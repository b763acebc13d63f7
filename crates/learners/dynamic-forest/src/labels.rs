//! What trees add up of targets: integers, so that the order of summation does not matter.

use std::fmt::Debug;

use forest_core::Task;
use serde::{Serialize, de::DeserializeOwned};

use crate::numbers::Unit;
use crate::samples::{Samples, Scratch, Scratches};

/// A task as these trees learn it. Sealed: [`Classification`](forest_core::Classification) and [`Regression`](forest_core::Regression).
pub trait Labels: Task {
    /// A target as an integer: its class, or a multiple of the tree's unit.
    type Code: Copy + Debug + Default + PartialEq + Send + Sync + 'static;
    /// Sums over the samples of a node, while its cut is chosen.
    type Tally: Debug + Default;
    /// Sums over all samples of a node and over those left of its candidates, kept up to date.
    type Sides: Clone + Debug + Default + PartialEq + Send + Sync + Serialize + DeserializeOwned;
    /// Sums over the samples of leaves whose samples differ in their target, and of inner nodes that keep them.
    type Leaves: Clone + Debug + Default + Send + Sync + Serialize + DeserializeOwned;

    /// Returns K, the number of candidates by default, for points of this number of features.
    fn candidates(width: usize) -> usize;

    /// Returns the working memory of this task.
    fn scratch(all: &mut Scratches) -> &mut Scratch<Self>;

    /// Returns the code of a target.
    fn code(target: Self::Target, unit: &Unit) -> Self::Code;

    /// Counts a target that comes or goes: `step` is 1 or −1, here and below. Returns whether that changes codes.
    fn count_target(_: &mut Unit, _: Self::Target, _step: i32) -> bool {
        false
    }

    /// Adds the prediction of a leaf whose samples all have this code.
    fn add_vote(code: Self::Code, unit: &Unit, sum: &mut [f64]);

    /// Begins with the samples of a node, of which a cut leaves at least `side` on each side.
    fn begin(tally: &mut Self::Tally, samples: Samples<'_, Self>, side: u32);

    /// Returns how good it is to cut these samples at a level of a feature, whose values are in `column`: larger is
    /// better, and −∞ if a side has too few samples.
    fn gain(tally: &mut Self::Tally, column: &[f32], level: f32, samples: Samples<'_, Self>)
    -> f64;

    /// Returns the gain that no candidate exceeds, if that is known.
    fn largest_gain(_: Samples<'_, Self>) -> f64 {
        f64::INFINITY
    }

    /// Returns the sums of samples, before those of up to `candidates` candidates are [recounted](Self::recount).
    fn sides(samples: Samples<'_, Self>, candidates: usize) -> Self::Sides;

    /// Drops the candidates from this number on, which were not found.
    fn narrow(sides: &mut Self::Sides, candidates: usize);

    /// Adds a sample that is left of the candidates for which `left` is true, or takes it out.
    fn change(sides: &mut Self::Sides, own: Coded<Self>, step: i32, left: impl Fn(usize) -> bool);

    /// Recounts what is left of a candidate.
    fn recount(
        sides: &mut Self::Sides,
        candidate: usize,
        column: &[f32],
        level: f32,
        samples: Samples<'_, Self>,
    );

    /// Returns the gain of a candidate: as [`gain`](Self::gain), bit for bit.
    fn gain_of(sides: &Self::Sides, candidate: usize, side: u32) -> f64;

    /// Returns the number of samples.
    fn count(sides: &Self::Sides) -> u32;

    /// False if some codes differ for certain; there are candidates, with samples on both sides.
    fn may_be_pure(sides: &Self::Sides) -> bool;

    /// Returns the bytes allocated.
    fn sides_bytes(sides: &Self::Sides) -> usize;

    /// Returns whether there are sums for this number of candidates.
    fn are_sides(sides: &Self::Sides, candidates: usize) -> bool;

    /// Makes a leaf of samples; returns its number.
    fn leaf(leaves: &mut Self::Leaves, samples: Samples<'_, Self>) -> u32;

    /// Adds a sample to a leaf, or takes it out.
    fn change_leaf(leaves: &mut Self::Leaves, leaf: u32, sample: Coded<Self>, step: i32);

    /// Releases a leaf.
    fn release_leaf(leaves: &mut Self::Leaves, leaf: u32);

    /// Fills `prediction` with that of a leaf, without one of its samples if one is given.
    fn predict_leaf(
        leaves: &Self::Leaves,
        leaf: u32,
        without: Option<Coded<Self>>,
        unit: &Unit,
        prediction: &mut [f64],
    );

    /// Returns n/(C nₖ), for n samples of C classes and nₖ of that of a sample, with this one more; 1 for numbers.
    fn rarity(_: &Self::Leaves, _leaf: u32, _: Coded<Self>) -> f64 {
        1.0
    }

    /// Returns the bytes allocated.
    fn leaves_bytes(leaves: &Self::Leaves) -> usize;

    /// Returns whether these are all the leaves, each once, what is not theirs is free, and classes are below `width`.
    fn are_leaves(leaves: &Self::Leaves, numbers: &[u32], width: usize) -> bool;
}

/// The code of a sample, and how often it counts: once, until a sample of the tree has a weight other than 1; then as often as it weighs units of 2⁻³⁰.
///
/// Samples of a tree count less than 2⁶⁴ times, so they weigh less than 2³⁴. Beyond that sums wrap, and are right again once samples have gone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coded<T: Labels> {
    pub(crate) code: T::Code,
    pub(crate) units: u64,
}

/// Returns how many of their last digits counts lose in a gain, so that those of a node add up to less than 2³²: none unless they are weights.
#[inline]
pub(crate) fn lost_digits(all: u64) -> u32 {
    32u32.saturating_sub(all.leading_zeros())
}

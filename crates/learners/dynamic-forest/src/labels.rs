//! What trees add up of targets: integers, so that the order of summation does not matter.

use std::fmt::Debug;

use forest_core::{Classification, Regression, Task};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::samples::{Samples, Scratch, Scratches};

/// A task as these trees learn it. Sealed: [`Classification`] and [`Regression`].
pub trait Labels: Task + Sums {}

impl Labels for Classification {}
impl Labels for Regression {}

/// What is added up of the targets of a task.
pub(crate) trait Sums: Task {
    /// A target as an integer: its class, or a multiple of the tree's unit.
    type Code: Copy + Debug + Default + PartialEq + Send + Sync + 'static;
    /// Turns targets into codes; a function of the tree's samples.
    type Unit: CodeUnit<Self>;
    /// Sums over the samples of a node, while its cut is chosen.
    type Tally: Tally<Self::Code>;
    /// Sums over all samples of a node and over those left of its candidates, kept up to date.
    type Sides: Sides<Self::Code>;
    /// Sums over the samples of leaves whose samples differ in their target.
    type Mixed: MixedLeaves<Self>;

    /// Returns K, the number of candidates by default, for points of this number of features.
    fn candidates(width: usize) -> usize;

    /// Adds the prediction of a leaf whose samples all have this code.
    fn add_vote(code: Self::Code, unit: &Self::Unit, sum: &mut [f64]);

    /// Returns the part of this task.
    fn scratch(all: &mut Scratches) -> &mut Scratch<Self>;
}

/// The code of a sample, and how often it counts: once, until a sample of the tree has a weight other than 1; then as often as it weighs units of 2⁻³⁰.
///
/// Samples of a tree count less than 2⁶⁴ times, so they weigh less than 2³⁴. Beyond that sums wrap, and are right again once samples have gone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coded<C> {
    pub(crate) code: C,
    pub(crate) units: u64,
}

/// Returns how many of their last digits counts lose in a gain, so that those of a node add up to less than 2³²: none unless they are weights.
#[inline]
pub(crate) fn lost_digits(all: u64) -> u32 {
    32u32.saturating_sub(all.leading_zeros())
}

/// Adds up how often samples count.
#[inline]
pub(crate) fn total(units: impl Iterator<Item = u64>) -> u64 {
    units.fold(0, u64::wrapping_add)
}

/// See [`Sums::Unit`].
pub(crate) trait CodeUnit<T: Sums>:
    Clone + Debug + Default + PartialEq + Send + Sync + Serialize + DeserializeOwned
{
    /// Returns the code of a target.
    fn code(&self, target: T::Target) -> T::Code;

    /// Returns how many codes are one: with the same, targets have the same codes.
    fn scale(&self) -> f64 {
        1.0
    }

    /// Adds a new sample; returns whether codes have changed.
    fn add(&mut self, target: T::Target) -> bool {
        let _ = target;
        false
    }

    /// Removes a sample; returns whether codes have changed.
    fn remove(&mut self, target: T::Target) -> bool {
        let _ = target;
        false
    }
}

/// See [`Sums::Tally`].
pub(crate) trait Tally<C>: Debug + Default {
    /// Begins with the samples of a node, of which a cut leaves at least `side` on each side.
    fn begin(&mut self, samples: Samples<'_, C>, side: u32);

    /// Returns how good it is to cut these samples at `threshold` of a feature, whose values are in `column`: larger is
    /// better, and −∞ if a side has too few samples.
    fn gain(&mut self, column: &[f32], threshold: f32, samples: Samples<'_, C>) -> f64;

    /// Returns the gain that no candidate exceeds, if that is known.
    fn largest_gain(samples: Samples<'_, C>) -> f64 {
        let _ = samples;
        f64::INFINITY
    }

    /// Ends with the samples of the node.
    fn end(&mut self, codes: &[C]) {
        let _ = codes;
    }
}

/// See [`Sums::Sides`].
pub(crate) trait Sides<C>:
    Clone + Debug + Default + PartialEq + Send + Sync + Serialize + DeserializeOwned
{
    /// Creates the sums of samples, before [`Sides::recount`] of each of up to `candidates` candidates.
    fn new(samples: Samples<'_, C>, candidates: usize) -> Self;

    /// Sets the number of candidates.
    fn found(&mut self, candidates: usize);

    /// Adds a sample that is left of the candidates for which `is_left` is true, or takes it out: `step` is 1 or −1.
    fn change(&mut self, sample: Coded<C>, step: i32, is_left: impl Fn(usize) -> bool);

    /// Recounts what is left of a candidate.
    fn recount(&mut self, candidate: usize, column: &[f32], level: f32, samples: Samples<'_, C>);

    /// Returns the gain of a candidate: as [`Tally::gain`], bit for bit.
    fn gain(&self, candidate: usize, side: u32) -> f64;

    /// Returns the number of samples.
    fn count(&self) -> u32;

    /// False if some codes differ for certain; there are candidates, with samples on both sides.
    fn may_be_pure(&self) -> bool;

    /// Bytes allocated.
    fn bytes(&self) -> usize;

    /// Returns whether it has sums for this number of candidates.
    fn is_shaped(&self, candidates: usize) -> bool;
}

/// See [`Sums::Mixed`].
pub(crate) trait MixedLeaves<T: Sums>:
    Clone + Debug + Default + Send + Sync + Serialize + DeserializeOwned
{
    /// Lets samples count as their weights say, before the first leaf.
    fn weigh(&mut self) {}

    /// Makes a leaf of samples; returns its number.
    fn insert(&mut self, samples: Samples<'_, T::Code>) -> u32;

    /// Adds a sample, or takes it out: `step` is 1 or −1.
    fn change(&mut self, leaf: u32, sample: Coded<T::Code>, step: i32);

    /// Releases a leaf.
    fn release(&mut self, leaf: u32);

    /// Fills `prediction` with that of a leaf, without one of its samples if one is given.
    fn vote(
        &self,
        leaf: u32,
        without: Option<Coded<T::Code>>,
        unit: &T::Unit,
        prediction: &mut [f64],
    );

    /// Returns n/(C nₖ), for n samples of C classes and nₖ of that of a sample, with this one more; 1 for numbers.
    fn rarity(&self, leaf: u32, sample: Coded<T::Code>) -> f64 {
        let _ = (leaf, sample);
        1.0
    }

    /// Bytes allocated.
    fn bytes(&self) -> usize;

    /// Returns whether these are all the leaves, each once, what is not theirs is free, and classes are below `width`.
    fn is_shaped(&self, leaves: &[u32], width: usize) -> bool;
}

/// What inner nodes keep of the samples below them.
pub(crate) trait Totals:
    Copy + Debug + Default + Send + Sync + Serialize + DeserializeOwned
{
    fn get(self) -> Option<Counts>;
    fn set(&mut self, counts: Counts);
}

/// Nothing: such trees are read at their leaves.
impl Totals for () {
    #[inline]
    fn get(self) -> Option<Counts> {
        None
    }

    fn set(&mut self, _: Counts) {}
}

/// The number of the sums of a node's samples, where those of leaves are, and the number of samples on each side.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Counts {
    pub(crate) sums: u32,
    pub(crate) sides: [u32; 2],
}

impl Totals for Counts {
    #[inline]
    fn get(self) -> Option<Counts> {
        Some(self)
    }

    #[inline]
    fn set(&mut self, counts: Counts) {
        *self = counts;
    }
}

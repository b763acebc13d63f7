//! What trees do with targets: classes and numbers.

mod classes;
mod numbers;

use std::fmt::Debug;

use forest_core::{Classification, InvariantError, Regression, Task};
use serde::{Serialize, de::DeserializeOwned};

pub use classes::{ClassSides, ClassTally, Classes};
pub use numbers::{NumberSides, NumberTally, Numbers};

use crate::scratch::{Scratch, lend_scratch};
pub use crate::unit::{NoUnit, Unit};

/// A task as these trees learn it. Sealed: [`Classification`] and [`Regression`].
pub trait Labels: Task + sealed::Labels {}

impl Labels for Classification {}
impl Labels for Regression {}

pub(crate) mod sealed {
    use super::*;

    /// What a tree adds up of targets, in integers, so that no order of summation matters.
    pub trait Labels: Task {
        /// A target as an integer: its class, or a multiple of the tree's unit.
        type Code: Copy + Debug + Default + PartialEq + Send + Sync + 'static;
        /// What turns targets into codes: a function of the tree's samples.
        type Unit: CodeUnit<Self>;
        /// Sums over the samples of a node, while its cut is chosen.
        type Tally: Tally<Self::Code>;
        /// Sums over all samples of a node and over those left of its candidates, kept up to date.
        type Sides: Sides<Self::Code>;
        /// Sums over the samples of leaves whose samples differ in their target.
        type Mixed: MixedLeaves<Self>;

        /// Whether K, the number of candidates, is √d by default rather than d.
        const FEW_CANDIDATES: bool;

        /// Lends working memory that the thread keeps. What `work` does must not ask for it again.
        fn with_scratch<R>(work: impl FnOnce(&mut Scratch<Self>) -> R) -> R
        where
            Self: super::Labels;

        /// Fills `accumulator` with the answer of a leaf whose samples all have this code.
        fn vote(code: Self::Code, unit: &Self::Unit, accumulator: &mut [f64]);

        /// Adds that answer to `sum`.
        fn add_vote(code: Self::Code, unit: &Self::Unit, sum: &mut [f64]);
    }

    /// See [`Labels::Unit`].
    pub trait CodeUnit<T: Task>:
        Clone + Debug + Default + PartialEq + Send + Sync + Serialize + DeserializeOwned
    {
        /// The code of a target.
        fn code(&self, target: T::Target) -> <T as Labels>::Code
        where
            T: Labels;

        /// Takes a new sample into account; returns whether codes have changed.
        fn add(&mut self, target: T::Target) -> bool;

        /// Takes a sample out of account; returns whether codes have changed.
        fn remove(&mut self, target: T::Target) -> bool;

        /// Bytes allocated.
        fn bytes(&self) -> usize;
    }

    /// See [`Labels::Tally`].
    pub trait Tally<C>: Clone + Debug + Default + Send + Sync {
        /// Makes room for this many samples.
        fn fit(&mut self, samples: usize);

        /// Begins with the samples of a node, of which a cut leaves at least `side` on each side.
        fn begin(&mut self, codes: &[C], side: u32);

        /// How good it is to cut these samples at `threshold` of a feature, whose values are in `column`: larger is
        /// better, and −∞ if a side has too few samples.
        fn gain(&mut self, column: &[f32], threshold: f32, codes: &[C]) -> f64;

        /// The gain that no candidate exceeds, if that is known.
        fn largest_gain(&self) -> f64;

        /// Ends with the samples of the node.
        fn end(&mut self, codes: &[C]);
    }

    /// See [`Labels::Sides`].
    pub trait Sides<C>:
        Clone + Debug + PartialEq + Send + Sync + Serialize + DeserializeOwned
    {
        /// Of samples with these codes, before [`Sides::recount`] of each of up to `candidates` candidates.
        fn new(codes: &[C], candidates: usize) -> Self;
        /// States how many candidates there are.
        fn found(&mut self, candidates: usize);
        /// Takes a sample into account that is left of the candidates that `is_left` says.
        fn add(&mut self, code: C, is_left: impl Fn(usize) -> bool);
        /// Takes a sample out of account.
        fn remove(&mut self, code: C, is_left: impl Fn(usize) -> bool);
        /// Counts anew what is left of a candidate.
        fn recount(&mut self, candidate: usize, column: &[f32], threshold: f32, codes: &[C]);
        /// The gain of a candidate: as [`Tally::gain`], bit for bit.
        fn gain(&self, candidate: usize, side: u32) -> f64;
        /// The number of samples.
        fn count(&self) -> u32;
        /// False if some codes differ for certain; there are candidates, with samples on both sides.
        fn may_be_pure(&self) -> bool;
        /// Bytes allocated.
        fn bytes(&self) -> usize;
    }

    /// See [`Labels::Mixed`].
    pub trait MixedLeaves<T: Labels>:
        Clone + Debug + Default + Send + Sync + Serialize + DeserializeOwned
    {
        /// Makes a leaf of samples with these codes.
        fn insert(&mut self, codes: &[T::Code]) -> u32;
        /// Takes a sample into account.
        fn add(&mut self, leaf: u32, code: T::Code);
        /// Takes a sample out of account.
        fn remove(&mut self, leaf: u32, code: T::Code);
        /// Gives up a leaf.
        fn release(&mut self, leaf: u32);
        /// Fills `accumulator` with the answer of a leaf.
        fn vote(&self, leaf: u32, unit: &T::Unit, accumulator: &mut [f64]);
        /// Bytes allocated.
        fn bytes(&self) -> usize;
        /// Whether leaf `leaf` exists and holds what samples with these codes add up to.
        ///
        /// # Errors
        /// What does not hold.
        fn check(&self, leaf: u32, codes: &[T::Code]) -> Result<(), InvariantError>;

        /// Whether these are all the leaves, and what is not theirs is free.
        ///
        /// # Errors
        /// What does not hold.
        fn check_all(&self, leaves: &[u32]) -> Result<(), InvariantError>;
    }
}

impl sealed::Labels for Classification {
    type Code = u32;
    type Unit = NoUnit;
    type Tally = ClassTally;
    type Sides = ClassSides;
    type Mixed = Classes;
    const FEW_CANDIDATES: bool = true;
    lend_scratch!(Classification);

    fn vote(class: u32, _: &NoUnit, accumulator: &mut [f64]) {
        Self::certain_prediction(class, accumulator);
    }

    #[inline]
    fn add_vote(class: u32, _: &NoUnit, sum: &mut [f64]) {
        sum[class as usize] += 1.0;
    }
}

impl sealed::Labels for Regression {
    type Code = i64;
    type Unit = Unit;
    type Tally = NumberTally;
    type Sides = NumberSides;
    type Mixed = Numbers;
    const FEW_CANDIDATES: bool = false;
    lend_scratch!(Regression);

    fn vote(code: i64, unit: &Unit, accumulator: &mut [f64]) {
        accumulator[0] = unit.target(code);
    }

    #[inline]
    fn add_vote(code: i64, unit: &Unit, sum: &mut [f64]) {
        sum[0] += unit.target(code);
    }
}

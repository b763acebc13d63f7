//! How trees summarise targets: classes and numbers.

mod classes;
mod kept;
mod numbers;
mod totals;
mod weighted;

use std::fmt::Debug;

use forest_core::registry::NamedTask;
use forest_core::{
    Classification, InvariantError, Regression, SampleId, SampleStore, SampleWeight, Task,
};
use serde::{Serialize, de::DeserializeOwned};

pub(crate) use classes::{ClassSides, ClassTally, Classes};
pub(crate) use kept::{Keep, Kept};
pub(crate) use numbers::{NumberSides, NumberTally, Numbers, Sum};
pub(crate) use totals::{Counts, Totals};
pub(crate) use weighted::WeightedSums;

use crate::scratch::{ScratchOf, lend_scratch};
use crate::silence::Silence;
pub(crate) use crate::unit::{NoUnit, Unit};

/// A task as these trees learn it. Sealed: [`Classification`] and [`Regression`].
#[expect(
    private_bounds,
    reason = "sealed: what it asks of a task is not for other crates"
)]
pub trait Labels: NamedTask + sealed::Labels {}

impl Labels for Classification {}
impl Labels for Regression {}

pub(crate) mod sealed {
    use super::*;

    /// A task for these trees. As [`Sums`] it stands for samples that count as one each.
    pub(crate) trait Labels: Task + Sums<Task = Self, Silence = ()> {
        /// Turns targets into codes; a function of the tree's samples.
        type Unit: CodeUnit<Self>;
        /// The sums of trees whose samples have weights.
        type Weighted: Sums<Task = Self, Silence = ()>;

        /// Fills `accumulator` with the prediction of a leaf whose samples all have this code.
        fn vote(code: CodeOf<Self>, unit: &Self::Unit, accumulator: &mut [f64]);

        /// Adds that prediction to `sum`.
        fn add_vote(code: CodeOf<Self>, unit: &Self::Unit, sum: &mut [f64]);
    }

    /// A target as an integer: its class, or a multiple of the tree's unit.
    pub(crate) type CodeOf<T> = <<T as Labels>::Unit as CodeUnit<T>>::Code;

    /// Turns targets into codes.
    pub(crate) type UnitOf<T> = <<T as Sums>::Task as Labels>::Unit;

    /// The sums of a tree over targets, in integers, so that the order of summation does not matter.
    pub(crate) trait Sums: Clone + Debug + Default + Send + Sync + 'static {
        /// Classification or regression.
        type Task: super::Labels;
        /// The code of a sample in sums.
        type Code: Code;
        /// Sums over the samples of a node, while its cut is chosen.
        type Tally: Tally<Self::Code>;
        /// Sums over all samples of a node and over those left of its candidates, kept up to date.
        type Sides: Sides<Self::Code>;
        /// Sums over the samples of leaves whose samples differ in their target.
        type Mixed: MixedLeaves<Self::Code, Unit = UnitOf<Self>>;
        /// What inner nodes keep of the samples below them.
        type Totals: Totals<Self::Code, Self::Mixed>;
        /// Which samples choose no cuts.
        type Silence: Silence;

        /// Returns the code of a sample.
        #[inline]
        fn code(unit: &UnitOf<Self>, store: &SampleStore<Self::Task>, id: SampleId) -> Self::Code {
            Self::code_of(unit, store.target(id), store.weight(id))
        }

        /// Returns the code of a sample of this target and weight.
        fn code_of(
            unit: &UnitOf<Self>,
            target: <Self::Task as Task>::Target,
            weight: SampleWeight,
        ) -> Self::Code;

        /// Returns K, the number of candidates by default, for points of this number of features.
        fn candidates(width: usize) -> usize {
            <Self::Task as Sums>::candidates(width)
        }

        /// Lends working memory that the thread keeps. What `work` does must not ask for it again.
        fn with_scratch<R>(work: impl FnOnce(&mut ScratchOf<Self>) -> R) -> R;
    }

    /// See [`Sums::Code`].
    pub(crate) trait Code: Copy + Debug + Default + Send + Sync + 'static {
        /// Returns whether the targets are the same, whatever their samples weigh.
        fn is_same(self, other: Self) -> bool;
    }

    impl Code for u32 {
        #[inline]
        fn is_same(self, other: Self) -> bool {
            self == other
        }
    }

    impl Code for i64 {
        #[inline]
        fn is_same(self, other: Self) -> bool {
            self == other
        }
    }

    /// See [`Labels::Unit`].
    pub(crate) trait CodeUnit<T: Task>:
        Clone + Debug + Default + PartialEq + Send + Sync + Serialize + DeserializeOwned
    {
        /// A target as an integer.
        type Code: Code;

        /// Returns the code of a target.
        fn code(&self, target: T::Target) -> Self::Code;

        /// Adds a new sample; returns whether codes have changed.
        fn add(&mut self, target: T::Target) -> bool;

        /// Removes a sample; returns whether codes have changed.
        fn remove(&mut self, target: T::Target) -> bool;

        /// Bytes allocated.
        fn bytes(&self) -> usize;
    }

    /// See [`Sums::Tally`].
    pub(crate) trait Tally<C>: Clone + Debug + Default + Send + Sync {
        /// Makes room for this many samples.
        fn fit(&mut self, samples: usize);

        /// Begins with the samples of a node, of which a cut leaves at least `side` on each side.
        fn begin(&mut self, codes: &[C], side: u32);

        /// Returns how good it is to cut these samples at `threshold` of a feature, whose values are in `column`: larger is
        /// better, and −∞ if a side has too few samples.
        fn gain(&mut self, column: &[f32], threshold: f32, codes: &[C]) -> f64;

        /// Returns the gain that no candidate exceeds, if that is known.
        fn largest_gain(&self) -> f64;

        /// Ends with the samples of the node.
        fn end(&mut self, codes: &[C]);
    }

    /// See [`Sums::Sides`].
    pub(crate) trait Sides<C>:
        Clone + Debug + PartialEq + Send + Sync + Serialize + DeserializeOwned
    {
        /// Creates the sums of samples with these codes, before [`Sides::recount`] of each of up to `candidates` candidates.
        fn new(codes: &[C], candidates: usize) -> Self;
        /// Sets the number of candidates.
        fn found(&mut self, candidates: usize);
        /// Adds a sample that is left of the candidates for which `is_left` is true.
        fn add(&mut self, code: C, is_left: impl Fn(usize) -> bool);
        /// Removes a sample.
        fn remove(&mut self, code: C, is_left: impl Fn(usize) -> bool);
        /// Recounts what is left of a candidate.
        fn recount(&mut self, candidate: usize, column: &[f32], threshold: f32, codes: &[C]);
        /// Returns the gain of a candidate: as [`Tally::gain`], bit for bit.
        fn gain(&self, candidate: usize, side: u32) -> f64;
        /// Returns the number of samples.
        fn count(&self) -> u32;
        /// False if some codes differ for certain; there are candidates, with samples on both sides.
        fn may_be_pure(&self) -> bool;
        /// Bytes allocated.
        fn bytes(&self) -> usize;
    }

    /// See [`Sums::Mixed`].
    pub(crate) trait MixedLeaves<C>:
        Clone + Debug + Default + Send + Sync + Serialize + DeserializeOwned
    {
        /// What turns sums into targets.
        type Unit;

        /// Makes a leaf of samples with these codes.
        fn insert(&mut self, codes: &[C]) -> u32;
        /// Adds a sample.
        fn add(&mut self, leaf: u32, code: C);
        /// Removes a sample.
        fn remove(&mut self, leaf: u32, code: C);
        /// Releases a leaf.
        fn release(&mut self, leaf: u32);
        /// Fills `accumulator` with the prediction of a leaf.
        fn vote(&self, leaf: u32, unit: &Self::Unit, accumulator: &mut [f64]);
        /// Does the same without one of its samples.
        fn vote_without(&self, leaf: u32, code: C, unit: &Self::Unit, accumulator: &mut [f64]);
        /// Returns n/(C nₖ), for n samples of C classes and nₖ of that of `code`, with one more of it; 1 for numbers.
        fn rarity(&self, leaf: u32, code: C) -> f64 {
            let _ = (leaf, code);
            1.0
        }
        /// Bytes allocated.
        fn bytes(&self) -> usize;
        /// Returns whether leaf `leaf` exists and holds what samples with these codes add up to.
        ///
        /// # Errors
        /// Names the violated invariant.
        fn check(&self, leaf: u32, codes: &[C]) -> Result<(), InvariantError>;

        /// Returns whether these are all the leaves, and what is not theirs is free.
        ///
        /// # Errors
        /// Names the violated invariant.
        fn check_all(&self, leaves: &[u32]) -> Result<(), InvariantError>;
    }
}

impl sealed::Sums for Classification {
    type Task = Self;
    type Code = u32;
    type Tally = ClassTally;
    type Sides = ClassSides;
    type Mixed = Classes<u32>;
    type Totals = ();
    type Silence = ();
    lend_scratch!(Classification);

    /// √d, rounded down.
    fn candidates(width: usize) -> usize {
        width.isqrt()
    }

    #[inline]
    fn code_of(_: &NoUnit, class: u32, _: SampleWeight) -> u32 {
        class
    }
}

impl sealed::Labels for Classification {
    type Unit = NoUnit;
    type Weighted = WeightedSums<Self>;

    fn vote(class: u32, _: &NoUnit, accumulator: &mut [f64]) {
        Self::certain_prediction(class, accumulator);
    }

    #[inline]
    fn add_vote(class: u32, _: &NoUnit, sum: &mut [f64]) {
        sum[class as usize] += 1.0;
    }
}

impl sealed::Sums for Regression {
    type Task = Self;
    type Code = i64;
    type Tally = NumberTally<Sum>;
    type Sides = NumberSides<Sum>;
    type Mixed = Numbers<Sum>;
    type Totals = ();
    type Silence = ();
    lend_scratch!(Regression);

    /// All.
    fn candidates(width: usize) -> usize {
        width
    }

    #[inline]
    fn code_of(unit: &Unit, target: f64, _: SampleWeight) -> i64 {
        sealed::CodeUnit::code(unit, target)
    }
}

impl sealed::Labels for Regression {
    type Unit = Unit;
    type Weighted = WeightedSums<Self>;

    fn vote(code: i64, unit: &Unit, accumulator: &mut [f64]) {
        accumulator[0] = unit.target(code);
    }

    #[inline]
    fn add_vote(code: i64, unit: &Unit, sum: &mut [f64]) {
        sum[0] += unit.target(code);
    }
}

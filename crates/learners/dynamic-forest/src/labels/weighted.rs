//! Samples that count as their weights say.

use std::marker::PhantomData;

use forest_core::{Classification, Regression, SampleWeight};

use super::classes::{Classes, WeightedClassSides, WeightedClassTally};
use super::numbers::{NumberSides, NumberTally, Numbers, WeightedSum};
use super::sealed::{Code, CodeUnit, Sums};
use crate::scratch::lend_scratch;
use crate::unit::{NoUnit, Unit};

/// A task whose samples count as their weights say, where the task itself stands for samples that count as one each.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct WeightedSums<T>(PhantomData<T>);

/// A code, and how much its sample weighs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Weighted<C> {
    pub(super) code: C,
    /// The weight in units of 2⁻³⁰, up to 2⁵⁰ of them.
    pub(super) units: u64,
}

impl<C: Code> Weighted<C> {
    fn of(code: C, weight: SampleWeight) -> Self {
        let units = weight.units();
        Self { code, units }
    }
}

impl<C: Code> Code for Weighted<C> {
    #[inline]
    fn is_same(self, other: Self) -> bool {
        self.code.is_same(other.code)
    }
}

impl Sums for WeightedSums<Classification> {
    type Task = Classification;
    type Code = Weighted<u32>;
    type Tally = WeightedClassTally;
    type Sides = WeightedClassSides;
    type Mixed = Classes<u128>;
    type Totals = ();
    type Silence = ();
    lend_scratch!(WeightedSums<Classification>);

    fn code_of(unit: &NoUnit, class: u32, weight: SampleWeight) -> Self::Code {
        Weighted::of(unit.code(class), weight)
    }
}

impl Sums for WeightedSums<Regression> {
    type Task = Regression;
    type Code = Weighted<i64>;
    type Tally = NumberTally<WeightedSum>;
    type Sides = NumberSides<WeightedSum>;
    type Mixed = Numbers<WeightedSum>;
    type Totals = ();
    type Silence = ();
    lend_scratch!(WeightedSums<Regression>);

    fn code_of(unit: &Unit, target: f64, weight: SampleWeight) -> Self::Code {
        Weighted::of(unit.code(target), weight)
    }
}

//! Numbers of which one fold is silent in a tree.

use std::marker::PhantomData;

use forest_core::{Regression, SampleWeight, Task};

use super::sealed::{Sums, UnitOf};
use super::weighed::Weighed;
use crate::scratch::{Scratch, lend_scratch};
use crate::silence::Fold;

/// The same sums, and samples that are silent.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Honest<S>(PhantomData<S>);

/// Implements [`Sums`] as another type does.
macro_rules! honest {
    ($of:ty) => {
        impl Sums for Honest<$of> {
            type Task = <$of as Sums>::Task;
            type Code = <$of as Sums>::Code;
            type Tally = <$of as Sums>::Tally;
            type Sides = <$of as Sums>::Sides;
            type Mixed = <$of as Sums>::Mixed;
            type Totals = ();
            type Silence = Fold;
            lend_scratch!(Honest<$of>);

            #[inline]
            fn code_of(
                unit: &UnitOf<Self>,
                target: <Self::Task as Task>::Target,
                weight: SampleWeight,
            ) -> Self::Code {
                <$of>::code_of(unit, target, weight)
            }
        }
    };
}

honest!(Regression);
honest!(Weighed<Regression>);

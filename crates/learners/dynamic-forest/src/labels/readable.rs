//! Samples whose trees are read at nodes of several sizes.

use std::marker::PhantomData;

use forest_core::{Classification, Regression, SampleWeight, Task};

use super::sealed::{Sums, UnitOf};
use super::totals::Counts;
use super::weighed::Weighed;
use crate::scratch::{Scratch, lend_scratch};
use crate::silence::Hashed;

/// The same sums, with those of every inner node, and samples that are silent.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Readable<S>(PhantomData<S>);

/// Implements [`Sums`] as another type does.
macro_rules! readable {
    ($of:ty) => {
        impl Sums for Readable<$of> {
            type Task = <$of as Sums>::Task;
            type Code = <$of as Sums>::Code;
            type Tally = <$of as Sums>::Tally;
            type Sides = <$of as Sums>::Sides;
            type Mixed = <$of as Sums>::Mixed;
            type Totals = Counts;
            type Silence = Hashed;
            lend_scratch!(Readable<$of>);

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

readable!(Classification);
readable!(Weighed<Classification>);
readable!(Regression);
readable!(Weighed<Regression>);

//! The sums of trees that keep more of their samples, or do not let all of them choose cuts.

use std::fmt::Debug;
use std::marker::PhantomData;

use forest_core::{SampleWeight, Task};

use super::sealed::{Sums, UnitOf};
use super::totals::Totals;
use crate::scratch::ScratchOf;
use crate::silence::Silence;

/// The sums S of trees that keep K.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Kept<S, K>(PhantomData<(S, K)>);

/// See [`Kept`].
pub(crate) trait Keep<S: Sums>: Clone + Debug + Default + Send + Sync + 'static {
    /// See [`Sums::Totals`].
    type Totals: Totals<S::Code, S::Mixed>;
    /// See [`Sums::Silence`].
    type Silence: Silence;

    /// See [`Sums::candidates`].
    fn candidates(width: usize) -> usize {
        <S::Task as Sums>::candidates(width)
    }
}

impl<S: Sums, K: Keep<S>> Sums for Kept<S, K> {
    type Task = S::Task;
    type Code = S::Code;
    type Tally = S::Tally;
    type Sides = S::Sides;
    type Mixed = S::Mixed;
    type Totals = K::Totals;
    type Silence = K::Silence;

    #[inline]
    fn code_of(
        unit: &UnitOf<Self>,
        target: <Self::Task as Task>::Target,
        weight: SampleWeight,
    ) -> Self::Code {
        S::code_of(unit, target, weight)
    }

    fn candidates(width: usize) -> usize {
        K::candidates(width)
    }

    fn with_scratch<R>(work: impl FnOnce(&mut ScratchOf<Self>) -> R) -> R {
        S::with_scratch(work)
    }
}

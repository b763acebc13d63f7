//! Samples of classes whose trees are read at nodes of several sizes.

use forest_core::{Classification, SampleId, SampleStore};

use super::classes::{ClassSides, ClassTally, Classes};
use super::sealed::Sums;
use super::totals::Counts;
use crate::scratch::{Scratch, lend_scratch};
use crate::unit::NoUnit;

/// Classification, with the class counts of every inner node.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Readable;

impl Sums for Readable {
    type Task = Classification;
    type Code = u32;
    type Tally = ClassTally;
    type Sides = ClassSides;
    type Mixed = Classes<u32>;
    type Totals = Counts;
    lend_scratch!(Readable);

    #[inline]
    fn code(_: &NoUnit, store: &SampleStore<Classification>, id: SampleId) -> u32 {
        store.target(id)
    }
}

//! Decides for each new sample whether it is retained, and in place of which other.

use serde::{Deserialize, Serialize};

use crate::batch::PerRow;
use crate::{Arena, IdRemap, InvariantError, Retention, SampleId, SampleStore, Task, TreeRng};

/// A [`Retention`] at work.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(clippy::large_enum_variant, reason = "a forest has one")]
pub(crate) enum Selection {
    Everything,
    Nothing,
    Latest(usize),
    Reservoir(Reservoir),
}

/// What happens to a new sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    /// It is retained.
    Retain,
    /// It is retained, and this one is forgotten.
    Replace(SampleId),
    /// It is not retained.
    Skip,
}

impl Selection {
    /// Starts the selection. A reservoir draws from a random stream of its own, which is the same in all shards of a forest.
    pub(crate) fn new(retention: Retention, seed: u64) -> Self {
        match retention {
            Retention::Everything => Self::Everything,
            Retention::Nothing => Self::Nothing,
            Retention::Latest(n) => Self::Latest(n),
            Retention::Reservoir(size) => Self::Reservoir(Reservoir {
                size,
                slots: Arena::default(),
                rng: TreeRng::for_forest(seed),
            }),
        }
    }

    pub(crate) fn retention(&self) -> Retention {
        match self {
            Self::Everything => Retention::Everything,
            Self::Nothing => Retention::Nothing,
            Self::Latest(n) => Retention::Latest(*n),
            Self::Reservoir(reservoir) => Retention::Reservoir(reservoir.size),
        }
    }

    /// Decides about the next samples, 1 to `most`, of which the first is number `arrival` of the
    /// stream; `trees_hold` says whether trees hold samples at all. Stops where compaction is due, so
    /// that nothing depends on how the stream is cut into batches.
    pub(crate) fn decide<T: Task>(
        &mut self,
        samples: &SampleStore<T>,
        arrival: u64,
        most: usize,
        trees_hold: bool,
    ) -> PerRow<Decision> {
        let (mut held, mut next) = (samples.len(), samples.slots());
        let mut oldest = samples.ids().chain((next..).map(SampleId::new));
        let mut decisions = PerRow::with_capacity(most);
        for arrival in (arrival..).take(most) {
            let decision = match self {
                Self::Everything if trees_hold => Decision::Retain,
                Self::Everything | Self::Nothing => Decision::Skip,
                Self::Latest(n) if held < *n => Decision::Retain,
                Self::Latest(_) => oldest.next().map_or(Decision::Retain, Decision::Replace),
                Self::Reservoir(reservoir) => reservoir.decide(samples, arrival, next),
            };
            held += usize::from(decision == Decision::Retain);
            next += usize::from(decision != Decision::Skip);
            decisions.push(decision);
            if SampleStore::<T>::is_compaction_due(held, next - held) {
                break;
            }
        }
        decisions
    }

    /// Follows the new identifiers of the samples held.
    pub(crate) fn remap(&mut self, names: &IdRemap) {
        if let Self::Reservoir(Reservoir { slots, .. }) = self {
            let slots = slots.iter_mut();
            slots.for_each(|slot| *slot = slot.and_then(|id| names.get(id)));
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Reservoir(reservoir) => reservoir.slots.bytes(),
            _ => 0,
        }
    }

    /// Checks that the store holds the samples that were selected of `seen` ones.
    pub(crate) fn check<T: Task>(
        &self,
        samples: &SampleStore<T>,
        seen: u64,
    ) -> Result<(), InvariantError> {
        let holds = match self {
            Self::Everything => true,
            Self::Nothing => samples.slots() == 0,
            Self::Latest(n) => samples.len() <= *n,
            Self::Reservoir(reservoir) => reservoir.is_of(samples, seen),
        };
        let what = "it is not what the store holds";
        InvariantError::require(holds, self.retention(), what)
    }
}

/// A uniform random sample of a stream: Vitter, *Random sampling with a reservoir*, ACM TOMS 11,
/// 1985, algorithm R.
///
/// A forgotten sample leaves its slot empty until a new one is drawn into it: as if it were still
/// there, so that those held are a uniform sample of all that nobody asked to forget.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Reservoir {
    size: usize,
    slots: Arena<Option<SampleId>>,
    rng: TreeRng,
}

impl Reservoir {
    /// Decides about sample number `arrival`, which will be stored at index `next` if it is retained.
    fn decide<T: Task>(&mut self, samples: &SampleStore<T>, arrival: u64, next: usize) -> Decision {
        if self.slots.len() < self.size {
            self.slots.push(Some(SampleId::new(next)));
            return Decision::Retain;
        }
        let samples_so_far = usize::try_from(arrival + 1).unwrap_or(usize::MAX);
        let slot = self.rng.below(samples_so_far);
        let Some(slot) = self.slots.get_mut(slot) else {
            return Decision::Skip;
        };
        let replaced = slot.replace(SampleId::new(next));
        // A sample that is not stored yet is one of the same batch, and held.
        let held = |id: &SampleId| id.index() >= samples.slots() || samples.holds(*id);
        replaced
            .filter(held)
            .map_or(Decision::Retain, Decision::Replace)
    }

    /// Returns whether there is a slot for each sample that there can be, and the store holds those in them.
    fn is_of<T: Task>(&self, samples: &SampleStore<T>, seen: u64) -> bool {
        let slots = || self.slots.iter().flatten().copied();
        let mut held: Vec<SampleId> = slots().filter(|&id| samples.holds(id)).collect();
        held.sort_unstable();
        self.slots.len() as u64 == seen.min(self.size as u64)
            && slots().all(|id| id.index() < samples.slots())
            && held.into_iter().eq(samples.ids())
    }
}

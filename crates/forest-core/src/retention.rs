//! Which samples a forest retains.

use std::fmt::{self, Display, Formatter};

use serde::{Deserialize, Serialize};

use crate::batch::PerRow;
use crate::{InvariantError, SampleId, SampleStore, SettingError, Task};

/// Which samples of the stream a forest retains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Retention {
    /// All that some tree holds.
    #[default]
    Everything,
    /// The latest n, 1 or more: older ones are forgotten as new ones arrive. For trees that [can forget](crate::Ability::Forget).
    Latest(usize),
}

impl Retention {
    /// Checks that there is a sample to hold, and that trees can forget the others.
    pub(crate) fn check(self, can_forget: bool) -> Result<(), SettingError> {
        let refuse = |rule| Err(SettingError::new("retention", rule, self));
        match self {
            Self::Latest(0) => refuse("must be of at least 1 sample"),
            Self::Latest(_) if !can_forget => {
                refuse("must be everything, since these trees cannot forget")
            }
            _ => Ok(()),
        }
    }

    /// Returns, for each of the next samples, 1 to `most`, the one that is forgotten for it. Stops where compaction is
    /// due, so that nothing depends on how the stream is cut into batches.
    pub(crate) fn replaced<T: Task>(
        self,
        samples: &SampleStore<T>,
        most: usize,
    ) -> PerRow<Option<SampleId>> {
        let (mut held, mut next) = (samples.len(), samples.slots());
        let mut oldest = samples.ids().chain((next..).map(SampleId::new));
        let mut replaced = PerRow::with_capacity(most);
        for _ in 0..most {
            let old = match self {
                Self::Latest(n) if held >= n => oldest.next(),
                _ => None,
            };
            held += usize::from(old.is_none());
            next += 1;
            replaced.push(old);
            if SampleStore::<T>::is_compaction_due(held, next - held) {
                break;
            }
        }
        replaced
    }

    /// Checks that the store holds no more than that.
    pub(crate) fn check_held<T: Task>(
        self,
        samples: &SampleStore<T>,
    ) -> Result<(), InvariantError> {
        let holds = match self {
            Self::Everything => true,
            Self::Latest(n) => samples.len() <= n,
        };
        InvariantError::require(holds, self, "it is not what the store holds")
    }
}

impl Display for Retention {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Everything => write!(f, "everything"),
            Self::Latest(n) => write!(f, "the latest {n}"),
        }
    }
}

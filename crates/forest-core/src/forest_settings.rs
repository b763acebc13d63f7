//! The settings of every forest, whatever its algorithm.

use std::fmt::{self, Display, Formatter};

use serde::{Deserialize, Serialize};

use crate::sample_weight::PerRow;
use crate::{SampleId, SampleStore, SettingError, Task};

/// How many trees a forest has, where their random numbers come from, and which samples it retains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ForestSettings {
    /// Number of trees, from 1 to [`MOST_TREES`](Self::MOST_TREES); [`TREES`](Self::TREES) by default.
    pub trees: usize,
    /// Tree `i` draws its random numbers from stream `i` of this seed (0 by default): the same seed,
    /// settings and samples give the same forest, bit for bit.
    pub seed: u64,
    /// Which samples the forest retains (all that some tree holds, by default).
    pub retention: Retention,
}

impl Default for ForestSettings {
    fn default() -> Self {
        Self {
            trees: Self::TREES,
            seed: 0,
            retention: Retention::default(),
        }
    }
}

impl ForestSettings {
    /// The number of trees where none is given.
    pub const TREES: usize = 10;

    /// The maximum number of trees. With more, a forest would run out of memory before its first sample.
    pub const MOST_TREES: usize = 100_000;

    /// Returns these settings with another number of trees.
    #[must_use]
    pub const fn with_trees(self, trees: usize) -> Self {
        Self { trees, ..self }
    }

    /// Returns these settings with another seed.
    #[must_use]
    pub const fn with_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Returns these settings with another retention.
    #[must_use]
    pub const fn with_retention(self, retention: Retention) -> Self {
        Self { retention, ..self }
    }

    /// Checks the number of trees alone, before there is a forest.
    ///
    /// # Errors
    /// Returns an error if it is 0, or above [`ForestSettings::MOST_TREES`].
    pub fn check_trees(trees: usize) -> Result<(), SettingError> {
        match trees {
            1..=Self::MOST_TREES => Ok(()),
            0 => Err(SettingError::new("trees", "must be at least 1", 0)),
            _ => Err(SettingError::new("trees", "must be at most 100000", trees)),
        }
    }

    /// Checks the number of trees, and that trees can follow the retention.
    ///
    /// # Errors
    /// Returns the setting that breaks its rule.
    pub fn check(&self, can_forget: bool) -> Result<(), SettingError> {
        Self::check_trees(self.trees)?;
        self.retention.check(can_forget)
    }
}

/// Which samples of the stream a forest retains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Retention {
    /// All that some tree holds.
    #[default]
    Everything,
    /// The latest n, 1 or more, of trees that [can forget](crate::Ability::Forget).
    Latest(usize),
}

impl Retention {
    /// Checks that there is a sample to hold, and that trees can forget the others.
    pub(crate) fn check(self, can_forget: bool) -> Result<(), SettingError> {
        let rule = match self {
            Self::Latest(0) => "must be of at least 1 sample",
            Self::Latest(_) if !can_forget => "must be everything, since these trees cannot forget",
            _ => return Ok(()),
        };
        Err(SettingError::new("retention", rule, self))
    }

    /// Returns the sample that is forgotten for each of the next ones, 1 to `most`, up to where compaction is due.
    pub(crate) fn replaced<T: Task>(
        self,
        samples: &SampleStore<T>,
        most: usize,
    ) -> PerRow<Option<SampleId>> {
        let mut held = samples.len();
        let mut next = samples.slots();
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
}

impl Display for Retention {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Everything => f.write_str("everything"),
            Self::Latest(n) => write!(f, "the latest {n}"),
        }
    }
}

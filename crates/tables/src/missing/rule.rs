//! What a gap is and what is done about it, as it is saved with columns.

use serde::{Deserialize, Serialize};

use super::{GapWords, Missing};

/// What a gap is, and what is done about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Saved", into = "Saved")]
pub(crate) struct GapRule {
    pub(crate) missing: Missing,
    pub(crate) words: GapWords,
}

/// The first five stand for themselves in columns that were saved before the words were a part of them: their numbers
/// are those of [`Missing`].
#[derive(Serialize, Deserialize)]
enum Saved {
    Refuse,
    Mean,
    Median,
    Indicator,
    Drop,
    Stated { missing: Missing, words: GapWords },
}

impl From<Saved> for GapRule {
    fn from(saved: Saved) -> Self {
        let unstated = |missing| Self {
            missing,
            words: GapWords::unstated(),
        };
        match saved {
            Saved::Refuse => unstated(Missing::Refuse),
            Saved::Mean => unstated(Missing::Mean),
            Saved::Median => unstated(Missing::Median),
            Saved::Indicator => unstated(Missing::Indicator),
            Saved::Drop => unstated(Missing::Drop),
            Saved::Stated { missing, words } => Self { missing, words },
        }
    }
}

impl From<GapRule> for Saved {
    fn from(GapRule { missing, words }: GapRule) -> Self {
        Self::Stated { missing, words }
    }
}

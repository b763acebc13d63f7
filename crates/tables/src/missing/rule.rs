//! What a gap is and what is done about it, as it is saved with columns.

use serde::{Deserialize, Serialize};

use super::{GapWords, Missing};

/// What a gap is, and what is done about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct GapRule {
    pub(crate) missing: Missing,
    pub(crate) words: GapWords,
}

impl GapRule {
    /// The rule of columns that were saved before the words were a part of them.
    pub(crate) fn before_words(missing: Missing) -> Self {
        Self {
            missing,
            words: GapWords::unstated(),
        }
    }
}

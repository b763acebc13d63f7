//! What a gap is and what is done about it, as it is saved with columns.

use serde::{Deserialize, Serialize};

use super::{GapWords, Missing};

/// What a gap is, and what is done about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct GapRule {
    pub(crate) missing: Missing,
    pub(crate) words: GapWords,
}

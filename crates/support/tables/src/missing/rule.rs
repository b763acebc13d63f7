//! The words for missing values and their treatment, as saved with columns.

use serde::{Deserialize, Serialize};

use super::{Missing, MissingWords};

/// The words for missing values, and their treatment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct MissingRule {
    pub(crate) missing: Missing,
    pub(crate) words: MissingWords,
}

//! The fitted state of columns, and its consistency.

use serde::{Deserialize, Serialize};

use super::{Columns, Target};
use crate::feature::Feature;
use crate::limits::MAX_COLUMNS;
use crate::missing::MissingRule;
use crate::{Header, Numbers};

/// The fitted state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Fitted {
    /// Columns of the table that was fitted on.
    pub(crate) header: Header,
    pub(crate) target: Target,
    pub(crate) features: Vec<Feature>,
    pub(crate) numbers: Numbers,
    /// Its name in saved models is the older one.
    #[serde(rename = "gaps")]
    pub(crate) rule: MissingRule,
}

impl Fitted {
    pub(crate) fn width(&self) -> usize {
        self.features.iter().map(Feature::width).sum()
    }

    /// Returns the first inconsistency.
    fn fault(&self) -> Option<&'static str> {
        let columns = self.header.columns.len();
        let is_there = |column: usize| column < columns;
        let is_whole = |feature: &Feature| is_there(feature.column) && feature.is_whole();
        if !is_there(self.target.column) {
            Some("the target column does not exist")
        } else if self.features.is_empty() || !self.features.iter().all(is_whole) {
            Some(
                "a feature has no column, no values, an origin without numbers, or a filling of another kind",
            )
        } else if columns > MAX_COLUMNS || self.width() > MAX_COLUMNS {
            Some("there are too many columns")
        } else {
            None
        }
    }
}

impl TryFrom<Fitted> for Columns {
    type Error = String;

    fn try_from(fitted: Fitted) -> Result<Self, String> {
        match fitted.fault() {
            Some(fault) => Err(format!("the columns of a table are inconsistent: {fault}")),
            None => Ok(Self { fitted }),
        }
    }
}

impl From<Columns> for Fitted {
    fn from(columns: Columns) -> Self {
        columns.fitted
    }
}

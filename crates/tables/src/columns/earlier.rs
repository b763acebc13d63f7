//! Columns as earlier versions saved them.

use serde::Deserialize;

use super::{Columns, Fitted, Target};
use crate::feature::{Feature, Fill, Indicator, Meaning, Origin};
use crate::{Header, Missing, Numbers};

/// Columns as they were saved before features had origins. They read rows as they did.
///
/// It is for formats that do not name fields. A field that [`Columns`] gets is left out here and has its former meaning in the
/// conversion.
#[derive(Clone, Debug, Deserialize)]
pub struct ColumnsVersion1 {
    header: Header,
    target: Target,
    features: Vec<FeatureVersion1>,
    numbers: Numbers,
    missing: Missing,
}

#[derive(Clone, Debug, Deserialize)]
struct FeatureVersion1 {
    column: usize,
    name: String,
    meaning: Meaning,
    fill: Option<Fill>,
    indicator: Indicator,
}

impl TryFrom<ColumnsVersion1> for Columns {
    type Error = String;

    fn try_from(saved: ColumnsVersion1) -> Result<Self, String> {
        let features = saved.features.into_iter().map(Feature::from);
        Columns::try_from(Fitted {
            header: saved.header,
            target: saved.target,
            features: features.collect(),
            numbers: saved.numbers,
            missing: saved.missing,
        })
    }
}

impl From<FeatureVersion1> for Feature {
    fn from(saved: FeatureVersion1) -> Self {
        Self {
            column: saved.column,
            name: saved.name,
            meaning: saved.meaning,
            fill: saved.fill,
            indicator: saved.indicator,
            origin: Origin::NONE,
        }
    }
}

//! The part of the feature space in which a stream changes.

use crate::{ContentError, Dataset};

/// The rows on one side of a value of a feature: `x1<0.5` or `x1>=0.5`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Region<'a> {
    feature: &'a str,
    side: Side,
    value: f32,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Side {
    Below,
    AtLeast,
}

impl<'a> Region<'a> {
    pub(super) fn read(text: &'a str) -> Option<Self> {
        let (side, (feature, value)) = match text.split_once(">=") {
            Some(parts) => (Side::AtLeast, parts),
            None => (Side::Below, text.split_once('<')?),
        };
        let value = value.trim().parse().ok()?;
        Some(Self {
            feature: feature.trim(),
            side,
            value,
        })
    }

    /// Returns whether a row of a data set is in the region, for both data sets.
    pub(super) fn of<'b>(
        self,
        sets: &'b [Dataset; 2],
    ) -> Result<impl Fn(usize, usize) -> bool + use<'b>, ContentError> {
        let columns = [self.column(&sets[0])?, self.column(&sets[1])?];
        Ok(move |set: usize, row: usize| {
            let value = sets[set].features[[row, columns[set]]];
            match self.side {
                Side::Below => value < self.value,
                Side::AtLeast => value >= self.value,
            }
        })
    }

    fn column(self, set: &Dataset) -> Result<usize, ContentError> {
        let column = set
            .feature_names
            .iter()
            .position(|name| name == self.feature);
        column.ok_or_else(|| ContentError::NoSuchFeature {
            name: self.feature.to_owned(),
            names: set.feature_names.join(", "),
        })
    }
}

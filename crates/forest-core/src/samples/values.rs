//! The features of all samples, and whether any of them is a category.

use std::ops::{Deref, DerefMut};

use serde::{Deserialize, Serialize, Serializer};

use crate::Arena;

/// Rows of features, one after another; saved as the sequence of its values.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(from = "Arena<f32>")]
pub(super) struct Values {
    all: Arena<f32>,
    /// Whether any value has been a category or missing: trees that hold numbers alone do not look for others.
    has_categories: bool,
}

impl Values {
    /// Appends a row.
    #[inline]
    pub(super) fn push(&mut self, row: &[f32]) {
        self.has_categories |= any_category(row);
        self.all.extend_from_slice(row);
    }

    #[inline]
    pub(super) fn has_categories(&self) -> bool {
        self.has_categories
    }
}

fn any_category(values: &[f32]) -> bool {
    values.iter().fold(false, |any, value| any | value.is_nan())
}

impl From<Arena<f32>> for Values {
    fn from(all: Arena<f32>) -> Self {
        let has_categories = any_category(&all);
        Self {
            all,
            has_categories,
        }
    }
}

impl Deref for Values {
    type Target = Arena<f32>;

    #[inline]
    fn deref(&self) -> &Arena<f32> {
        &self.all
    }
}

impl DerefMut for Values {
    fn deref_mut(&mut self) -> &mut Arena<f32> {
        &mut self.all
    }
}

impl Serialize for Values {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.all.serialize(serializer)
    }
}

/// To the bit, since a category is a NaN.
impl PartialEq for Values {
    fn eq(&self, other: &Self) -> bool {
        let bits = |values: &Self| {
            values
                .all
                .iter()
                .map(|value| value.to_bits())
                .collect::<Vec<_>>()
        };
        bits(self) == bits(other)
    }
}

//! The meaning of the cells of a column.

use forest_core::LabelEncoder;
use serde::{Deserialize, Serialize};

use crate::{DateFormat, Fault, Numbers, short};

/// The meaning of the cells of a column. Variants are numbered in saved models: a new one comes last.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Meaning {
    /// Written as in all other columns.
    Number,
    Date(DateFormat),
    OneHot(Values),
    Ordinal(Values),
    Hashed {
        buckets: u32,
    },
    Native(Values),
}

/// The values of a column of words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Values {
    pub(crate) words: LabelEncoder,
    /// Whether the values were declared, so that others are errors.
    pub(crate) are_declared: bool,
}

impl Meaning {
    pub(crate) fn width(&self) -> usize {
        match self {
            Meaning::Number | Meaning::Date(_) | Meaning::Ordinal(_) | Meaning::Native(_) => 1,
            Meaning::OneHot(values) => values.words.len(),
            Meaning::Hashed { buckets } => *buckets as usize,
        }
    }

    /// Returns whether it is one number of the cell, not of a word.
    pub(crate) fn is_number(&self) -> bool {
        matches!(self, Meaning::Number | Meaning::Date(_))
    }

    /// Returns the number of a cell: of a date its days. Returns `None` for words, and for cells that are not a number.
    pub(crate) fn number(&self, cell: &str, numbers: &Numbers) -> Option<f64> {
        match self {
            Meaning::Number => numbers.parse(cell),
            Meaning::Date(format) => format.days(cell),
            Meaning::OneHot(_)
            | Meaning::Ordinal(_)
            | Meaning::Native(_)
            | Meaning::Hashed { .. } => None,
        }
    }

    pub(super) fn words(&self) -> Option<&LabelEncoder> {
        match self {
            Meaning::OneHot(values) | Meaning::Ordinal(values) | Meaning::Native(values) => {
                Some(&values.words)
            }
            Meaning::Number | Meaning::Date(_) | Meaning::Hashed { .. } => None,
        }
    }
}

impl Values {
    /// Returns the number of a value; `None` if it was unseen when fitted.
    pub(crate) fn find(&self, cell: &str, column: &str) -> Result<Option<usize>, Fault> {
        let found = self.words.index(cell).ok().map(|index| index as usize);
        if found.is_none() && self.are_declared {
            return Err(Fault::new(format!(
                "`{}` is not among the declared values of column `{}`: {}",
                short(cell),
                short(column),
                crate::quote::listed(self.words.names().iter().map(String::as_str))
            )));
        }
        Ok(found)
    }
}

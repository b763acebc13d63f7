//! Conversion of one column of a table to columns of numbers.

mod cell;
mod meaning;
mod origin;

use forest_core::{CATEGORIES, category};
use serde::{Deserialize, Serialize};

pub use cell::category_of_word;
use cell::{bucket, narrow};
pub(crate) use cell::{missing, number};
pub(crate) use meaning::{Meaning, Values};
pub(crate) use origin::{Origin, Resolution};

use crate::options::MAX_BUCKETS;
use crate::{Fault, MissingWords, Numbers, short};

/// One column of the table that is a feature.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Feature {
    /// Index into the header that was fitted on.
    pub(crate) column: usize,
    pub(crate) name: String,
    pub(crate) meaning: Meaning,
    /// The filling of a missing cell; `None` where missing cells are rejected, or their rows dropped.
    pub(crate) fill: Option<Fill>,
    /// Whether a column of zeros and ones marks missing cells.
    pub(crate) indicator: Indicator,
    /// The origin, which is subtracted from its numbers before they are rounded to `f32`.
    pub(crate) origin: Origin,
}

/// The filling of a missing cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Fill {
    Number(f32),
    Word(String),
    /// A missing value in each of its columns.
    Missing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Indicator {
    Absent,
    Present,
}

/// Whether a value was among those that were fitted on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    Yes,
    No,
}

/// The number of an ordinal value that was unseen when fitted.
const UNSEEN: f32 = -1.0;

/// Native categories are fewer: those behind the words that were there when fitted are shared by all others.
pub(crate) const MAX_NATIVE: usize = CATEGORIES as usize;

impl Feature {
    pub(crate) fn width(&self) -> usize {
        self.meaning.width() + usize::from(self.indicator == Indicator::Present)
    }

    pub(crate) fn names(&self) -> Vec<String> {
        let name = &self.name;
        let mut names = match &self.meaning {
            Meaning::Number | Meaning::Date(_) => {
                vec![format!("{name}{}", self.origin.subtracted(&self.meaning))]
            }
            Meaning::Ordinal(_) | Meaning::Native(_) => vec![name.clone()],
            Meaning::OneHot(values) => {
                let named = |value| format!("{name}={value}");
                values.words.names().iter().map(named).collect()
            }
            Meaning::Hashed { buckets } => (0..*buckets).map(|i| format!("{name}#{i}")).collect(),
        };
        if self.indicator == Indicator::Present {
            names.push(format!("{name} is missing"));
        }
        names
    }

    /// Returns whether its parts are consistent.
    pub(crate) fn is_whole(&self) -> bool {
        let has_values = match &self.meaning {
            Meaning::OneHot(values) | Meaning::Ordinal(values) => !values.words.is_empty(),
            Meaning::Native(values) => (1..MAX_NATIVE).contains(&values.words.len()),
            Meaning::Hashed { buckets } => (1..=MAX_BUCKETS).contains(buckets),
            Meaning::Number | Meaning::Date(_) => true,
        };
        let is_number = self.meaning.is_number();
        let has_origin = self.origin.is_sound() && (is_number || self.origin == Origin::NONE);
        let has_fill = match &self.fill {
            None | Some(Fill::Missing) => true,
            Some(Fill::Number(number)) => is_number && number.is_finite(),
            Some(Fill::Word(_)) => !is_number,
        };
        has_values && has_fill && has_origin
    }

    /// Returns whether the cell is missing. A declared value may be called `NA`.
    pub(crate) fn is_missing(&self, cell: &str, missing_words: &MissingWords) -> bool {
        missing_words.is_missing(cell)
            && self
                .meaning
                .words()
                .is_none_or(|words| words.index(cell).is_err())
    }

    /// Appends the numbers of a cell.
    pub(crate) fn write(
        &self,
        cell: &str,
        numbers: &Numbers,
        missing_words: &MissingWords,
        out: &mut Vec<f32>,
    ) -> Result<Known, Fault> {
        let is_missing = self.is_missing(cell, missing_words);
        let known = match (is_missing, &self.fill) {
            (false, _) => self.write_value(cell, numbers, out)?,
            (true, Some(Fill::Number(number))) => {
                out.push(*number);
                Known::Yes
            }
            (true, Some(Fill::Word(word))) => self.write_value(word, numbers, out)?,
            (true, Some(Fill::Missing)) => {
                out.resize(out.len() + self.meaning.width(), f32::NAN);
                Known::Yes
            }
            (true, None) => {
                return Err(missing(&self.name));
            }
        };
        if self.indicator == Indicator::Present {
            out.push(f32::from(is_missing));
        }
        Ok(known)
    }

    fn write_value(
        &self,
        cell: &str,
        numbers: &Numbers,
        out: &mut Vec<f32>,
    ) -> Result<Known, Fault> {
        match &self.meaning {
            Meaning::Number => {
                let number = number(numbers, cell, &self.name)?;
                out.push(narrow(self.origin.shifted(number), cell, &self.name)?);
            }
            Meaning::Date(format) => {
                let days = format.days(cell).ok_or_else(|| {
                    Fault::new(format!(
                        "`{}` in column `{}` is not a date like the others ({}); correct it, or use --dates text",
                        short(cell),
                        short(&self.name),
                        format.as_str()
                    ))
                })?;
                out.push(self.origin.shifted(days) as f32);
            }
            Meaning::OneHot(values) => {
                let found = values.find(cell, &self.name)?;
                let start = out.len();
                out.resize(start + values.words.len(), 0.0);
                return Ok(found.map_or(Known::No, |at| {
                    out[start + at] = 1.0;
                    Known::Yes
                }));
            }
            Meaning::Ordinal(values) => {
                let found = values.find(cell, &self.name)?;
                out.push(found.map_or(UNSEEN, |at| at as f32));
                return Ok(found.map_or(Known::No, |_| Known::Yes));
            }
            // A word that was not there is a category of its own, by its hash, and can be learned.
            Meaning::Native(values) => {
                let known = values.words.len() as u32;
                let found = values.find(cell, &self.name)?.map(|at| at as u32);
                let by_hash = || known + bucket(cell, CATEGORIES - known) as u32;
                out.push(category(found.unwrap_or_else(by_hash)));
            }
            Meaning::Hashed { buckets } => {
                let start = out.len();
                out.resize(start + *buckets as usize, 0.0);
                out[start + bucket(cell, *buckets)] = 1.0;
            }
        }
        Ok(Known::Yes)
    }
}

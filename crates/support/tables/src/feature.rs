//! Conversion of one column of a table to columns of numbers.

use forest_core::{CATEGORIES, LabelEncoder, category};
use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

use crate::error::{Result, listed, refuse, short};
use crate::numbers::Numbers;
use crate::options::MAX_BUCKETS;
use crate::{TableError, dates};

/// One column of the table that is a feature.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Feature {
    /// The index of the column in the table fitted on.
    pub(crate) column: usize,
    pub(crate) name: String,
    pub(crate) meaning: Meaning,
    /// The filling of a missing cell; `None` where missing cells are rejected, or their rows dropped.
    pub(crate) fill: Option<Fill>,
    /// Whether a column of zeros and ones marks missing cells.
    pub(crate) has_indicator: bool,
    /// What is subtracted from its numbers before they are rounded to `f32`, so that they stay apart; 0 for nothing.
    pub(crate) origin: f64,
}

/// The meaning of the cells of a column. Variants are numbered in saved models, so new ones are added at the end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Meaning {
    /// Written as in all other columns.
    Number,
    /// Of this format.
    Date(String),
    OneHot(Values),
    Ordinal(Values),
    /// In this number of columns.
    Hashed(u32),
    Native(Values),
}

/// The values of a column of words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Values {
    pub(crate) words: LabelEncoder,
    /// Whether the values were declared, so that other values are errors.
    pub(crate) are_declared: bool,
}

/// The filling of a missing cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Fill {
    Number(f32),
    Word(String),
    /// A missing value in each of its columns.
    Missing,
}

/// The number of an ordinal value that was not among those fitted on.
const UNSEEN: f32 = -1.0;

/// The number of native categories; those that are not taken by the values fitted on are shared by all other values.
pub(crate) const MAX_NATIVE: usize = CATEGORIES as usize;

impl Meaning {
    /// Returns whether the column is one number, which is not that of a word.
    pub(crate) fn is_number(&self) -> bool {
        matches!(self, Meaning::Number | Meaning::Date(_))
    }

    pub(crate) fn width(&self) -> usize {
        match self {
            Meaning::OneHot(values) => values.words.len(),
            Meaning::Hashed(buckets) => *buckets as usize,
            _ => 1,
        }
    }

    /// Returns the number of a cell: of a date its days. Returns `None` for words, and for cells that are not a number.
    pub(crate) fn number(&self, cell: &str, numbers: &Numbers) -> Option<f64> {
        match self {
            Meaning::Number => numbers.parse(cell),
            Meaning::Date(format) => dates::days(format, cell),
            _ => None,
        }
    }

    pub(crate) fn values(&self) -> Option<&Values> {
        match self {
            Self::OneHot(values) | Self::Ordinal(values) | Self::Native(values) => Some(values),
            _ => None,
        }
    }
}

impl Values {
    /// Numbers distinct words in the order of their first occurrence.
    pub(crate) fn new(values: &[String], are_declared: bool) -> Self {
        let mut words = LabelEncoder::default();
        for value in values {
            words.index_or_add(value);
        }
        Self {
            words,
            are_declared,
        }
    }

    /// Returns the number of a value; `None` if it was unseen when fitted.
    pub(crate) fn find(&self, cell: &str, column: &str) -> Result<Option<usize>> {
        match self.words.index(cell) {
            Ok(index) => Ok(Some(index as usize)),
            Err(_) if !self.are_declared => Ok(None),
            Err(_) => refuse!(
                "`{}` is not among the declared values of column `{}`: {}",
                short(cell),
                short(column),
                listed(self.words.names().iter().map(String::as_str))
            ),
        }
    }
}

impl Feature {
    pub(crate) fn width(&self) -> usize {
        self.meaning.width() + usize::from(self.has_indicator)
    }

    pub(crate) fn names(&self) -> Vec<String> {
        let Self { name, origin, .. } = self;
        let mut names: Vec<String> = match &self.meaning {
            Meaning::OneHot(values) => {
                let words = values.words.names().iter();
                words.map(|value| format!("{name}={value}")).collect()
            }
            Meaning::Hashed(buckets) => (0..*buckets).map(|i| format!("{name}#{i}")).collect(),
            _ if *origin == 0.0 => vec![name.clone()],
            Meaning::Date(_) => vec![format!("{name} - {}", dates::text(*origin))],
            _ if *origin < 0.0 => vec![format!("{name} + {}", -origin)],
            _ => vec![format!("{name} - {origin}")],
        };
        if self.has_indicator {
            names.push(format!("{name} is missing"));
        }
        names
    }

    /// Returns whether its parts are consistent.
    pub(crate) fn is_whole(&self) -> bool {
        let has_values = match &self.meaning {
            Meaning::OneHot(values) | Meaning::Ordinal(values) => !values.words.is_empty(),
            Meaning::Native(values) => (1..MAX_NATIVE).contains(&values.words.len()),
            Meaning::Hashed(buckets) => (1..=MAX_BUCKETS).contains(buckets),
            Meaning::Number | Meaning::Date(_) => true,
        };
        let is_number = self.meaning.is_number();
        let has_fill = match &self.fill {
            None | Some(Fill::Missing) => true,
            Some(Fill::Number(number)) => is_number && number.is_finite(),
            Some(Fill::Word(_)) => !is_number,
        };
        has_values && has_fill && self.origin.is_finite() && (is_number || self.origin == 0.0)
    }

    /// Appends the numbers of a cell; returns whether its value was among those that were fitted on.
    pub(crate) fn write(
        &self,
        cell: &str,
        is_missing: bool,
        numbers: &Numbers,
        out: &mut Vec<f32>,
    ) -> Result<bool> {
        let mut is_known = true;
        match &self.fill {
            _ if !is_missing => is_known = self.write_value(cell, numbers, out)?,
            Some(Fill::Number(number)) => out.push(*number),
            Some(Fill::Word(word)) => is_known = self.write_value(word, numbers, out)?,
            Some(Fill::Missing) => out.resize(out.len() + self.meaning.width(), f32::NAN),
            None => return Err(missing(&self.name)),
        }
        if self.has_indicator {
            out.push(f32::from(is_missing));
        }
        Ok(is_known)
    }

    fn write_value(&self, cell: &str, numbers: &Numbers, out: &mut Vec<f32>) -> Result<bool> {
        let start = out.len();
        match &self.meaning {
            Meaning::Number => {
                let shifted = shifted(number(numbers, cell, &self.name)?, self.origin) as f32;
                // One beyond the range of `f32` is as infinite as a written infinity.
                if !shifted.is_finite() {
                    return Err(not_finite(cell, &self.name));
                }
                out.push(shifted);
            }
            Meaning::Date(format) => match dates::days(format, cell) {
                Some(days) => out.push(shifted(days, self.origin) as f32),
                None => refuse!(
                    "`{}` in column `{}` is not a date like the others ({format}); correct it, or use --dates text",
                    short(cell),
                    short(&self.name)
                ),
            },
            Meaning::OneHot(values) => {
                let found = values.find(cell, &self.name)?;
                out.resize(start + values.words.len(), 0.0);
                if let Some(at) = found {
                    out[start + at] = 1.0;
                }
                return Ok(found.is_some());
            }
            Meaning::Ordinal(values) => {
                let found = values.find(cell, &self.name)?;
                out.push(found.map_or(UNSEEN, |at| at as f32));
                return Ok(found.is_some());
            }
            // A word that was not among those fitted on is a category, too, by its hash, and can be learned.
            Meaning::Native(values) => {
                let known = values.words.len() as u32;
                let by_hash = || known + bucket(cell, CATEGORIES - known) as u32;
                let found = values.find(cell, &self.name)?;
                out.push(category(found.map_or_else(by_hash, |at| at as u32)));
            }
            Meaning::Hashed(buckets) => {
                out.resize(start + *buckets as usize, 0.0);
                out[start + bucket(cell, *buckets)] = 1.0;
            }
        }
        Ok(true)
    }
}

/// Returns a finite number.
pub(crate) fn number(numbers: &Numbers, cell: &str, column: &str) -> Result<f64> {
    match numbers.parse(cell) {
        Some(number) if number.is_finite() => Ok(number),
        Some(_) => Err(not_finite(cell, column)),
        None => refuse!(
            "`{}` in column `{}` is not a number, but other rows of that column are; correct it, remove the row, \
             or treat the column as categories with --categorical",
            short(cell),
            short(column)
        ),
    }
}

fn not_finite(cell: &str, column: &str) -> TableError {
    TableError::new(format!(
        "`{}` in column `{}` is not a finite number; remove the row or fill in a value",
        short(cell),
        short(column)
    ))
}

pub(crate) fn missing(column: &str) -> TableError {
    TableError::new(format!(
        "no value in column `{}`; remove the row or fill in a value",
        short(column)
    ))
}

/// Returns the category of a word without a list of words: its XXH3, which is the same on every machine. Two of 1,000
/// words share one with a probability of .12.
pub fn category_of_word(word: &str) -> f32 {
    category(bucket(word, CATEGORIES) as u32)
}

/// Returns the column of a word among `buckets`: by its XXH3, which is the same on every machine.
fn bucket(word: &str, buckets: u32) -> usize {
    (XxHash3_64::oneshot(word.as_bytes()) % u64::from(buckets)) as usize
}

/// If a larger share of different numbers become equal as `f32`, a warning is given, and an origin is tried.
const MERGED_SHARE: f64 = 0.01;

/// Different numbers of a column of which many become equal as `f32`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Merged {
    pub(crate) distinct: usize,
    /// The numbers that stay different without an origin.
    pub(crate) kept: usize,
    /// The whole number below the median, if subtracting it halves the numbers that become equal; else 0.
    pub(crate) origin: f64,
}

impl Merged {
    /// Examines finite numbers; returns `None` if few become equal.
    pub(crate) fn of(numbers: &[f64]) -> Option<Self> {
        let is_exact = |number: &f64| f64::from(*number as f32) == *number;
        if numbers.iter().all(is_exact) {
            return None;
        }
        let mut numbers = numbers.to_vec();
        numbers.sort_unstable_by(f64::total_cmp);
        numbers.dedup();
        let kept_by = |origin: f64| {
            let rounded = numbers.iter().map(|it| shifted(*it, origin) as f32);
            let mut rounded: Vec<f32> = rounded.collect();
            rounded.dedup();
            rounded.len()
        };
        let distinct = numbers.len();
        let kept = kept_by(0.0);
        if (distinct - kept) as f64 <= MERGED_SHARE * distinct as f64 {
            return None;
        }
        // Adding 0.0 turns -0 into 0.
        let origin = numbers[distinct / 2].floor() + 0.0;
        let is_better = 2 * (distinct - kept_by(origin)) < distinct - kept;
        let origin = if is_better { origin } else { 0.0 };
        Some(Self {
            distinct,
            kept,
            origin,
        })
    }
}

pub(crate) fn shifted(number: f64, origin: f64) -> f64 {
    // Adding 0.0 turns -0 into 0.
    number - origin + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_chosen_only_where_it_keeps_numbers_apart() {
        type Case = (fn(f64) -> f64, Option<(f64, usize)>);
        let cases: [Case; 6] = [
            // Exact as they are.
            (|i| 1990.0 + i, None),
            // Rounded, but apart; and merged, but not for being far from 0.
            (|i| 20.0 + 1.01 * i, None),
            (|i| i % 2.0 + 1e-10 * i, Some((0.0, 51))),
            (|i| 1e10 + i, Some((10_000_000_050.0, 1))),
            (|i| -122.41 - 1e-6 * i, Some((-123.0, 13))),
            // Days since 1970, seconds apart.
            (|i| 20_000.0 + i / 86400.0, Some((20_000.0, 2))),
        ];
        for (number, expected) in cases {
            let numbers: Vec<f64> = (0..100).map(|i| number(f64::from(i))).collect();
            let found = Merged::of(&numbers).map(|found| (found.origin, found.kept));
            assert_eq!(found, expected);
        }
    }
}

//! Conversion of one column of a table to columns of numbers.

use forest_core::{CATEGORIES, LabelEncoder, category};
use jiff::SignedDuration;
use jiff::civil::date;
use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

use crate::options::MAX_BUCKETS;
use crate::{DateFormat, MissingWords, Numbers, TableError, listed, short};

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
    pub(crate) has_indicator: bool,
    /// The origin, which is subtracted from its numbers before they are rounded to `f32`.
    pub(crate) origin: Origin,
}

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

/// The filling of a missing cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Fill {
    Number(f32),
    Word(String),
    /// A missing value in each of its columns.
    Missing,
}

/// The number of an ordinal value that was unseen when fitted.
const UNSEEN: f32 = -1.0;

/// Native categories are fewer: those behind the words that were there when fitted are shared by all others.
pub(crate) const MAX_NATIVE: usize = CATEGORIES as usize;

impl Meaning {
    /// Returns whether it is one number of the cell, not of a word.
    pub(crate) fn is_number(&self) -> bool {
        matches!(self, Meaning::Number | Meaning::Date(_))
    }

    fn width(&self) -> usize {
        match self {
            Meaning::OneHot(values) => values.words.len(),
            Meaning::Hashed { buckets } => *buckets as usize,
            _ => 1,
        }
    }

    /// Returns the number of a cell: of a date its days. Returns `None` for words, and for cells that are not a number.
    pub(crate) fn number(&self, cell: &str, numbers: &Numbers) -> Option<f64> {
        match self {
            Meaning::Number => numbers.parse(cell),
            Meaning::Date(format) => format.days(cell),
            _ => None,
        }
    }

    pub(crate) fn values(&self) -> Option<&Values> {
        match self {
            Meaning::OneHot(values) | Meaning::Ordinal(values) | Meaning::Native(values) => {
                Some(values)
            }
            Meaning::Number | Meaning::Date(_) | Meaning::Hashed { .. } => None,
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
    pub(crate) fn find(&self, cell: &str, column: &str) -> Result<Option<usize>, TableError> {
        match self.words.index(cell) {
            Ok(index) => Ok(Some(index as usize)),
            Err(_) if !self.are_declared => Ok(None),
            Err(_) => Err(TableError::new(format!(
                "`{}` is not among the declared values of column `{}`: {}",
                short(cell),
                short(column),
                listed(self.words.names().iter().map(String::as_str))
            ))),
        }
    }
}

impl Feature {
    pub(crate) fn width(&self) -> usize {
        self.meaning.width() + usize::from(self.has_indicator)
    }

    pub(crate) fn names(&self) -> Vec<String> {
        let name = &self.name;
        let mut names = match &self.meaning {
            Meaning::OneHot(values) => values
                .words
                .names()
                .iter()
                .map(|value| format!("{name}={value}"))
                .collect(),
            Meaning::Hashed { buckets } => (0..*buckets).map(|i| format!("{name}#{i}")).collect(),
            meaning => vec![format!("{name}{}", self.origin.subtracted(meaning))],
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
            Meaning::Hashed { buckets } => (1..=MAX_BUCKETS).contains(buckets),
            Meaning::Number | Meaning::Date(_) => true,
        };
        let is_number = self.meaning.is_number();
        let has_fill = match &self.fill {
            None | Some(Fill::Missing) => true,
            Some(Fill::Number(number)) => is_number && number.is_finite(),
            Some(Fill::Word(_)) => !is_number,
        };
        has_values
            && has_fill
            && self.origin.0.is_finite()
            && (is_number || self.origin == Origin::NONE)
    }

    /// Returns whether the cell is missing. A declared value may be called `NA`.
    pub(crate) fn is_missing(&self, cell: &str, missing_words: &MissingWords) -> bool {
        missing_words.is_missing(cell)
            && self
                .meaning
                .values()
                .is_none_or(|values| values.words.index(cell).is_err())
    }

    /// Appends the numbers of a cell; returns whether its value was among those that were fitted on.
    pub(crate) fn write(
        &self,
        cell: &str,
        numbers: &Numbers,
        missing_words: &MissingWords,
        out: &mut Vec<f32>,
    ) -> Result<bool, TableError> {
        let is_missing = self.is_missing(cell, missing_words);
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

    fn write_value(
        &self,
        cell: &str,
        numbers: &Numbers,
        out: &mut Vec<f32>,
    ) -> Result<bool, TableError> {
        match &self.meaning {
            Meaning::Number => {
                let shifted = self.origin.shifted(number(numbers, cell, &self.name)?) as f32;
                // One beyond the range of `f32` is as infinite as a written infinity.
                if !shifted.is_finite() {
                    return Err(not_finite(cell, &self.name));
                }
                out.push(shifted);
            }
            Meaning::Date(format) => match format.days(cell) {
                Some(days) => out.push(self.origin.shifted(days) as f32),
                None => {
                    return Err(TableError::new(format!(
                        "`{}` in column `{}` is not a date like the others ({}); correct it, or use --dates text",
                        short(cell),
                        short(&self.name),
                        format.as_str()
                    )));
                }
            },
            Meaning::OneHot(values) => {
                let (start, found) = (out.len(), values.find(cell, &self.name)?);
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
            // A word that was not there is a category of its own, by its hash, and can be learned.
            Meaning::Native(values) => {
                let known = values.words.len() as u32;
                let by_hash = || known + bucket(cell, CATEGORIES - known) as u32;
                let found = values.find(cell, &self.name)?;
                out.push(category(found.map_or_else(by_hash, |at| at as u32)));
            }
            Meaning::Hashed { buckets } => {
                let start = out.len();
                out.resize(start + *buckets as usize, 0.0);
                out[start + bucket(cell, *buckets)] = 1.0;
            }
        }
        Ok(true)
    }

    /// Returns how a cut of part `part` of its numbers turns out ([`Columns::cut_text`](crate::Columns::cut_text)).
    pub(crate) fn cut_text(
        &self,
        part: usize,
        threshold: f64,
        holds: bool,
        cell: Option<&str>,
    ) -> Option<String> {
        let name = &self.name;
        // Zeros and ones on either side.
        let parts_words = (0.0..1.0).contains(&threshold);
        if part == self.meaning.width() && parts_words {
            let not = if holds { "not " } else { "" };
            return Some(format!("{name} is {not}missing"));
        }
        let cell = short(cell?);
        match &self.meaning {
            Meaning::Date(format) if part == 0 => {
                let comparison = if holds { '≤' } else { '>' };
                let date = Origin(self.origin.0 + threshold).as_date();
                let date = match (format.has_days(), date.split_once('T')) {
                    (true, _) => &date,
                    (false, Some((_, time))) => time,
                    (false, None) => "00:00:00",
                };
                Some(format!("{name} = {cell} {comparison} {date}"))
            }
            Meaning::OneHot(values) if parts_words && holds => {
                let value = values.words.names().get(part)?;
                Some(format!("{name} = {cell}, not {value}"))
            }
            Meaning::OneHot(_) if parts_words => Some(format!("{name} = {cell}")),
            Meaning::Native(_) if holds => Some(format!("{name} = {cell}, of the left group")),
            Meaning::Native(_) => Some(format!("{name} = {cell}, of the right group")),
            _ => None,
        }
    }
}

/// Returns a finite number.
pub(crate) fn number(numbers: &Numbers, cell: &str, column: &str) -> Result<f64, TableError> {
    match numbers.parse(cell) {
        Some(number) if number.is_finite() => Ok(number),
        Some(_) => Err(not_finite(cell, column)),
        None => Err(TableError::new(format!(
            "`{}` in column `{}` is not a number, but other rows of that column are; correct it, remove the row, \
             or treat the column as categories with --categorical",
            short(cell),
            short(column)
        ))),
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

/// Returns the category of a word without a list of words: its XXH3, which is the same on every machine. Two of 1,000 words share one with a probability of .12.
pub fn category_of_word(word: &str) -> f32 {
    category(bucket(word, CATEGORIES) as u32)
}

/// Returns the column of a word among `buckets`: by its XXH3, which is the same on every machine.
fn bucket(word: &str, buckets: u32) -> usize {
    (XxHash3_64::oneshot(word.as_bytes()) % u64::from(buckets)) as usize
}

/// A share of different numbers that become equal as `f32`, above which it is said, and an origin is looked for.
const MERGED_SHARE: f64 = 0.01;

/// What is subtracted from the numbers of a column before they are rounded to `f32`, so that it keeps them apart; of dates in days
/// since 1970-01-01.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Origin(f64);

/// Different numbers of a column, before and after they become `f32`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Resolution {
    pub(crate) origin: Origin,
    pub(crate) distinct: usize,
    pub(crate) kept: usize,
    /// Different numbers, if nothing were subtracted.
    pub(crate) kept_without: usize,
}

impl Resolution {
    /// Returns whether more numbers become equal than can be chance.
    pub(crate) fn merges(&self) -> bool {
        (self.distinct - self.kept) as f64 > MERGED_SHARE * self.distinct as f64
    }

    /// Chooses the origin of finite numbers: the whole number below their median, if numbers become equal without it, and with it less
    /// than half as many do. Returns `None` if every number is one of `f32`.
    pub(crate) fn of(numbers: &[f64]) -> Option<Self> {
        if numbers
            .iter()
            .all(|number| f64::from(*number as f32) == *number)
        {
            return None;
        }
        let mut numbers = numbers.to_vec();
        numbers.sort_unstable_by(f64::total_cmp);
        numbers.dedup();
        let kept = |origin: Origin| {
            let mut rounded: Vec<f32> = numbers
                .iter()
                .map(|it| origin.shifted(*it) as f32)
                .collect();
            rounded.dedup();
            rounded.len()
        };
        let distinct = numbers.len();
        let kept_without = kept(Origin::NONE);
        let without = Self {
            origin: Origin::NONE,
            distinct,
            kept: kept_without,
            kept_without,
        };
        if !without.merges() {
            return Some(without);
        }
        // Adding 0.0 turns -0 into 0.
        let origin = Origin(numbers[distinct / 2].floor() + 0.0);
        let kept = kept(origin);
        let is_better = 2 * (distinct - kept) < distinct - kept_without;
        Some(if is_better {
            Self {
                origin,
                kept,
                ..without
            }
        } else {
            without
        })
    }
}

impl Origin {
    /// Nothing is subtracted.
    pub(crate) const NONE: Self = Self(0.0);

    pub(crate) fn shifted(self, number: f64) -> f64 {
        // Adding 0.0 turns -0 into 0.
        number - self.0 + 0.0
    }

    /// As it is written behind the name of a column: ` - 1000`, ` + 122`, ` - 2026-11-25`; empty if there is none.
    fn subtracted(self, meaning: &Meaning) -> String {
        match meaning {
            _ if self == Self::NONE => String::new(),
            Meaning::Date(_) => format!(" - {}", self.as_date()),
            _ if self.0 < 0.0 => format!(" + {}", -self.0),
            _ => format!(" - {}", self.0),
        }
    }

    fn as_date(self) -> String {
        let epoch = date(1970, 1, 1).at(0, 0, 0, 0);
        let seconds = SignedDuration::try_from_secs_f64((self.0 * 86400.0).round());
        match seconds.map(|seconds| epoch.saturating_add(seconds)) {
            Ok(day) if self.0.fract() == 0.0 => day.date().to_string(),
            Ok(datetime) => datetime.to_string(),
            Err(_) => self.0.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_chosen_only_where_it_keeps_numbers_apart() {
        let iso = Meaning::Date(DateFormat::from_pattern(DateFormat::ISO));
        let of = |number: &dyn Fn(f64) -> f64, meaning: &Meaning| {
            let numbers: Vec<f64> = (0..100).map(|i| number(f64::from(i))).collect();
            let found = Resolution::of(&numbers)?;
            Some((
                found.origin.subtracted(meaning),
                found.distinct,
                found.kept,
                found.kept_without,
            ))
        };
        // Exact as they are.
        assert_eq!(of(&|i| 1990.0 + i, &Meaning::Number), None);
        // Rounded, but apart; and merged, but not for being far from 0.
        assert_eq!(of(&|i| 20.0 + 1.01 * i, &Meaning::Number).unwrap().0, "");
        assert_eq!(
            of(&|i| i % 2.0 + 1e-10 * i, &Meaning::Number).unwrap().0,
            ""
        );
        let ids = of(&|i| 1e10 + i, &Meaning::Number).unwrap();
        assert_eq!(ids, (" - 10000000050".to_owned(), 100, 100, 1));
        assert_eq!(
            of(&|i| -122.41 - 1e-6 * i, &Meaning::Number).unwrap().0,
            " + 123"
        );
        // Days since 1970, seconds and a day apart.
        assert_eq!(
            of(&|i| 20_000.0 + i / 86400.0, &iso).unwrap().0,
            " - 2024-10-04"
        );
        assert_eq!(of(&|i| 20_000.0 + i, &iso), None);
    }
}

//! How one column of a table becomes columns of numbers.

use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

use crate::options::MAX_BUCKETS;
use crate::words::Words;
use crate::{DateFormat, Fault, Numbers, is_missing, short};

/// One column of the table that is a feature.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Feature {
    /// Index into the header that was fitted on.
    pub(crate) column: usize,
    pub(crate) name: String,
    pub(crate) meaning: Meaning,
    /// What stands in for a missing cell; `None` where it is refused, or its row dropped.
    pub(crate) fill: Option<Fill>,
    /// Whether a column of zeros and ones says which cells are missing.
    pub(crate) indicator: Indicator,
}

/// What the cells of a column mean.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Meaning {
    Number,
    Date(DateFormat),
    OneHot(Values),
    Ordinal(Values),
    Hashed { buckets: u32 },
}

/// The values of a column of words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Values {
    pub(crate) words: Words,
    /// Declared values are all there are; others may come.
    pub(crate) are_declared: bool,
}

/// What stands in for a missing cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Fill {
    Number(f32),
    Word(String),
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

/// The number of an ordinal value that was not there when fitted.
const UNSEEN: f32 = -1.0;

impl Feature {
    pub(crate) fn width(&self) -> usize {
        self.meaning.width() + usize::from(self.indicator == Indicator::Present)
    }

    pub(crate) fn names(&self) -> Vec<String> {
        let name = &self.name;
        let mut names = match &self.meaning {
            Meaning::Number | Meaning::Date(_) | Meaning::Ordinal(_) => vec![name.clone()],
            Meaning::OneHot(values) => {
                let named = |value| format!("{name}={value}");
                values.words.values().iter().map(named).collect()
            }
            Meaning::Hashed { buckets } => (0..*buckets).map(|i| format!("{name}#{i}")).collect(),
        };
        if self.indicator == Indicator::Present {
            names.push(format!("{name} is missing"));
        }
        names
    }

    /// Whether its parts belong together.
    pub(crate) fn is_whole(&self) -> bool {
        let has_values = match &self.meaning {
            Meaning::OneHot(values) | Meaning::Ordinal(values) => !values.words.values().is_empty(),
            Meaning::Hashed { buckets } => (1..=MAX_BUCKETS).contains(buckets),
            Meaning::Number | Meaning::Date(_) => true,
        };
        let is_number = matches!(self.meaning, Meaning::Number | Meaning::Date(_));
        let has_fill = match &self.fill {
            None => true,
            Some(Fill::Number(number)) => is_number && number.is_finite(),
            Some(Fill::Word(_)) => !is_number,
        };
        has_values && has_fill
    }

    /// Whether the cell has no value. A declared value may be called `NA`.
    pub(crate) fn is_gap(&self, cell: &str) -> bool {
        is_missing(cell)
            && self
                .meaning
                .words()
                .is_none_or(|words| words.index(cell).is_none())
    }

    /// Appends the numbers of a cell.
    pub(crate) fn write(
        &self,
        cell: &str,
        numbers: &Numbers,
        out: &mut Vec<f32>,
    ) -> Result<Known, Fault> {
        let is_gap = self.is_gap(cell);
        let known = match (is_gap, &self.fill) {
            (false, _) => self.write_value(cell, numbers, out)?,
            (true, Some(Fill::Number(number))) => {
                out.push(*number);
                Known::Yes
            }
            (true, Some(Fill::Word(word))) => self.write_value(word, numbers, out)?,
            (true, None) => {
                return Err(Fault::Missing {
                    column: short(&self.name),
                });
            }
        };
        if self.indicator == Indicator::Present {
            out.push(f32::from(is_gap));
        }
        Ok(known)
    }

    fn write_value(
        &self,
        cell: &str,
        numbers: &Numbers,
        out: &mut Vec<f32>,
    ) -> Result<Known, Fault> {
        let (column, text) = (|| short(&self.name), || short(cell));
        match &self.meaning {
            Meaning::Number => out.push(narrow(
                number(numbers, cell, &self.name)?,
                cell,
                &self.name,
            )?),
            Meaning::Date(format) => {
                let days = format.days(cell).ok_or_else(|| Fault::NotADate {
                    column: column(),
                    text: text(),
                    format: format.as_str().to_owned(),
                })?;
                out.push(days as f32);
            }
            Meaning::OneHot(values) => {
                let found = values.find(cell, &self.name)?;
                let start = out.len();
                out.resize(start + values.words.values().len(), 0.0);
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
            Meaning::Hashed { buckets } => {
                let start = out.len();
                out.resize(start + *buckets as usize, 0.0);
                out[start + bucket(cell, *buckets)] = 1.0;
            }
        }
        Ok(Known::Yes)
    }
}

impl Meaning {
    pub(crate) fn width(&self) -> usize {
        match self {
            Meaning::Number | Meaning::Date(_) | Meaning::Ordinal(_) => 1,
            Meaning::OneHot(values) => values.words.values().len(),
            Meaning::Hashed { buckets } => *buckets as usize,
        }
    }

    fn words(&self) -> Option<&Words> {
        match self {
            Meaning::OneHot(values) | Meaning::Ordinal(values) => Some(&values.words),
            Meaning::Number | Meaning::Date(_) | Meaning::Hashed { .. } => None,
        }
    }
}

impl Values {
    /// The number of a value; `None` if it was not there when fitted.
    pub(crate) fn find(&self, cell: &str, column: &str) -> Result<Option<usize>, Fault> {
        let found = self.words.index(cell);
        if found.is_none() && self.are_declared {
            return Err(Fault::Undeclared {
                column: short(column),
                text: short(cell),
                declared: crate::quote::listed(self.words.values().iter().map(String::as_str)),
            });
        }
        Ok(found)
    }
}

/// A finite number.
pub(crate) fn number(numbers: &Numbers, cell: &str, column: &str) -> Result<f64, Fault> {
    let (column, text) = (|| short(column), || short(cell));
    match numbers.parse(cell) {
        Some(number) if number.is_finite() => Ok(number),
        Some(_) => Err(Fault::NotFinite {
            column: column(),
            text: text(),
        }),
        None => Err(Fault::NotANumber {
            column: column(),
            text: text(),
        }),
    }
}

/// The number as a feature: one beyond the range of `f32` is as infinite as a written infinity.
fn narrow(number: f64, cell: &str, column: &str) -> Result<f32, Fault> {
    let narrow = number as f32;
    match narrow.is_finite() {
        true => Ok(narrow),
        false => Err(Fault::NotFinite {
            column: short(column),
            text: short(cell),
        }),
    }
}

/// Where a word belongs among so many columns: by its XXH3, which is the same on every machine.
fn bucket(word: &str, buckets: u32) -> usize {
    (XxHash3_64::oneshot(word.as_bytes()) % u64::from(buckets)) as usize
}

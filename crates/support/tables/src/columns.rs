//! Conversion of every column of a table to numbers.

use std::borrow::Cow;
use std::collections::BTreeMap;

use forest_core::PathStep;
use serde::{Deserialize, Serialize};

use crate::error::{MAX_COLUMNS, Result, refuse, short};
use crate::feature::{Feature, Meaning, Values, missing, number};
use crate::numbers::Numbers;
use crate::record::Column;
use crate::{Header, Layout, Missing, MissingWords, Record, TableError, dates};

/// The conversion of every column of a table to numbers: fitted once ([`Columns::fit`]), then the same for every row.
///
/// It is a part of a model and is saved with it. Loading it checks its consistency.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Fitted", into = "Fitted")]
pub struct Columns {
    pub(crate) fitted: Fitted,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Fitted {
    /// The columns of the table fitted on.
    pub(crate) header: Header,
    /// The column to be predicted.
    pub(crate) target: usize,
    pub(crate) target_kind: TargetKind,
    pub(crate) features: Vec<Feature>,
    pub(crate) numbers: Numbers,
    pub(crate) missing: Missing,
    pub(crate) missing_words: MissingWords,
}

/// The meaning of the cells of the target. Variants are numbered in saved models, so new ones are added at the end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum TargetKind {
    /// Written as in all other columns.
    Numbers,
    Words,
    /// One of these declared words.
    Declared(Values),
    /// Whole numbers that are names of classes.
    Labels,
}

/// The target of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell<'a> {
    /// A finite number.
    Number(f64),
    /// The name of a class.
    Class(Cow<'a, str>),
}

impl<'a> Cell<'a> {
    /// Returns the name of the class; `None` for a number with a fraction.
    pub fn class_name(self) -> Option<Cow<'a, str>> {
        match self {
            Cell::Class(name) => Some(name),
            // Adding 0.0 turns -0 into 0.
            Cell::Number(number) if number.fract() == 0.0 => {
                Some((number + 0.0).to_string().into())
            }
            Cell::Number(_) => None,
        }
    }
}

impl TryFrom<Fitted> for Columns {
    type Error = String;

    fn try_from(fitted: Fitted) -> Result<Self, String> {
        let columns = fitted.header.columns.len();
        let is_whole = |feature: &Feature| feature.column < columns && feature.is_whole();
        let fault = if fitted.target >= columns {
            "the target column does not exist"
        } else if fitted.features.is_empty() || !fitted.features.iter().all(is_whole) {
            "a feature has no column, no values, an origin without numbers, or a filling of another kind"
        } else if columns > MAX_COLUMNS || fitted.width() > MAX_COLUMNS {
            "there are too many columns"
        } else {
            return Ok(Self { fitted });
        };
        Err(format!("the columns of a table are inconsistent: {fault}"))
    }
}

impl Fitted {
    pub(crate) fn width(&self) -> usize {
        self.features.iter().map(Feature::width).sum()
    }

    fn is_missing(&self, column: usize, cell: &str) -> bool {
        self.header.columns[column].is_missing(cell, &self.missing_words)
    }
}

impl From<Columns> for Fitted {
    fn from(columns: Columns) -> Self {
        columns.fitted
    }
}

impl Columns {
    /// Returns one name per feature: the column's, `NAME=VALUE` for a category, `NAME#I` for a hash, `NAME is missing`;
    /// with what is subtracted from it, `NAME - 10000000000`, `NAME + 122.4`, of dates `NAME - 2026-11-25`.
    pub fn feature_names(&self) -> Vec<String> {
        let features = self.fitted.features.iter();
        features.flat_map(Feature::names).collect()
    }

    /// Returns the features that are dates.
    pub fn dates(&self) -> Vec<usize> {
        let mut dates = Vec::new();
        let mut next = 0;
        for feature in &self.fitted.features {
            if matches!(feature.meaning, Meaning::Date(_)) {
                dates.push(next);
            }
            next += feature.width();
        }
        dates
    }

    /// Returns the number of features.
    pub fn width(&self) -> usize {
        self.fitted.width()
    }

    /// Returns the name of the target column.
    pub fn target_name(&self) -> &str {
        &self.fitted.header.columns[self.fitted.target].name
    }

    /// Returns whether targets are numbers; else they are names of classes.
    pub fn target_is_number(&self) -> bool {
        self.fitted.target_kind == TargetKind::Numbers
    }

    /// Returns the columns of the table that was fitted on.
    pub fn header(&self) -> &Header {
        &self.fitted.header
    }

    /// Returns the words for missing values.
    pub fn missing_words(&self) -> &MissingWords {
        &self.fitted.missing_words
    }

    /// Returns the layout of the table that was fitted on.
    pub fn own_layout(&self) -> Layout {
        let features = self.fitted.features.iter();
        Layout {
            features: features.map(|feature| feature.column).collect(),
            target: Some(self.fitted.target),
        }
    }

    /// Finds the columns in another table. Its columns may be in another order, there may be more of them, and
    /// the target may be absent. Where one of the tables has no header line, columns are found by their position.
    ///
    /// # Errors
    /// Returns an error if a feature is missing.
    pub fn layout(&self, header: &Header) -> Result<Layout> {
        let own = &self.fitted.header;
        let target = self.fitted.target;
        let expected = own.columns.len();
        let count = header.columns.len();
        let places = if own.is_named && header.is_named {
            self.places_by_name(header)?
        } else if count == expected {
            (0..expected).map(Some).collect()
        } else if count + 1 == expected {
            // Without the target.
            let place = |i: usize| (i != target).then(|| i - usize::from(i > target));
            (0..expected).map(place).collect()
        } else {
            refuse!("{count} columns without names where {expected} are expected; add their names");
        };
        let mut features = Vec::new();
        for Feature { column, name, .. } in &self.fitted.features {
            let place = places[*column];
            features.push(place.ok_or_else(|| TableError::no_column(name, &header.names()))?);
        }
        header.check(features.iter().copied())?;
        let target = places[target];
        Ok(Layout { features, target })
    }

    /// Returns the place of every fitted column in another table; of columns with the same name, the n-th is the n-th.
    fn places_by_name(&self, header: &Header) -> Result<Vec<Option<usize>>> {
        let mut places: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (place, column) in header.columns.iter().enumerate().rev() {
            places.entry(&column.name).or_default().push(place);
        }
        let own = &self.fitted.header.columns;
        let mut take = |column: &Column| places.get_mut(&*column.name).and_then(Vec::pop);
        let found = own.iter().map(&mut take).collect();
        let features = self.fitted.features.iter().map(|feature| feature.column);
        for used in features.chain([self.fitted.target]) {
            // One of several columns of the same name cannot be chosen.
            if let Some(place) = take(&own[used]) {
                let name = short(&own[used].name);
                let number = place + 1;
                refuse!("column {number} is also called `{name}`; rename it or remove it");
            }
        }
        Ok(found)
    }

    /// Appends the features of a row to `out`, and returns the number of cells whose category was unseen when fitted:
    /// all zeros, or −1 for ordinal numbers. Returns `None` if a cell is missing and such rows are left out
    /// ([`Missing::Drop`]). A row that is left out or rejected does not change `out`.
    ///
    /// # Errors
    /// Returns an error for a cell that is not a finite number or date although its column is, an undeclared value, or
    /// a missing cell that is not accepted.
    pub fn features(
        &self,
        layout: &Layout,
        record: &Record,
        out: &mut Vec<f32>,
    ) -> Result<Option<usize>> {
        let fitted = &self.fitted;
        let start = out.len();
        let mut unseen = 0;
        for (feature, place) in fitted.features.iter().zip(&layout.features) {
            let cell = record.cells.get(*place).unwrap_or_default();
            let is_missing = fitted.is_missing(feature.column, cell);
            if is_missing && fitted.missing == Missing::Drop {
                out.truncate(start);
                return Ok(None);
            }
            match feature.write(cell, is_missing, &fitted.numbers, out) {
                Ok(is_known) => unseen += usize::from(!is_known),
                Err(fault) => {
                    out.truncate(start);
                    return Err(fault.at(record.line));
                }
            }
        }
        Ok(Some(unseen))
    }

    /// Returns the target of a row; `None` if it is missing and such rows are left out ([`Missing::Drop`]).
    ///
    /// # Errors
    /// Returns an error for a cell that is not a finite number in a column of numbers, a label with a fraction, an
    /// undeclared word, a missing cell that is not accepted, or a table without the target column
    /// ([`Layout::has_target`]).
    pub fn target<'r>(&self, layout: &Layout, record: &'r Record) -> Result<Option<Cell<'r>>> {
        let name = self.target_name();
        let Some(column) = layout.target else {
            return Err(TableError::no_column(name, &[]).at(record.line));
        };
        let cell = record.cells.get(column).unwrap_or_default();
        let target = match &self.fitted.target_kind {
            _ if self.fitted.is_missing(self.fitted.target, cell) => {
                if self.fitted.missing == Missing::Drop {
                    return Ok(None);
                }
                Err(missing(name))
            }
            TargetKind::Numbers => number(&self.fitted.numbers, cell, name).map(Cell::Number),
            TargetKind::Labels => class_name(cell, &self.fitted.numbers, name).map(Cell::Class),
            TargetKind::Words => Ok(Cell::Class(cell.into())),
            TargetKind::Declared(values) => {
                values.find(cell, name).map(|_| Cell::Class(cell.into()))
            }
        };
        target.map(Some).map_err(|fault| fault.at(record.line))
    }

    /// Returns how a cut of one feature turns out for a row, with the row's own date or word:
    /// `when = 2026-11-28 ≤ 2026-12-02`, `colour = red, not blue`. Returns `None` for a cut of several features, where
    /// the feature is a number of the row, or where the row has no value.
    pub fn cut_text(&self, step: &PathStep, layout: &Layout, record: &Record) -> Option<String> {
        let [(mut feature, coefficient)] = step.cut.normal[..] else {
            return None;
        };
        let threshold = step.cut.threshold / coefficient;
        // A negative coefficient reverses the inequality.
        let is_at_most = step.holds == (coefficient > 0.0);
        let mut columns = self.fitted.features.iter().zip(&layout.features);
        let (column, place) = loop {
            let (column, place) = columns.next()?;
            if feature < column.width() {
                break (column, place);
            }
            feature -= column.width();
        };
        let name = &column.name;
        let cell = record.cells.get(*place)?;
        // Zeros and ones on either side.
        let parts_words = (0.0..1.0).contains(&threshold);
        if feature == column.meaning.width() && parts_words {
            let not = if is_at_most { "not " } else { "" };
            return Some(format!("{name} is {not}missing"));
        }
        if self.fitted.is_missing(column.column, cell) {
            return None;
        }
        let text = match (&column.meaning, is_at_most) {
            (Meaning::Date(_), _) if feature == 0 => {
                let comparison = if is_at_most { '≤' } else { '>' };
                format!(" {comparison} {}", dates::text(column.origin + threshold))
            }
            (Meaning::OneHot(values), true) if parts_words => {
                format!(", not {}", values.words.names().get(feature)?)
            }
            (Meaning::OneHot(_), false) if parts_words => String::new(),
            (Meaning::Native(_), true) => ", of the left group".to_owned(),
            (Meaning::Native(_), false) => ", of the right group".to_owned(),
            _ => return None,
        };
        Some(format!("{name} = {}{text}", short(cell)))
    }
}

/// Returns the name of the class that a whole number denotes: its digits as written, with leading zeros, in any number.
/// A sign `+` and a fraction of zeros are ignored, so `+1`, `1.0` and `1` are one class; `01` is another. A cell that
/// is not a finite number, or has a fraction, is an error.
fn class_name<'c>(cell: &'c str, numbers: &Numbers, column: &str) -> Result<Cow<'c, str>> {
    let number = number(numbers, cell, column)?;
    if number.fract() != 0.0 {
        refuse!(
            "the target `{}` is `{}`, a number with a fraction, which is not a class; correct it, or learn numbers \
             with --task regress",
            short(column),
            short(cell)
        );
    }
    let unsigned = cell.strip_prefix('+').unwrap_or(cell);
    let parts = unsigned.split_once(numbers.decimal_char());
    let (whole, fraction) = parts.unwrap_or((unsigned, ""));
    let digits = whole.strip_prefix('-').unwrap_or(whole);
    let are_digits = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let are_zeros = |text: &str| text.bytes().all(|byte| byte == b'0');
    if !are_digits || !are_zeros(fraction) {
        // With an exponent or with groups of digits.
        return Ok((number + 0.0).to_string().into());
    }
    Ok(if are_zeros(digits) { digits } else { whole }.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Decimal;

    #[test]
    fn digits_are_names_whatever_their_number() {
        let english = Numbers::default();
        let german = Numbers {
            decimal: Decimal::Comma,
            thousands: Some('.'),
        };
        for (numbers, cell, name) in [
            (english, "1", Some("1")),
            (english, "+1", Some("1")),
            (english, "1.0", Some("1")),
            (english, "-3.", Some("-3")),
            (english, "-0", Some("0")),
            (english, "0.00", Some("0")),
            (english, "00", Some("00")),
            (english, "01234", Some("01234")),
            (english, "9007199254740993", Some("9007199254740993")),
            (english, "1e2", Some("100")),
            (english, "6.0000e+00", Some("6")),
            (english, "0.5", None),
            (english, "x", None),
            (english, "inf", None),
            (english, "", None),
            (german, "1,0", Some("1")),
            (german, "1.000", Some("1000")),
        ] {
            let found = class_name(cell, &numbers, "y").ok();
            assert_eq!(found.as_deref(), name, "{cell}");
        }
    }
}

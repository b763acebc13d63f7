//! What the cells of a column mean: numbers, dates or words.

use super::Fit;
use crate::column_cells::ColumnCells;
use crate::feature::{Meaning, Values};
use crate::numbers::Exact;
use crate::words::Words;
use crate::{Categories, DateFormat, Dates, Fault, Kind, short};

/// What the cells of a column mean.
pub(super) struct Reading {
    pub(super) meaning: Meaning,
    /// Every finite number; none of words.
    pub(super) values: Vec<Exact>,
    /// Every format that the dates may have, the one that is read first.
    pub(super) formats: Vec<DateFormat>,
}

impl Fit<'_> {
    pub(super) fn reading(&self, cells: ColumnCells<'_>) -> Result<Reading, Fault> {
        let words = || Values {
            words: Words::distinct(cells.distinct()),
            are_declared: false,
        };
        match &cells.column().kind {
            Kind::Nominal(values) => self.categories(cells, declared(values)).map(Reading::from),
            _ if self.is_categorical(cells) => self.categories(cells, words()).map(Reading::from),
            Kind::Numeric => Ok(self.numeric(cells, Meaning::Number)),
            Kind::Unstated | Kind::Index | Kind::Unreadable(_) => self.unstated(cells, words),
            Kind::Date(pattern) => match self.declared_dates(cells, pattern) {
                Some(format) => Ok(self.numeric(cells, Meaning::Date(format))),
                None => self.unstated(cells, words),
            },
        }
    }

    /// The format of a column that is declared to be dates, unless dates are to be text or have the format that was given.
    fn declared_dates(&self, cells: ColumnCells<'_>, pattern: &str) -> Option<DateFormat> {
        let declared = || DateFormat::declared(pattern);
        match &self.options.dates {
            Dates::Text => None,
            Dates::Auto => declared(),
            Dates::Pattern(_) => {
                let present: Vec<&str> = cells.present().collect();
                self.date_formats(&present).pop().or_else(declared)
            }
        }
    }

    /// A column of which only its cells tell what they mean.
    fn unstated(
        &self,
        cells: ColumnCells<'_>,
        words: impl Fn() -> Values,
    ) -> Result<Reading, Fault> {
        let plain = self.numeric(cells, Meaning::Number);
        let present: Vec<&str> = cells.present().collect();
        let numbers = cells.numbers(self.options.numbers()).count();
        // A mistake in writing is likelier than a word among numbers, and a word that looks like a number than a number among words.
        let are_numbers = 2 * numbers >= present.len();
        let formats = match are_numbers {
            true => Vec::new(),
            false => self.date_formats(&present),
        };
        if let Some(format) = formats.first() {
            let dates = self.numeric(cells, Meaning::Date(format.clone()));
            return Ok(Reading { formats, ..dates });
        }
        match self.notation(&present, numbers) {
            Some(notation) => Ok(self.numeric(cells, Meaning::Written(notation))),
            None if are_numbers => Ok(plain),
            None => self.categories(cells, words()).map(Reading::from),
        }
    }

    fn numeric(&self, cells: ColumnCells<'_>, meaning: Meaning) -> Reading {
        let numbers = self.options.numbers();
        let exact = cells
            .present()
            .filter_map(|cell| meaning.exact(cell, &numbers));
        Reading {
            values: exact.filter(|number| number.nearest.is_finite()).collect(),
            meaning,
            formats: Vec::new(),
        }
    }

    /// Every format that nearly all cells of a column have. The others are errors later.
    pub(super) fn date_formats(&self, present: &[&str]) -> Vec<DateFormat> {
        match &self.options.dates {
            Dates::Text => Vec::new(),
            Dates::Auto => DateFormat::that_fit(present),
            Dates::Pattern(pattern) => {
                let format = DateFormat::of_pattern(pattern);
                let fits = format.misses(present).is_some();
                fits.then_some(format).into_iter().collect()
            }
        }
    }

    fn categories(&self, cells: ColumnCells<'_>, values: Values) -> Result<Meaning, Fault> {
        match self.options.categories {
            Categories::OneHot { limit } if values.words.values().len() > limit => {
                Err(Fault::TooManyCategories {
                    column: short(&cells.column().name),
                    limit,
                })
            }
            Categories::OneHot { .. } => Ok(Meaning::OneHot(values)),
            Categories::Ordinal => Ok(Meaning::Ordinal(values)),
            Categories::Hashing { buckets } => Ok(Meaning::Hashed { buckets }),
        }
    }
}

pub(super) fn declared(values: &[String]) -> Values {
    Values {
        words: Words::distinct(values.to_vec()),
        are_declared: true,
    }
}

impl From<Meaning> for Reading {
    /// Of words.
    fn from(meaning: Meaning) -> Self {
        Self {
            meaning,
            values: Vec::new(),
            formats: Vec::new(),
        }
    }
}

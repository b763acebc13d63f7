//! Infers the meaning of the cells of a column: numbers, dates or words.

use super::Fit;
use crate::column_cells::ColumnCells;
use crate::feature::{MAX_NATIVE, Meaning, Values};
use crate::numbers::Exact;
use crate::words::Words;
use crate::{Categories, DateFormat, Dates, Fault, Kind, short};

/// The inferred meaning of the cells of a column.
pub(super) struct Reading {
    pub(super) meaning: Meaning,
    /// Every finite number; empty for words.
    pub(super) values: Vec<Exact>,
    /// The format of dates, if they were not declared.
    pub(super) guessed: Option<DateFormat>,
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
            Kind::Date(_) => match self.declared_dates(cells) {
                Some(format) => Ok(self.numeric(cells, Meaning::Date(format))),
                None => self.unstated(cells, words),
            },
        }
    }

    /// Returns the format of a column that is declared to be dates: the one that was given, if it fits, else one that is recognised.
    fn declared_dates(&self, cells: ColumnCells<'_>) -> Option<DateFormat> {
        let present: Vec<&str> = cells.present().collect();
        match &self.options.dates {
            Dates::Text => None,
            Dates::Auto | Dates::Pattern(_) => {
                let given = self.date_format(&present);
                given.or_else(|| DateFormat::that_fits(&present))
            }
        }
    }

    /// Infers the meaning of a column from its cells.
    fn unstated(
        &self,
        cells: ColumnCells<'_>,
        words: impl Fn() -> Values,
    ) -> Result<Reading, Fault> {
        let present: Vec<&str> = cells.present().collect();
        let numbers = cells.numbers(self.options.numbers()).count();
        // A typing error is likelier than a word among numbers.
        if 2 * numbers >= present.len() {
            return Ok(self.numeric(cells, Meaning::Number));
        }
        let Some(format) = self.date_format(&present) else {
            return self.categories(cells, words()).map(Reading::from);
        };
        Ok(Reading {
            guessed: Some(format.clone()),
            ..self.numeric(cells, Meaning::Date(format))
        })
    }

    fn numeric(&self, cells: ColumnCells<'_>, meaning: Meaning) -> Reading {
        let numbers = self.options.numbers();
        let exact = cells
            .present()
            .filter_map(|cell| meaning.exact(cell, &numbers));
        Reading {
            values: exact.filter(|number| number.nearest.is_finite()).collect(),
            meaning,
            guessed: None,
        }
    }

    /// Returns the format that nearly all cells of a column have. The others are errors later.
    pub(super) fn date_format(&self, present: &[&str]) -> Option<DateFormat> {
        match &self.options.dates {
            Dates::Text => None,
            Dates::Auto => DateFormat::that_fits(present),
            Dates::Pattern(pattern) => {
                let format = DateFormat::from_pattern(pattern);
                format.misses(present).is_some().then_some(format)
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
            Categories::Native if values.words.values().len() >= MAX_NATIVE => {
                Err(Fault::TooManyCategories {
                    column: short(&cells.column().name),
                    limit: MAX_NATIVE - 1,
                })
            }
            Categories::OneHot { .. } => Ok(Meaning::OneHot(values)),
            Categories::Native => Ok(Meaning::Native(values)),
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
            guessed: None,
        }
    }
}

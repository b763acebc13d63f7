//! What the cells of a column mean: numbers, dates or words.

use super::Fit;
use crate::column_cells::ColumnCells;
use crate::feature::{Meaning, Values};
use crate::words::Words;
use crate::{Categories, DateFormat, Dates, Fault, Kind, short};

impl Fit<'_> {
    pub(super) fn meaning(&self, cells: ColumnCells<'_>) -> Result<Meaning, Fault> {
        let words = || Values {
            words: Words::distinct(cells.distinct()),
            are_declared: false,
        };
        match &cells.column.kind {
            Kind::Nominal(values) => self.categories(cells, declared(values)),
            _ if self.is_categorical(cells) => self.categories(cells, words()),
            Kind::Numeric => Ok(Meaning::Number),
            Kind::Unstated if cells.has_number(self.options.numbers()) => Ok(Meaning::Number),
            Kind::Unstated | Kind::Unreadable(_) => {
                match self.date_formats(cells).into_iter().next() {
                    Some(format) => Ok(Meaning::Date(format)),
                    None => self.categories(cells, words()),
                }
            }
        }
    }

    /// Every format that nearly all cells of a column have. The others are errors later.
    pub(super) fn date_formats(&self, cells: ColumnCells<'_>) -> Vec<DateFormat> {
        let present = || cells.present().collect::<Vec<_>>();
        match &self.options.dates {
            Dates::Text => Vec::new(),
            Dates::Auto => DateFormat::that_fit(&present()),
            Dates::Pattern(pattern) => {
                let format = DateFormat::of_pattern(pattern);
                let fits = format.misses(&present()).is_some();
                fits.then_some(format).into_iter().collect()
            }
        }
    }

    fn categories(&self, cells: ColumnCells<'_>, values: Values) -> Result<Meaning, Fault> {
        match self.options.categories {
            Categories::OneHot { limit } if values.words.values().len() > limit => {
                Err(Fault::TooManyCategories {
                    column: short(&cells.column.name),
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

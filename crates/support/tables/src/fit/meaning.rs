//! Infers the meaning of the cells of a column: numbers, dates or words.

use forest_core::LabelEncoder;

use super::Fit;
use crate::column_cells::ColumnCells;
use crate::feature::{MAX_NATIVE, Meaning, Values};
use crate::{Categories, DateFormat, Dates, Fault, Kind, short};

/// The inferred meaning of the cells of a column.
pub(super) struct Reading {
    pub(super) meaning: Meaning,
    /// Every finite number; empty for words.
    pub(super) values: Vec<f64>,
    /// Whether it was read as dates without being declared so.
    pub(super) is_guessed_date: bool,
}

impl Fit<'_> {
    pub(super) fn reading(&self, cells: ColumnCells<'_>) -> Result<Reading, Fault> {
        let words = || Values {
            words: numbered(&cells.distinct()),
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
            is_guessed_date: true,
            ..self.numeric(cells, Meaning::Date(format))
        })
    }

    fn numeric(&self, cells: ColumnCells<'_>, meaning: Meaning) -> Reading {
        let numbers = self.options.numbers();
        let values = cells
            .present()
            .filter_map(|cell| meaning.number(cell, &numbers));
        Reading {
            values: values.filter(|number| number.is_finite()).collect(),
            meaning,
            is_guessed_date: false,
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
        let limit = match self.options.categories {
            Categories::OneHot { limit } => limit,
            Categories::Native => MAX_NATIVE - 1,
            Categories::Ordinal | Categories::Hashing { .. } => usize::MAX,
        };
        if values.words.len() > limit {
            return Err(Fault::new(format!(
                "text column `{}` has more than {limit} different values, too many to encode; leave it out with --drop, or use \
                 --categories hash:64, --categories ordinal, --categories native or --categories one-hot:LIMIT",
                short(&cells.column().name)
            )));
        }
        match self.options.categories {
            Categories::OneHot { .. } => Ok(Meaning::OneHot(values)),
            Categories::Native => Ok(Meaning::Native(values)),
            Categories::Ordinal => Ok(Meaning::Ordinal(values)),
            Categories::Hashing { buckets } => Ok(Meaning::Hashed { buckets }),
        }
    }
}

pub(super) fn declared(values: &[String]) -> Values {
    Values {
        words: numbered(values),
        are_declared: true,
    }
}

/// Numbers distinct words in the order of their first occurrence.
fn numbered(values: &[String]) -> LabelEncoder {
    let mut words = LabelEncoder::default();
    for value in values {
        words.index_or_add(value);
    }
    words
}

impl From<Meaning> for Reading {
    /// Of words.
    fn from(meaning: Meaning) -> Self {
        Self {
            meaning,
            values: Vec::new(),
            is_guessed_date: false,
        }
    }
}

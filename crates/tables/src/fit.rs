//! Finding out how every column of a table becomes numbers.

use crate::column_cells::ColumnCells;
use crate::columns::{Fitted, Target, TargetKind};
use crate::feature::{Feature, Fill, Indicator, Meaning, Values};
use crate::limits::MAX_COLUMNS;
use crate::target_column::find;
use crate::words::Words;
use crate::{
    Categories, Columns, DateFormat, Dates, Fault, GapsIn, Header, Kind, Missing, Record,
    TableError, TableOptions, TargetColumn, Warning, short, warning,
};

impl Columns {
    /// Finds out how the columns of a table become numbers, from all of its rows or from the first of a stream, and what
    /// was guessed on the way.
    ///
    /// A column is a number if it is declared one or if one of its cells is a number; dates are numbers, too; every
    /// other column is words ([`Categories`]). A cell that does not fit its column is no error here but when its row is
    /// read ([`Columns::features`]). Time is that of a few passes over the rows; of a column of words, all different values are
    /// kept.
    ///
    /// # Errors
    /// A column that is not there, no rows, no features, missing values that are refused, or too many categories.
    pub fn fit(
        header: &Header,
        records: &[Record],
        target: &TargetColumn,
        options: &TableOptions,
    ) -> Result<(Columns, Vec<Warning>), TableError> {
        let names = header.names();
        if names.is_empty() {
            return Err(Fault::NoFeatures.into());
        }
        let chosen = Chosen::of(&names, target, options)?;
        let rows = chosen.rows(header, records, options.missing)?;
        let fit = Fit {
            header,
            rows: &rows,
            options,
            chosen: &chosen,
        };
        let fitted = fit.all()?;
        let mut warnings = fit.warnings(&fitted);
        warnings.extend(warning::numbers_as_header(header, records, options));
        Ok((Columns { fitted }, warnings))
    }
}

/// Which columns are what.
struct Chosen {
    target: usize,
    features: Vec<usize>,
    categorical: Vec<usize>,
}

impl Chosen {
    fn of(names: &[String], target: &TargetColumn, options: &TableOptions) -> Result<Self, Fault> {
        let all = |wanted: &[String]| -> Result<Vec<usize>, Fault> {
            wanted.iter().map(|name| find(name, names)).collect()
        };
        let target = target.find(names)?;
        let dropped = all(&options.drop)?;
        let mut features = match options.columns.is_empty() {
            true => (0..names.len()).collect(),
            false => all(&options.columns)?,
        };
        features.retain(|column| *column != target && !dropped.contains(column));
        match features.is_empty() {
            true => Err(Fault::NoFeatures),
            false => Ok(Self {
                target,
                features,
                categorical: all(&options.categorical)?,
            }),
        }
    }

    /// The rows to be fitted on; all of them unless rows with gaps are dropped.
    fn rows<'a>(
        &self,
        header: &Header,
        records: &'a [Record],
        missing: Missing,
    ) -> Result<Vec<&'a Record>, Fault> {
        if records.is_empty() {
            return Err(Fault::Empty);
        }
        let rows: Vec<&Record> = records.iter().collect();
        let used: Vec<usize> = self.features.iter().copied().chain([self.target]).collect();
        match missing {
            Missing::Refuse => refuse_gaps(header, &rows, &used, GapsIn::Anywhere)?,
            Missing::Mean | Missing::Median | Missing::Indicator => {
                refuse_gaps(header, &rows, &[self.target], GapsIn::Target)?;
            }
            Missing::Drop => {
                let whole = whole_rows(header, &rows, &used);
                if whole.is_empty() {
                    refuse_gaps(header, &rows, &used, GapsIn::Anywhere)?;
                }
                return Ok(whole);
            }
        }
        Ok(rows)
    }
}

/// The rows without gaps in some columns.
fn whole_rows<'a>(header: &Header, rows: &[&'a Record], columns: &[usize]) -> Vec<&'a Record> {
    let is_gap = |row: &Record, index: usize| {
        let cell = row.cells.get(index).unwrap_or_default();
        header.columns[index].is_gap(cell)
    };
    let is_whole = |row: &&&Record| !columns.iter().any(|index| is_gap(row, *index));
    rows.iter().filter(is_whole).copied().collect()
}

/// An error with all counts, if there are gaps in some columns.
fn refuse_gaps(
    header: &Header,
    rows: &[&Record],
    columns: &[usize],
    place: GapsIn,
) -> Result<(), Fault> {
    let gaps = |index: &usize| {
        let (column, index) = (&header.columns[*index], *index);
        ColumnCells {
            column,
            index,
            rows,
        }
        .gaps()
    };
    let columns: Vec<_> = columns.iter().filter_map(gaps).collect();
    match columns.is_empty() {
        true => Ok(()),
        false => Err(Fault::MissingValues {
            columns,
            rows: rows.len(),
            place,
        }),
    }
}

/// Everything that is needed to fit one column.
struct Fit<'a> {
    header: &'a Header,
    rows: &'a [&'a Record],
    options: &'a TableOptions,
    chosen: &'a Chosen,
}

impl<'a> Fit<'a> {
    fn cells(&self, index: usize) -> ColumnCells<'a> {
        ColumnCells {
            column: &self.header.columns[index],
            index,
            rows: self.rows,
        }
    }

    fn all(&self) -> Result<Fitted, TableError> {
        let features = self.chosen.features.iter();
        let features = features.map(|index| self.feature(self.cells(*index)));
        let fitted = Fitted {
            header: self.header.clone(),
            target: self.target(),
            features: features.collect::<Result<_, _>>()?,
            numbers: self.options.numbers(),
            missing: self.options.missing,
        };
        match fitted.width() > MAX_COLUMNS {
            true => Err(Fault::TooManyColumns.into()),
            false => Ok(fitted),
        }
    }

    fn target(&self) -> Target {
        let cells = self.cells(self.chosen.target);
        let kind = match &cells.column.kind {
            Kind::Nominal(values) => TargetKind::Declared(declared(values)),
            _ if self.is_categorical(cells) => TargetKind::Words,
            Kind::Numeric => TargetKind::Numbers,
            Kind::Unstated if cells.has_number(self.options.numbers()) => TargetKind::Numbers,
            Kind::Unstated => TargetKind::Words,
        };
        Target {
            column: cells.index,
            kind,
        }
    }

    fn is_categorical(&self, cells: ColumnCells<'_>) -> bool {
        self.chosen.categorical.contains(&cells.index)
    }

    fn feature(&self, cells: ColumnCells<'_>) -> Result<Feature, Fault> {
        let has_gaps = cells.gaps().is_some();
        if has_gaps && cells.present().next().is_none() {
            return Err(Fault::NoValues {
                column: short(&cells.column.name),
            });
        }
        let meaning = self.meaning(cells)?;
        let indicator = match has_gaps && self.options.missing == Missing::Indicator {
            true => Indicator::Present,
            false => Indicator::Absent,
        };
        Ok(Feature {
            column: cells.index,
            name: cells.column.name.clone(),
            fill: self.fill(cells, &meaning),
            meaning,
            indicator,
        })
    }

    fn meaning(&self, cells: ColumnCells<'_>) -> Result<Meaning, Fault> {
        let words = || Values {
            words: Words::distinct(cells.distinct()),
            are_declared: false,
        };
        match &cells.column.kind {
            Kind::Nominal(values) => self.categories(cells, declared(values)),
            _ if self.is_categorical(cells) => self.categories(cells, words()),
            Kind::Numeric => Ok(Meaning::Number),
            Kind::Unstated if cells.has_number(self.options.numbers()) => Ok(Meaning::Number),
            Kind::Unstated => match self.date_formats(cells).into_iter().next() {
                Some(format) => Ok(Meaning::Date(format)),
                None => self.categories(cells, words()),
            },
        }
    }

    /// Every format that all cells of a column have.
    fn date_formats(&self, cells: ColumnCells<'_>) -> Vec<DateFormat> {
        match &self.options.dates {
            Dates::Text => Vec::new(),
            Dates::Auto => DateFormat::that_fit(cells.present()),
            Dates::Pattern(pattern) => {
                let format = DateFormat::of_pattern(pattern);
                let fits = cells.present().all(|cell| format.days(cell).is_some());
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

    fn fill(&self, cells: ColumnCells<'_>, meaning: &Meaning) -> Option<Fill> {
        let of_numbers = match self.options.missing {
            Missing::Refuse | Missing::Drop => return None,
            Missing::Mean => mean,
            Missing::Median | Missing::Indicator => median,
        };
        let number =
            |values: Vec<f64>| of_numbers(values).map(|number| Fill::Number(number as f32));
        match meaning {
            Meaning::Number => {
                let finite = cells
                    .numbers(self.options.numbers())
                    .filter(|number| number.is_finite());
                number(finite.collect())
            }
            Meaning::Date(format) => number(
                cells
                    .present()
                    .filter_map(|cell| format.days(cell))
                    .collect(),
            ),
            Meaning::OneHot(_) | Meaning::Ordinal(_) | Meaning::Hashed { .. } => cells
                .most_frequent()
                .map(|word| Fill::Word(word.to_owned())),
        }
    }

    fn warnings(&self, fitted: &Fitted) -> Vec<Warning> {
        let target = self.cells(self.chosen.target);
        let of = |feature: &Feature| {
            let cells = self.cells(feature.column);
            let dates = match feature.meaning {
                Meaning::Date(_) => self.date_formats(cells),
                _ => Vec::new(),
            };
            warning::of_feature(feature, cells, target, &dates, self.options)
        };
        fitted.features.iter().flat_map(of).collect()
    }
}

fn declared(values: &[String]) -> Values {
    Values {
        words: Words::distinct(values.to_vec()),
        are_declared: true,
    }
}

/// Terms are divided first: a sum of large numbers could overflow.
fn mean(values: Vec<f64>) -> Option<f64> {
    let count = values.len() as f64;
    let mean = values.iter().map(|value| value / count).sum::<f64>();
    (!values.is_empty()).then_some(mean)
}

/// The middle value, or the mean of the two in the middle.
fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_unstable_by(f64::total_cmp);
    let upper = *values.get(values.len() / 2)?;
    let lower = values[(values.len() - 1) / 2];
    Some(lower.midpoint(upper))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn middles_are_exact() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median(vec![]), None);
        assert_eq!(mean(vec![1.0, 2.0, 6.0]), Some(3.0));
        assert!(mean(vec![1e308, 1.5e308]).is_some_and(f64::is_finite));
    }
}

//! Finding out how every column of a table becomes numbers.

mod chosen;
mod fill;
mod meaning;

use chosen::Chosen;
use meaning::declared;

use crate::column_cells::ColumnCells;
use crate::columns::{Fitted, Target, TargetKind};
use crate::feature::{Feature, Indicator, Meaning};
use crate::limits::MAX_COLUMNS;
use crate::{
    Columns, Fault, Header, Kind, Missing, Record, TableError, TableOptions, TargetColumn, Warning,
    short, warning,
};

impl Columns {
    /// Finds out how the columns of a table become numbers, from all of its rows or from the first of a stream, and what
    /// was guessed on the way.
    ///
    /// A column is a number if it is declared one or if one of its cells is a number; dates are numbers, too; every
    /// other column is words ([`Categories`](crate::Categories)). A cell that does not fit its column is no error here but when its row is
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
        header.check(chosen.used())?;
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
            Kind::Unstated | Kind::Unreadable(_) => TargetKind::Words,
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
        let of_features = fitted.features.iter().flat_map(of);
        of_features.chain(warning::of_target(target)).collect()
    }
}

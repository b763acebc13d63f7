//! Finding out how every column of a table becomes numbers.

mod chosen;
mod fill;
mod meaning;
mod resolution;

use chosen::Chosen;
use meaning::{Reading, declared};
pub(crate) use resolution::Resolution;

use crate::column_cells::ColumnCells;
use crate::columns::{Fitted, Target, TargetKind};
use crate::feature::{Feature, Indicator, Origin};
use crate::limits::MAX_COLUMNS;
use crate::missing::GapRule;
use crate::{
    Columns, DateFormat, Fault, Header, Kind, Missing, Notation, Record, TableError, TableOptions,
    TargetColumn, Warning, numbers, short, warning,
};

impl Columns {
    /// Finds out how the columns of a table become numbers, from all of its rows or from the first of a stream, and what
    /// was guessed on the way.
    ///
    /// A column is a number if it is declared one or if one of its cells is a number; dates are numbers, too, and so are cells
    /// that share a [`Notation`]; every other column is words ([`Categories`](crate::Categories)). A cell that does not fit its column is no error here but when its row is
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
        if header.columns.is_empty() {
            return Err(Fault::NoFeatures.into());
        }
        let chosen = Chosen::of(header, target, options)?;
        header.check(chosen.used())?;
        let gaps = options.gap_rule();
        let rows = chosen.rows(header, records, &gaps)?;
        let fit = Fit {
            header,
            rows: &rows,
            options,
            gaps: &gaps,
            chosen: &chosen,
        };
        let (fitted, found) = fit.all()?;
        let mut warnings = fit.warnings(&fitted, &found);
        warnings.extend(chosen.warnings(header));
        Ok((Columns { fitted }, warnings))
    }
}

/// Everything that is needed to fit one column.
struct Fit<'a> {
    header: &'a Header,
    rows: &'a [&'a Record],
    options: &'a TableOptions,
    gaps: &'a GapRule,
    chosen: &'a Chosen,
}

impl<'a> Fit<'a> {
    fn cells(&self, index: usize) -> ColumnCells<'a> {
        ColumnCells {
            column: &self.header.columns[index],
            index,
            rows: self.rows,
            gaps: &self.gaps.words,
        }
    }

    /// The columns, and of every feature what was found on the way.
    fn all(&self) -> Result<(Fitted, Vec<Found>), TableError> {
        let features = self.chosen.features.iter();
        let features = features.map(|index| self.feature(self.cells(*index)));
        let features: Vec<(Feature, Found)> = features.collect::<Result<_, _>>()?;
        let (features, found) = features.into_iter().unzip();
        let fitted = Fitted {
            header: self.header.clone(),
            target: self.target(),
            features,
            numbers: self.options.numbers(),
            gaps: self.gaps.clone(),
        };
        match fitted.width() > MAX_COLUMNS {
            true => Err(Fault::TooManyColumns.into()),
            false => Ok((fitted, found)),
        }
    }

    fn target(&self) -> Target {
        let cells = self.cells(self.chosen.target);
        let kind = match &cells.column.kind {
            Kind::Nominal(values) => TargetKind::Declared(declared(values)),
            _ if self.is_categorical(cells) => TargetKind::Words,
            Kind::Numeric => TargetKind::Numbers,
            Kind::Unstated | Kind::Date(_) | Kind::Index | Kind::Unreadable(_) => {
                self.target_kind(cells)
            }
        };
        Target {
            column: cells.index,
            kind,
        }
    }

    fn target_kind(&self, cells: ColumnCells<'_>) -> TargetKind {
        let present: Vec<&str> = cells.present().collect();
        let numbers = cells.numbers(self.options.numbers()).count();
        match self.notation(&present, numbers) {
            Some(notation) => TargetKind::Written(notation),
            None if numbers > 0 => TargetKind::Numbers,
            None => TargetKind::Words,
        }
    }

    /// The notation of cells of which `numbers` are numbers without it.
    fn notation(&self, present: &[&str], numbers: usize) -> Option<Notation> {
        match numbers == present.len() {
            true => None,
            false => numbers::notation(present, self.options.numbers()),
        }
    }

    fn is_categorical(&self, cells: ColumnCells<'_>) -> bool {
        self.chosen.categorical.contains(&cells.index)
    }

    fn feature(&self, cells: ColumnCells<'_>) -> Result<(Feature, Found), Fault> {
        let has_gaps = cells.gaps().is_some();
        if has_gaps && cells.present().next().is_none() {
            return Err(Fault::NoValues {
                column: short(&cells.column.name),
            });
        }
        let Reading {
            meaning,
            values,
            formats,
        } = self.reading(cells)?;
        let indicator = match has_gaps && self.options.missing == Missing::Indicator {
            true => Indicator::Present,
            false => Indicator::Absent,
        };
        let resolution = Resolution::of(&values, &meaning);
        let origin = resolution.map_or(Origin::NONE, |found| found.origin);
        let feature = Feature {
            column: cells.index,
            name: cells.column.name.clone(),
            fill: self.fill(cells, &meaning, &values, origin),
            meaning,
            indicator,
            origin,
        };
        let found = Found {
            resolution,
            formats,
        };
        Ok((feature, found))
    }

    fn warnings(&self, fitted: &Fitted, found: &[Found]) -> Vec<Warning> {
        let target = self.cells(self.chosen.target);
        let of = |(feature, found): (&Feature, &Found)| {
            let cells = self.cells(feature.column);
            let is_chosen = self.is_categorical(cells);
            warning::of_feature(feature, found, cells, target, is_chosen, self.options)
        };
        let of_features = fitted.features.iter().zip(found).flat_map(of);
        of_features
            .chain(warning::of_target(
                target,
                &fitted.target.kind,
                self.options.numbers(),
            ))
            .chain(warning::dates_without_column(fitted, self.options))
            .collect()
    }
}

/// What was found out about a feature beside what is kept of it.
pub(crate) struct Found {
    pub(crate) resolution: Option<Resolution>,
    /// Formats that the dates of the column may have.
    pub(crate) formats: Vec<DateFormat>,
}

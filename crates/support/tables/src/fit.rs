//! Fits the conversion of columns to numbers.

mod chosen;
mod fill;
mod meaning;
mod resolution;
mod target;

use std::collections::BTreeSet;

use chosen::Chosen;
use meaning::Reading;
pub(crate) use resolution::Resolution;

use crate::column_cells::ColumnCells;
use crate::columns::{Fitted, TargetKind};
use crate::feature::{Feature, Indicator, Origin};
use crate::limits::MAX_COLUMNS;
use crate::missing::MissingRule;
use crate::{
    Columns, DateFormat, Fault, FirstRow, Header, Missing, Record, TableError, TableOptions,
    TargetColumn, TaskKind, Warning, listed, short, warning,
};

impl Columns {
    /// Fits the conversion of columns to numbers, to all rows of a table or the first of a stream, and returns what
    /// was guessed on the way.
    ///
    /// A column is a number if it is declared one or if at least half of its cells are numbers; dates are numbers, too; every other
    /// column is words ([`Categories`](crate::Categories)). A cell that does not fit its
    /// column is an error only when its row is read ([`Columns::features`]). It takes a few passes over the rows; of a
    /// column of words, all distinct values are kept.
    ///
    /// The target is read for `task` or, without one, for the task that its values suggest: text is classes, and so are few different
    /// whole numbers ([`guess_task`](crate::guess_task)). Text that a feature would be warned about, since it may be numbers or
    /// dates, is refused, unless `task` or the options say that its values are classes.
    ///
    /// # Errors
    /// Returns an error for an unknown column, a table without rows or features, two features of one name, a target that does not suit the task or is ambiguous,
    /// missing values that are not accepted, or too many categories.
    pub fn fit(
        header: &Header,
        records: &[Record],
        target: &TargetColumn,
        task: Option<TaskKind>,
        options: &TableOptions,
    ) -> Result<(Columns, Vec<Warning>), TableError> {
        if header.columns.is_empty() {
            return Err(Fault::NoFeatures.into());
        }
        let chosen = Chosen::of(header, target, options)?;
        header.check(chosen.used())?;
        let rule = options.missing_rule();
        let rows = chosen.rows(header, records, &rule)?;
        let fit = Fit {
            header,
            rows: &rows,
            task,
            options,
            rule: &rule,
            chosen: &chosen,
        };
        let (fitted, found, of_target) = fit.all()?;
        let mut warnings = fit.warnings(&fitted, &found);
        warnings.extend(of_target);
        warnings.extend(chosen.warnings(header));
        Ok((Columns { fitted }, warnings))
    }
}

/// Everything that is needed to fit one column.
struct Fit<'a> {
    header: &'a Header,
    rows: &'a [&'a Record],
    task: Option<TaskKind>,
    options: &'a TableOptions,
    rule: &'a MissingRule,
    chosen: &'a Chosen,
}

impl<'a> Fit<'a> {
    fn cells(&self, index: usize) -> ColumnCells<'a> {
        ColumnCells {
            header: self.header,
            index,
            rows: self.rows,
            missing_words: &self.rule.words,
        }
    }

    /// Returns the columns, of every feature what was found on the way, and what was guessed about the target.
    fn all(&self) -> Result<(Fitted, Vec<Found>, Vec<Warning>), Fault> {
        let chosen = self.chosen.features.iter();
        let fitted: Vec<(Feature, Found)> = chosen
            .map(|index| self.feature(self.cells(*index)))
            .collect::<Result<_, _>>()?;
        let (features, found) = fitted.into_iter().unzip();
        let (target, of_target) = self.target()?;
        let fitted = Fitted {
            header: self.header.clone(),
            target,
            features,
            numbers: self.options.numbers(),
            rule: self.rule.clone(),
        };
        if fitted.width() > MAX_COLUMNS {
            return Err(Fault::TooManyColumns);
        }
        refuse_equal_features(&fitted.features)?;
        Ok((fitted, found, of_target))
    }

    fn is_categorical(&self, cells: ColumnCells<'_>) -> bool {
        self.chosen.categorical.contains(&cells.index)
    }

    fn feature(&self, cells: ColumnCells<'_>) -> Result<(Feature, Found), Fault> {
        let has_missing = cells.missing_cells().is_some();
        if has_missing && cells.present().next().is_none() {
            return Err(Fault::NoValues {
                column: short(&cells.column().name),
            });
        }
        let Reading {
            meaning,
            values,
            guessed,
        } = self.reading(cells)?;
        let indicator = if has_missing && self.options.missing == Missing::Indicator {
            Indicator::Present
        } else {
            Indicator::Absent
        };
        let resolution = Resolution::of(&values, &meaning);
        let origin = resolution.map_or(Origin::NONE, |found| found.origin);
        let feature = Feature {
            column: cells.index,
            name: cells.column().name.clone(),
            fill: self.fill(cells, &meaning, &values, origin),
            meaning,
            indicator,
            origin,
        };
        let found = Found {
            resolution,
            guessed,
        };
        Ok((feature, found))
    }

    fn warnings(&self, fitted: &Fitted, found: &[Found]) -> Vec<Warning> {
        let target = self.cells(self.chosen.target);
        let of = |(feature, found): (&Feature, &Found)| {
            let cells = self.cells(feature.column);
            let is_chosen = self.is_categorical(cells);
            warning::feature_warnings(feature, found, cells, target, is_chosen, self.options)
        };
        let of_features = fitted.features.iter().zip(found).flat_map(of);
        of_features
            .chain(warning::one_target(target))
            .chain(warning::dates_without_column(fitted, self.options))
            .chain(self.first_row(fitted))
            .collect()
    }

    /// Warns of a first row that is read as a row, though it has a number above words.
    fn first_row(&self, fitted: &Fitted) -> Option<Warning> {
        let words = fitted.features.iter();
        let words = words.filter(|feature| !feature.meaning.is_number());
        let target = fitted.target.kind == TargetKind::Words;
        let mut words = words
            .map(|feature| feature.column)
            .chain(target.then_some(fitted.target.column));
        let numbers = self.options.numbers();
        let may_be_names = words.any(|index| self.cells(index).may_begin_with_name(numbers));
        may_be_names.then(|| Warning::FirstRowGuessed {
            cells: listed(&self.rows[0].cells),
            taken: FirstRow::Row,
        })
    }
}

fn refuse_equal_features(features: &[Feature]) -> Result<(), Fault> {
    let mut names = BTreeSet::new();
    match features
        .iter()
        .flat_map(Feature::names)
        .find(|name| !names.insert(name.clone()))
    {
        Some(name) => Err(Fault::EqualFeatures { name: short(&name) }),
        None => Ok(()),
    }
}

/// Findings about a feature that are not kept in the model.
pub(crate) struct Found {
    pub(crate) resolution: Option<Resolution>,
    /// The format of dates, if they were not declared.
    pub(crate) guessed: Option<DateFormat>,
}

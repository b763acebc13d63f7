//! Fits the conversion of columns to numbers.

mod chosen;
mod fill;
mod meaning;
mod target;
mod warnings;

use std::collections::BTreeSet;

use chosen::Chosen;
use meaning::Reading;

use crate::column_cells::ColumnCells;
use crate::columns::Fitted;
use crate::feature::{Feature, Indicator, Origin, Resolution};
use crate::limits::MAX_COLUMNS;
use crate::missing::MissingRule;
use crate::{
    Columns, Fault, Header, Missing, Record, TableError, TableOptions, TargetColumn, TaskKind,
    Warning, short,
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
            return Err(Fault::no_features().into());
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
            return Err(Fault::too_many_columns());
        }
        refuse_equal_features(&fitted.features)?;
        Ok((fitted, found, of_target))
    }

    fn is_categorical(&self, cells: ColumnCells<'_>) -> bool {
        self.chosen.categorical.contains(&cells.index)
    }

    fn feature(&self, cells: ColumnCells<'_>) -> Result<(Feature, Found), Fault> {
        let has_missing = cells.missing().is_some();
        if has_missing && cells.present().next().is_none() {
            let column = short(&cells.column().name);
            return Err(Fault::new(format!(
                "no row has a value in column `{column}`; leave it out with --drop {column}"
            )));
        }
        let Reading {
            meaning,
            values,
            is_guessed_date,
        } = self.reading(cells)?;
        let indicator = if has_missing && self.options.missing == Missing::Indicator {
            Indicator::Present
        } else {
            Indicator::Absent
        };
        let resolution = Resolution::of(&values);
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
            is_guessed_date,
        };
        Ok((feature, found))
    }
}

fn refuse_equal_features(features: &[Feature]) -> Result<(), Fault> {
    let mut names = BTreeSet::new();
    match features
        .iter()
        .flat_map(Feature::names)
        .find(|name| !names.insert(name.clone()))
    {
        Some(name) => {
            let name = short(&name);
            Err(Fault::new(format!(
                "two features would be called `{name}`: the column of that name, and one that --missing indicator or --categories \
                 makes of another column; rename the column, or leave it out with --drop '{name}'"
            )))
        }
        None => Ok(()),
    }
}

/// Findings about a feature that are not kept in the model.
struct Found {
    resolution: Option<Resolution>,
    /// Whether it was read as dates without being declared so.
    is_guessed_date: bool,
}

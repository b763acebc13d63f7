//! What the first rows tell: columns, task, classes, scale.

use ndarray::ArrayView2;
use online_forests::preprocessing::{FitError, Step};
use online_forests::{ForestSettings, Pipeline};
use tables::{Cell, Columns, Fault, Header, Layout, Record, TargetColumn, Warning, is_missing};

use super::{Start, guess};
use crate::console::Console;
use crate::input::Row;
use crate::model::{Model, Outcome, Position, Scale, Settings};
use crate::table_task::TableTask;
use crate::{Algorithm, CommandError, TaskKind};

/// Numbers that the scale is fitted on: of very wide rows, fewer are enough.
const MOST_CELLS: usize = 1 << 27;

/// Warnings that are said.
const WARNINGS: usize = 10;

/// The columns, fitted.
pub struct Fitted {
    columns: Columns,
    layout: Layout,
}

impl Fitted {
    /// Fits columns on the rows that have a target, and says what was guessed.
    pub fn new(
        start: &Start<'_>,
        target: &TargetColumn,
        rows: &[Row],
    ) -> Result<Self, CommandError> {
        let header = start.source.header();
        let records = labelled(header, target, rows).map_err(|fault| start.source.wrong(fault))?;
        let fitted = Columns::fit(header, &records, target, &start.args.table);
        let (columns, warnings) = fitted.map_err(|error| start.source.wrong(error))?;
        warn(&warnings, &start.console);
        let layout = columns
            .layout(header)
            .map_err(|fault| start.source.wrong(fault))?;
        Ok(Self { columns, layout })
    }

    /// The task that was asked for, or the one that the targets suggest.
    pub fn task(&self, start: &Start<'_>, rows: &[Row]) -> TaskKind {
        start.args.task.unwrap_or_else(|| {
            let targets = rows
                .iter()
                .filter_map(|row| row.target(&self.columns, &self.layout).ok());
            let (task, warning) = guess::task(self.columns.target_name(), targets);
            if let Some(warning) = warning {
                start.console.say(&format!("warning: {warning}"));
            }
            task
        })
    }

    /// The model that is to learn these rows first.
    pub fn model<T: TableTask>(
        self,
        rows: &[Row],
        settings: Settings,
        start: &Start<'_>,
    ) -> Result<Model<T>, CommandError> {
        let (features, targets) = self.learnable(rows);
        if targets.is_empty() {
            return Err(self.nothing_learned(rows, start));
        }
        let (schema, names) = T::schema(self.columns.width(), targets.into_iter())?;
        let forest = ForestSettings {
            trees: settings.trees as usize,
            seed: settings.seed,
            ..ForestSettings::default()
        };
        let algorithm: Algorithm = settings.algorithm.parse()?;
        let learner = algorithm.build::<T>(schema, forest)?;
        let pipeline = Pipeline::new(self.step(settings.scale, &features)?, learner)?;
        let header = start.source.header().names();
        Ok(Model {
            pipeline: T::named(pipeline, names)?,
            position: Position::start(header.iter().map(String::as_str)),
            columns: self.columns,
            settings,
        })
    }

    /// Features and targets of the rows that can be learned.
    fn learnable<'r>(&self, rows: &'r [Row]) -> (Vec<f32>, Vec<Cell<'r>>) {
        let (mut features, mut targets) = (Vec::new(), Vec::new());
        for row in rows {
            let before = features.len();
            let outcome = row.features(&self.columns, &self.layout, &mut features, &mut 0);
            match row.target(&self.columns, &self.layout) {
                Ok(target) if outcome == Outcome::Taken => targets.push(target),
                _ => features.truncate(before),
            }
        }
        (features, targets)
    }

    /// The scaling, fitted on as many rows as there is room for.
    fn step(&self, scale: Scale, features: &[f32]) -> Result<Option<Step>, FitError> {
        let width = self.columns.width();
        let rows = (features.len() / width).min((MOST_CELLS / width).max(1));
        let some = ArrayView2::from_shape((rows, width), &features[..rows * width]);
        let some = some.expect("rows have the width of the columns");
        scale.scaling().map(|scaling| scaling.fit(some)).transpose()
    }

    fn nothing_learned(&self, rows: &[Row], start: &Start<'_>) -> CommandError {
        let first = rows.iter().find_map(|row| self.fault(row));
        CommandError::NothingLearned {
            data: start.source.name().to_owned(),
            reason: first.map_or(String::new(), |first| format!(": {first}")),
        }
    }

    /// `line 3: …`, of a row that cannot be learned.
    fn fault(&self, row: &Row) -> Option<String> {
        let outcome = row.features(&self.columns, &self.layout, &mut Vec::new(), &mut 0);
        let reason = match (outcome, row.target(&self.columns, &self.layout)) {
            (Outcome::Bad(reason), _) | (Outcome::Taken, Err(Outcome::Bad(reason))) => reason,
            _ => return None,
        };
        Some(format!("line {}: {reason}", row.line()))
    }
}

/// Says the first of the warnings: a table may have thousands of columns like each other.
fn warn(warnings: &[Warning], console: &Console) {
    for warning in warnings.iter().take(WARNINGS) {
        console.say(&format!("warning: {warning}"));
    }
    if let more @ 1.. = warnings.len().saturating_sub(WARNINGS) {
        console.say(&format!(
            "warning: there are {more} more warnings like these"
        ));
    }
}

/// The records to fit on: those with a target. The others are bad rows, or left out, when they are learned.
fn labelled(header: &Header, target: &TargetColumn, rows: &[Row]) -> Result<Vec<Record>, Fault> {
    let column = target.find(&header.names())?;
    let has_target = |record: &&Record| !is_missing(record.cells.get(column).unwrap_or_default());
    let records = rows.iter().filter_map(Row::record).filter(has_target);
    Ok(records.cloned().collect())
}

//! A new model, fitted on the first rows.

use ndarray::ArrayView2;
use online_forests::preprocessing::{FitError, Step};
use online_forests::{Classification, ForestSettings, Pipeline, Regression};
use tables::{Cell, Columns, Fault, Header, Layout, Record, TargetColumn, Warning, is_missing};

use super::{Args, Completion, Start, guess};
use crate::console::Console;
use crate::input::{Row, Source, Taken};
use crate::model::{Model, Outcome, Position, Scale, Settings, table_text};
use crate::table_task::TableTask;
use crate::{Algorithm, CommandError, TaskKind, interrupt};

const FIT_ROWS: u64 = 10_000;

/// Text that is held to fit on: of very long rows, fewer are enough.
const MOST_BYTES: usize = 1 << 28;

/// Numbers that the scale is fitted on: of very wide rows, fewer are enough.
const MOST_CELLS: usize = 1 << 27;

/// Warnings that are said.
const WARNINGS: usize = 10;

const ALGORITHM: &str = "mondrian";

/// Fits a model on the first rows, then learns all rows.
pub fn run(mut start: Start<'_>) -> Result<Completion, CommandError> {
    let target = target(start.args, start.source.header())?;
    let Some(rows) = collect(&mut start.source, fit_rows(start.args))? else {
        let early =
            "interrupted before the first --fit-rows rows were there; there is no model yet";
        start.console.say(early);
        return Ok(Completion::Interrupted);
    };
    let fitted = Fitted::new(&start, &target, &rows)?;
    match fitted.task(&start, &rows) {
        TaskKind::Classify => go::<Classification>(fitted, rows, start),
        TaskKind::Regress => go::<Regression>(fitted, rows, start),
    }
}

fn go<T: TableTask>(
    fitted: Fitted,
    rows: Vec<Row>,
    mut start: Start<'_>,
) -> Result<Completion, CommandError> {
    let model = fitted.model::<T>(&rows, &start)?;
    start.source.put_back(rows);
    start.session(model)?.run()
}

fn target(args: &Args, header: &Header) -> Result<TargetColumn, CommandError> {
    args.target.clone().ok_or_else(|| {
        let names = header.names();
        let columns = tables::listed(names.iter().map(String::as_str));
        CommandError::NoTarget { columns }
    })
}

fn fit_rows(args: &Args) -> u64 {
    args.fit_rows.unwrap_or(FIT_ROWS)
}

/// The first rows; `None` after Ctrl-C.
fn collect(source: &mut Source, count: u64) -> Result<Option<Vec<Row>>, CommandError> {
    let (mut rows, mut bytes) = (Vec::new(), 0);
    while (rows.len() as u64) < count && bytes < MOST_BYTES {
        if interrupt::is_requested() {
            return Ok(None);
        }
        // One after another, so that how they arrive does not decide how many they are.
        match source.take(1) {
            Taken::Rows(some) => {
                bytes += some.iter().map(Row::bytes).sum::<usize>();
                rows.extend(some);
            }
            Taken::Nothing => {}
            Taken::End => break,
        }
    }
    Ok(Some(rows))
}

/// The columns, fitted.
struct Fitted {
    columns: Columns,
    layout: Layout,
}

impl Fitted {
    fn new(start: &Start<'_>, target: &TargetColumn, rows: &[Row]) -> Result<Self, CommandError> {
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
    fn task(&self, start: &Start<'_>, rows: &[Row]) -> TaskKind {
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

    fn model<T: TableTask>(
        self,
        rows: &[Row],
        start: &Start<'_>,
    ) -> Result<Model<T>, CommandError> {
        let (features, targets) = self.learnable(rows);
        if targets.is_empty() {
            return Err(self.nothing_learned(rows, start));
        }
        let settings = settings(start.args);
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
            let outcome = row.features(&self.columns, &self.layout, &mut features);
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
        let outcome = row.features(&self.columns, &self.layout, &mut Vec::new());
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

fn settings(args: &Args) -> Settings {
    let defaults = ForestSettings::default();
    let algorithm = args.algorithm.as_ref();
    Settings {
        table: table_text(&args.table),
        algorithm: algorithm.map_or(ALGORITHM.to_owned(), ToString::to_string),
        trees: args
            .trees
            .map_or(defaults.trees, std::num::NonZeroUsize::get) as u64,
        seed: args.seed.unwrap_or(defaults.seed),
        scale: args.scale.unwrap_or(Scale::Minmax),
        fit_rows: fit_rows(args),
    }
}

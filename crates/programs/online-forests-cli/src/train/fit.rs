//! Fits a new model on the first rows: columns, task, classes, scale.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::process::ExitCode;

use anyhow::bail;
use forest_model::{
    Console, Model, ModelFile, Position, Row, Settings, Source, TableTask, Unused, counted,
    interrupt,
};
use ndarray::ArrayView2;
use online_forests::preprocessing::FeatureScaling;
use online_forests::{
    Algorithm, AnyLearner, Classification, FeatureValues, ForestSettings, OnlineLearner as _,
    Pipeline, Regression, Schema,
};
use tables::{Categories, Columns, Missing, Record, TableOptions, TaskKind, Warning};

use super::args::{Args, FIT_ROWS};
use super::learn::{self, nothing_learned};

/// The best mean rank on 15 tables, and no parameter to choose.
const ALGORITHM: &str = "residual-forest";

/// The most text that is held to fit on: of very long rows, fewer are enough.
const MOST_BYTES: usize = 1 << 28;

/// The most numbers that the scale is fitted on: of very wide rows, fewer are enough.
const MOST_CELLS: usize = 1 << 27;

/// The most warnings that are printed: a table may have thousands of similar columns.
const WARNINGS: usize = 10;

/// What a model is fitted on.
struct Fit<'a> {
    args: &'a Args,
    target: &'a str,
    settings: Settings,
    source: Source,
    rows: Vec<Row>,
}

/// Fits a model on the first rows, then learns all rows.
pub(super) fn run(args: &Args, file: ModelFile) -> anyhow::Result<ExitCode> {
    let mut source = Source::open(&args.data, &args.table, args.follow, |header| {
        args.table
            .used_columns(header, args.target.as_deref()?)
            .ok()
    })?;
    // Before that there is nothing to save, and a user who waits for a header need not signal twice.
    interrupt::listen();
    let Some(target) = &args.target else {
        let names = source.header.names();
        let columns = tables::listed(names.iter().map(String::as_str));
        bail!("no target column was given; use --target COLUMN with one of: {columns}");
    };
    let rows = first_rows(&mut source, args.fit_rows.unwrap_or(FIT_ROWS))?;
    if interrupt::is_requested() {
        let console = &source.console;
        if rows.is_empty() {
            console.say("interrupted before the first row was read; there is no model");
            return Ok(interrupt::exit_code());
        }
        let rows = counted(rows.len() as u64, "row");
        console.say(&format!(
            "interrupted before all --fit-rows rows were read: columns and scale are fitted on {rows}"
        ));
    }
    let fit = Fit {
        args,
        target,
        settings: settings(args, &source)?,
        source,
        rows,
    };
    let all: Vec<&Row> = fit.rows.iter().collect();
    let (columns, warnings) = fit.columns(args.task, &all)?;
    if columns.target_is_number() {
        fit.learn::<Regression>(columns, warnings, file)
    } else {
        fit.learn::<Classification>(columns, warnings, file)
    }
}

/// Returns the first rows; after a signal, those that are available.
fn first_rows(source: &mut Source, count: u64) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    let mut bytes = 0;
    while (rows.len() as u64) < count && bytes < MOST_BYTES && !interrupt::is_requested() {
        // One after another, so that how they arrive does not decide how many they are.
        let Some(some) = source.take(1)? else { break };
        bytes += some.iter().map(Row::bytes).sum::<usize>();
        rows.extend(some);
    }
    Ok(rows)
}

/// Returns what is chosen before the first row: learners that take missing values and categories get them as they are.
fn settings(args: &Args, source: &Source) -> anyhow::Result<Settings> {
    let algorithm = match &args.algorithm {
        Some(algorithm) => algorithm.clone(),
        None => ALGORITHM.parse()?,
    };
    let mut table = source.options.clone();
    if takes_all::<Classification>(&algorithm) && takes_all::<Regression>(&algorithm) {
        table.missing.get_or_insert(Missing::Keep);
        table.categories.get_or_insert(Categories::Native);
    }
    let trees = args.trees.map_or(algorithm.trees(), NonZeroUsize::get);
    Ok(Settings {
        table,
        trees: trees as u64,
        algorithm: algorithm.to_string(),
        seed: args.seed.unwrap_or(ForestSettings::default().seed),
        // Decided when the first rows are numbers.
        scale: FeatureScaling::None,
        fit_rows: args.fit_rows.unwrap_or(FIT_ROWS),
        fitted_rows: 0,
    })
}

/// Returns whether learners of this task, if there are any, take missing values and categories.
fn takes_all<T: TableTask>(algorithm: &Algorithm) -> bool {
    let settings = ForestSettings::default().with_trees(1);
    let schema = Schema::<T>::new(1).ok();
    let learner = schema.and_then(|schema| algorithm.build::<T>(schema, settings).ok());
    learner.is_none_or(|learner| learner.feature_values() == FeatureValues::NumbersAndCategories)
}

impl Fit<'_> {
    /// Fits columns on the rows that have a target; the others are bad rows, or left out, when they are learned. If no
    /// row has one, on all of them, so that the missing values are reported.
    fn columns(
        &self,
        task: Option<TaskKind>,
        rows: &[&Row],
    ) -> anyhow::Result<(Columns, Vec<Warning>)> {
        let header = &self.source.header;
        let options = &self.settings.table;
        let wrong = |fault| self.source.wrong(fault);
        let column = header.target(self.target).map_err(wrong)?;
        let missing = options.missing_words();
        let mut records = Vec::new();
        let mut fault = None;
        for row in rows {
            match &row.record {
                Ok(record) => records.push(record.clone()),
                Err(reason) => {
                    fault.get_or_insert_with(|| format!("line {}: {reason}", row.line));
                }
            }
        }
        if records.is_empty() && fault.is_some() {
            return Err(nothing_learned(&self.source.name, fault));
        }
        let has_target =
            |record: &Record| !missing.is_missing(record.cells.get(column).unwrap_or_default());
        if records.iter().any(has_target) {
            records.retain(has_target);
        }
        Columns::fit(header, &records, self.target, task, options).map_err(wrong)
    }

    /// Fits the columns again if some of the rows are bad: like later ones, they leave no trace in the model. Returns
    /// the columns, the warnings, and the reason why the first bad row is one.
    fn without_bad_rows<T: TableTask>(
        &self,
        columns: Columns,
        mut warnings: Vec<Warning>,
    ) -> anyhow::Result<(Columns, Vec<Warning>, Option<String>)> {
        let layout = self.source.layout(&columns)?;
        let mut good = Vec::new();
        let mut fault = None;
        for row in &self.rows {
            match row.labelled::<T>(&columns, &layout, &mut Vec::new()) {
                Err(Unused::Bad(reason)) => {
                    fault.get_or_insert_with(|| format!("line {}: {reason}", row.line));
                }
                _ => good.push(row),
            }
        }
        if good.is_empty() || good.len() == self.rows.len() {
            return Ok((columns, warnings, fault));
        }
        let (columns, more) = self.columns(Some(T::KIND), &good)?;
        warnings.retain(|warning| warning.is_about_task);
        warnings.extend(more);
        Ok((columns, warnings, fault))
    }

    /// Learns the rows that were fitted on and all others. Reports what was guessed.
    fn learn<T: TableTask>(
        self,
        columns: Columns,
        warnings: Vec<Warning>,
        file: ModelFile,
    ) -> anyhow::Result<ExitCode> {
        let (columns, warnings, fault) = self.without_bad_rows::<T>(columns, warnings)?;
        print_warnings(&self.source.console, &warnings);
        let layout = self.source.layout(&columns)?;
        let mut features = Vec::new();
        let mut targets = Vec::new();
        for row in &self.rows {
            if let Ok((cell, _)) = row.labelled::<T>(&columns, &layout, &mut features) {
                targets.push(cell);
            }
        }
        if targets.is_empty() {
            return Err(nothing_learned(&self.source.name, fault));
        }
        let mut settings = self.settings;
        let width = columns.width();
        let scaled = (features.len() / width).min((MOST_CELLS / width).max(1));
        settings.scale = match self.args.scale {
            Some(scale) => scale,
            // Missing values and categories are not scaled.
            None if features.iter().any(|value| value.is_nan()) => FeatureScaling::None,
            None => FeatureScaling::Minmax,
        };
        settings.fitted_rows = scaled as u64;
        let scaled = ArrayView2::from_shape((scaled, width), &features[..scaled * width])?;
        let pipeline = T::fit(width, targets.into_iter(), |schema| {
            let forest = ForestSettings::default().with_trees(settings.trees as usize);
            let algorithm: Algorithm = settings.algorithm.parse()?;
            let learner = algorithm.build::<T>(schema, forest.with_seed(settings.seed))?;
            check_values(&settings.table, &learner)?;
            Ok(Pipeline::new(settings.scale.fit(scaled)?, learner)?)
        })?;
        let mut model = Model {
            columns,
            settings,
            position: Position::start(&self.source.header),
            cursors: BTreeMap::new(),
            pipeline,
        };
        if let Some(part) = self.args.part {
            part.keep(&mut model)?;
        }
        learn::run(self.args, model, file, self.source, self.rows)
    }
}

/// Prints the first warnings, and how many others there are.
fn print_warnings(console: &Console, warnings: &[Warning]) {
    for warning in warnings.iter().take(WARNINGS) {
        console.say(&format!("warning: {warning}"));
    }
    if warnings.len() > WARNINGS {
        let more = warnings.len() - WARNINGS;
        console.say(&format!("warning: {more} more warnings like these"));
    }
}

/// Refuses options by which a learner of numbers alone would get missing values or categories.
fn check_values<T: TableTask>(table: &TableOptions, learner: &AnyLearner<T>) -> anyhow::Result<()> {
    if learner.feature_values() != FeatureValues::Numbers {
        return Ok(());
    }
    let option = if table.missing == Some(Missing::Keep) {
        "--missing keep"
    } else if table.categories == Some(Categories::Native) {
        "--categories native"
    } else {
        return Ok(());
    };
    bail!(
        "{option} needs an algorithm that takes missing values and categories, such as dynamic-extra-trees or \
         residual-forest, but this is {} for {}",
        learner.algorithm(),
        T::NAME
    )
}

//! Fits a new model on the first rows.

use forest_model::{
    CommandError, Completion, Row, Saving, Settings, Source, Start, TableTask, Taken, counted,
    interrupt,
};
use online_forests::preprocessing::FeatureScaling;
use online_forests::{
    Algorithm, Classification, FeatureValues, ForestSettings, OnlineLearner as _, Regression,
    Schema,
};
use tables::{Categories, Header, Missing, TargetColumn, TaskKind};

use super::args::Args;
use super::fitted::Fitted;
use super::learning::Learning;

/// The smallest error on most tables, and no parameter to choose.
const ALGORITHM: &str = "residual-forest";

const FIT_ROWS: u64 = 10_000;

/// The most text that is held to fit on: of very long rows, fewer are enough.
const MOST_BYTES: usize = 1 << 28;

/// Fits a model on the first rows, then learns all rows.
pub(super) fn run(
    args: &Args,
    mut start: Start<'_>,
    saving: Saving,
) -> Result<Completion, CommandError> {
    let target = target(args, start.source.header())?;
    let rows = collect(&mut start.source, fit_rows(args))?;
    if interrupt::is_requested() {
        if rows.is_empty() {
            let early = "interrupted before the first row was read; there is no model";
            start.console.say(early);
            return Ok(Completion::Interrupted);
        }
        cut(&mut start, &rows);
    }
    let first: Vec<&Row> = rows.iter().collect();
    let settings = settings(args, &start)?;
    let fitted = Fitted::new(&settings.table, &start, &target, args.task, &first)?;
    match fitted.task() {
        TaskKind::Classification => {
            go::<Classification>(args, settings, fitted, &target, rows, start, saving)
        }
        TaskKind::Regression => {
            go::<Regression>(args, settings, fitted, &target, rows, start, saving)
        }
    }
}

fn go<T: TableTask>(
    args: &Args,
    settings: Settings,
    fitted: Fitted,
    target: &TargetColumn,
    rows: Vec<Row>,
    mut start: Start<'_>,
    saving: Saving,
) -> Result<Completion, CommandError> {
    let first: Vec<&Row> = rows.iter().collect();
    let fitted = fitted.without_bad_rows::<T>(&settings.table, &start, target, &first)?;
    let mut model = fitted.model::<T>(&first, settings, args.scale, &start)?;
    if let Some(part) = args.part {
        part.keep(&mut model)?;
    }
    start.source.put_back(rows);
    Learning::new(model, start, saving)?.run()
}

fn target(args: &Args, header: &Header) -> Result<TargetColumn, CommandError> {
    args.target.clone().ok_or_else(|| {
        let names = header.names();
        let columns = tables::listed(names.iter().map(String::as_str));
        CommandError::new(format!(
            "no target column was given; use --target COLUMN with one of: {columns}"
        ))
    })
}

fn fit_rows(args: &Args) -> u64 {
    args.fit_rows.unwrap_or(FIT_ROWS)
}

/// Reports that the model is fitted on these rows, since a signal came before there were enough.
fn cut(start: &mut Start<'_>, rows: &[Row]) {
    let count = counted(rows.len() as u64, "row");
    start.console.say(&format!(
        "interrupted before all --fit-rows rows were read: columns and scale are fitted on {count}"
    ));
    start.source.cut();
}

/// Returns the first rows; after a signal, those that are available.
fn collect(source: &mut Source, count: u64) -> Result<Vec<Row>, CommandError> {
    let (mut rows, mut bytes) = (Vec::new(), 0);
    while (rows.len() as u64) < count && bytes < MOST_BYTES && !interrupt::is_requested() {
        // One after another, so that how they arrive does not decide how many they are.
        match source.take(1)? {
            Taken::Rows(some) => {
                bytes += some.iter().map(Row::bytes).sum::<usize>();
                rows.extend(some);
            }
            Taken::Nothing => {}
            Taken::End => break,
        }
    }
    // What a signal has cut off is not a row.
    if interrupt::is_requested() {
        rows.retain(|row| !row.is_failure());
    }
    Ok(rows)
}

/// Returns what is chosen before the first row: learners that take missing values and categories get them as they are.
fn settings(args: &Args, start: &Start<'_>) -> Result<Settings, CommandError> {
    let algorithm = match &args.algorithm {
        Some(algorithm) => algorithm.clone(),
        None => ALGORITHM.parse()?,
    };
    let mut table = start.source.options().clone();
    if takes_all::<Classification>(&algorithm) && takes_all::<Regression>(&algorithm) {
        table.missing.get_or_insert(Missing::Keep);
        table.categories.get_or_insert(Categories::Native);
    }
    let trees = args.trees.map(std::num::NonZeroUsize::get);
    Ok(Settings {
        table,
        trees: trees.unwrap_or(algorithm.trees()) as u64,
        algorithm: algorithm.to_string(),
        seed: args.seed.unwrap_or(ForestSettings::default().seed),
        // Decided when the first rows are numbers.
        scale: args.scale.unwrap_or(FeatureScaling::None),
        fit_rows: fit_rows(args),
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

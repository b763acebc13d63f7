//! Fits a new model on the first rows.

use forest_model::{
    CommandError, Completion, Row, Saving, Settings, Source, Start, TableTask, Taken, counted,
    interrupt,
};
use online_forests::preprocessing::FeatureScaling;
use online_forests::{Algorithm, Classification, ForestSettings, Regression};
use tables::{Header, TableOptions, TargetColumn, TaskKind};

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
    let fitted = Fitted::new(args, &start, &target, args.task, &first)?;
    match fitted.task() {
        TaskKind::Classification => {
            go::<Classification>(args, fitted, &target, rows, start, saving)
        }
        TaskKind::Regression => go::<Regression>(args, fitted, &target, rows, start, saving),
    }
}

fn go<T: TableTask>(
    args: &Args,
    fitted: Fitted,
    target: &TargetColumn,
    rows: Vec<Row>,
    mut start: Start<'_>,
    saving: Saving,
) -> Result<Completion, CommandError> {
    let first: Vec<&Row> = rows.iter().collect();
    let fitted = fitted.without_bad_rows::<T>(args, &start, target, &first)?;
    let mut model = fitted.model::<T>(&first, settings(args), &start)?;
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

fn settings(args: &Args) -> Settings {
    let default = || ALGORITHM.parse();
    let algorithm = args.algorithm.clone().map_or_else(default, Ok);
    let algorithm: Algorithm = algorithm.expect("the default is a name of the table");
    let trees = args.trees.map(std::num::NonZeroUsize::get);
    Settings {
        table: args.table.options.clone(),
        trees: trees.unwrap_or(algorithm.trees()) as u64,
        algorithm: algorithm.to_string(),
        seed: args.seed.unwrap_or(ForestSettings::default().seed),
        scale: args.scale.unwrap_or(default_scale(&args.table.options)),
        fit_rows: fit_rows(args),
        fitted_rows: 0,
    }
}

/// Scales are fitted on numbers.
fn default_scale(options: &TableOptions) -> FeatureScaling {
    if options.kept().is_some() {
        FeatureScaling::None
    } else {
        FeatureScaling::Minmax
    }
}

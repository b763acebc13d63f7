//! `train`: a table into a model file.
//!
//! A new model is fitted on the first rows: what each column is, how its values become numbers, which classes there
//! are, how features are scaled. Then all rows are learned in their order, those first ones included. A model that is
//! there is loaded and goes on.

mod args;
pub(crate) mod ending;
mod every;
mod fit;
mod fitted;
mod learn;
mod learning;
pub(crate) mod lock;
pub(crate) mod memory;
mod names;
mod resume;
pub(crate) mod saving;

use std::path::Path;
use std::process::ExitCode;

use online_forests::threads;
use tables::{Header, TableOptions, TargetColumn};

pub use args::Args;
pub(crate) use ending::Completion;
pub use every::{Every, NotAnInterval, Since};
pub(crate) use learn::{Learn, Start};
use saving::Saving;

use crate::console::Console;
use crate::input::{self, Source};
use crate::model::AnyModel;
use crate::{CommandError, distinct, interrupt};

/// Learns a table into a model file.
///
/// # Errors
/// What cannot be understood, opened, learned or written; then the model file is as it was at its last checkpoint.
pub fn run(args: &Args) -> Result<ExitCode, CommandError> {
    #[cfg(feature = "distributed")]
    if args.shards.are_asked_for() {
        return crate::shards::train(args);
    }
    let threads = args.threads.map_or(0, std::num::NonZeroUsize::get);
    let completion = threads::with_threads(threads, || train(args))??;
    Ok(match completion {
        Completion::Complete => ExitCode::SUCCESS,
        Completion::Interrupted => interrupt::exit_code(),
    })
}

fn train(args: &Args) -> Result<Completion, CommandError> {
    let written = [
        ("--model", Some(args.model.as_path())),
        ("--bad-rows", args.bad_rows.bad_rows.as_deref()),
    ];
    distinct::check(&args.data, &written)?;
    let saving = Saving::new(&args.model, args.checkpoint)?;
    let begun = begun(args, saving.model())?;
    start(args, begun, learn::Here(saving))
}

/// Opens the data, fits a model if none was begun, and learns.
pub(crate) fn start(
    args: &Args,
    begun: Option<AnyModel>,
    learn: impl Learn,
) -> Result<Completion, CommandError> {
    let console = Console::new(input::length(&args.data, args.follow));
    let options = table_options(begun.as_ref(), args)?;
    let known = begun.as_ref().map(AnyModel::header);
    let target = target(begun.as_ref(), args);
    let used = |header: &Header| options.used_columns(header, target.as_ref()?).ok();
    let source = Source::open(&args.data, &options, known, args.follow, &used, &console)?;
    // Before that there is nothing to save, and whoever waits for a header need not be asked twice to end.
    interrupt::listen();
    let start = Start {
        args,
        console,
        source,
    };
    match begun {
        None => fit::run(start, learn),
        Some(AnyModel::Classification(model)) => resume::run(model, start, learn),
        Some(AnyModel::Regression(model)) => resume::run(model, start, learn),
    }
}

/// The target column: the model's, if there is one.
fn target(begun: Option<&AnyModel>, args: &Args) -> Option<TargetColumn> {
    let columns = begun.map(AnyModel::columns);
    let known = columns.map(|columns| TargetColumn::Named(columns.target_name().to_owned()));
    known.or_else(|| args.target.clone())
}

/// How the table is read: as the model knows, if there is one.
fn table_options(begun: Option<&AnyModel>, args: &Args) -> Result<TableOptions, CommandError> {
    match begun {
        Some(model) => resume::table_options(model.settings(), args),
        None => Ok(args.table.options.clone()),
    }
}

/// The model to go on with; `None` if a new one is to be made.
pub(crate) fn begun(args: &Args, model: Option<&Path>) -> Result<Option<AnyModel>, CommandError> {
    let path = || args.model.clone();
    match model {
        Some(_) if !args.resume && !args.update => Err(CommandError::ModelExists { path: path() }),
        Some(file) => {
            names::check(&args.model, file)?;
            Ok(Some(AnyModel::load(&args.model)?))
        }
        None if args.update => Err(CommandError::NoModel { path: path() }),
        None => Ok(None),
    }
}

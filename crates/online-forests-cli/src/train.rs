//! `train`: a table into a model file.
//!
//! A new model is fitted on the first rows: what each column is, how its values become numbers, which classes there
//! are, how features are scaled. Then all rows are learned in their order, those first ones included. A model that is
//! there is loaded and goes on.

mod args;
mod every;
mod fit;
mod fitted;
mod guess;
mod learning;
mod lock;
pub(crate) mod memory;
mod names;
mod resume;
pub(crate) mod saving;

use std::path::Path;
use std::process::ExitCode;

use online_forests::threads;
use tables::{Header, TableOptions, TargetColumn};

pub use args::Args;
pub use every::{Every, NotAnInterval, Since};
use learning::{Completion, Learning};
use memory::Memory;
use saving::Saving;

use crate::bad_rows::{BadRows, counted};
use crate::console::Console;
use crate::input::{self, Row, Source};
use crate::model::{AnyModel, Model};
use crate::table_task::TableTask;
use crate::{CommandError, distinct, interrupt};

/// Learns a table into a model file.
///
/// # Errors
/// What cannot be understood, opened, learned or written; then the model file is as it was at its last checkpoint.
pub fn run(args: &Args) -> Result<ExitCode, CommandError> {
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
        saving,
        source,
    };
    match begun {
        None => fit::run(start),
        Some(AnyModel::Classification(model)) => resume::run(model, start),
        Some(AnyModel::Regression(model)) => resume::run(model, start),
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
fn begun(args: &Args, model: Option<&Path>) -> Result<Option<AnyModel>, CommandError> {
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

/// What is there before the first row is learned.
struct Start<'a> {
    args: &'a Args,
    console: Console,
    saving: Saving,
    source: Source,
}

impl Start<'_> {
    /// A signal has come before there were enough rows to fit on: the model is made of these.
    fn cut(&mut self, rows: &[Row]) {
        let count = counted(rows.len() as u64, "row");
        self.console.say(&format!(
            "interrupted before the first --fit-rows rows were there: columns and scale are fitted on {count}"
        ));
        self.source.cut();
    }

    fn learning<T: TableTask>(self, model: Model<T>) -> Result<Learning<T>, CommandError> {
        let layout = model.columns.layout(self.source.header());
        let layout = layout.map_err(|fault| self.source.wrong(fault))?;
        let kept = model.position.bad;
        Ok(Learning {
            bad_rows: BadRows::after(kept, &self.args.bad_rows, &self.console)?,
            model,
            layout,
            source: self.source,
            saving: self.saving,
            console: self.console,
            most: self.args.batch as usize,
            memory: Memory::new(self.args.max_memory),
        })
    }
}

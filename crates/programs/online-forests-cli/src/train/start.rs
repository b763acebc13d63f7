//! What is done before the first row is learned.

use forest_model::{
    AnyModel, CommandError, Completion, Console, LearnOptions, Saving, Source, Start, interrupt,
    length,
};
use tables::{Header, TableOptions, TargetColumn};

use super::args::Args;
use super::{fit, resume};

/// Opens the data, fits a model if there is none, and learns.
pub(super) fn start(
    args: &Args,
    begun: Option<AnyModel>,
    saving: Saving,
) -> Result<Completion, CommandError> {
    let LearnOptions { data, follow, .. } = &args.learn;
    let console = Console::new(length(data, *follow));
    let options = table_options(begun.as_ref(), args)?;
    let target = target(begun.as_ref(), args);
    let used = |header: &Header| options.used_columns(header, target.as_ref()?).ok();
    let source = Source::open(data, &options, *follow, &used, &console)?;
    // Before that there is nothing to save, and a user who waits for a header need not signal twice.
    interrupt::listen();
    let start = Start {
        options: &args.learn,
        console,
        source,
    };
    match begun {
        None => fit::run(args, start, saving),
        Some(AnyModel::Classification(model)) => resume::run(args, model, start, saving),
        Some(AnyModel::Regression(model)) => resume::run(args, model, start, saving),
    }
}

/// Returns the target column: the model's, if there is one.
fn target(begun: Option<&AnyModel>, args: &Args) -> Option<TargetColumn> {
    let columns = begun.map(AnyModel::columns);
    let known = columns.map(|columns| TargetColumn::Named(columns.target_name().to_owned()));
    known.or_else(|| args.target.clone())
}

/// Returns the format of the table: as the model knows, if there is one.
fn table_options(begun: Option<&AnyModel>, args: &Args) -> Result<TableOptions, CommandError> {
    match begun {
        Some(model) => resume::table_options(model.settings(), args),
        None => Ok(args.table.clone()),
    }
}

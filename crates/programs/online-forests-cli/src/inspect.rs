//! `inspect`: shows what is in a model file.

mod args;
mod explained;
mod text;
mod trees;

use std::process::ExitCode;

pub use args::{Args, TreeFormat};
use forest_model::{AnyModel, CommandError, Model, Summary, TableTask};

use crate::printed::print;

/// Prints what is in a model.
///
/// # Errors
/// Returns an error if the model cannot be loaded, or does not have what was requested.
pub fn run(args: &Args) -> Result<ExitCode, CommandError> {
    let text = match AnyModel::load(&args.model)? {
        AnyModel::Classification(model) => report(&model, args)?,
        AnyModel::Regression(model) => report(&model, args)?,
    };
    print(&text)
}

fn report<T: TableTask>(model: &Model<T>, args: &Args) -> Result<String, CommandError> {
    match (&args.explain, args.tree) {
        (Some(row), tree) => explained::row(model, row, tree.unwrap_or(0), args),
        (None, Some(tree)) => trees::tree(model, tree, args),
        (None, None) => {
            let summary = Summary::of(model);
            Ok(if args.json {
                summary.to_json()
            } else {
                text::write(&summary)
            })
        }
    }
}

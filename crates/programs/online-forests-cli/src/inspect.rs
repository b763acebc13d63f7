//! `inspect`: what is in a model file.

mod args;
mod explained;
mod text;
mod trees;

use std::process::ExitCode;

pub use args::{Args, TreeFormat};
use forest_model::{AnyModel, CommandError, Model, Summary, TableTask};

use crate::printed::print;

/// Tells what is in a model.
///
/// # Errors
/// A model that cannot be loaded, or cannot tell what was asked for.
pub fn run(args: &Args) -> Result<ExitCode, CommandError> {
    let text = match AnyModel::load(&args.model)? {
        AnyModel::Classification(model) => reported(&model, args)?,
        AnyModel::Regression(model) => reported(&model, args)?,
    };
    print(&text)
}

fn reported<T: TableTask>(model: &Model<T>, args: &Args) -> Result<String, CommandError> {
    match (&args.explain, args.tree) {
        (Some(row), tree) => explained::row(model, row, tree.unwrap_or(0), args),
        (None, Some(tree)) => trees::tree(model, tree, args),
        (None, None) => {
            let summary = Summary::of(model);
            Ok(if args.json {
                summary.to_json()
            } else {
                text::of(&summary)
            })
        }
    }
}

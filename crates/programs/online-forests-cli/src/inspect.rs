//! `inspect`: what is in a model file.

mod args;
pub(crate) mod explained;
mod summary;
mod text;
mod trees;

use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;

pub use args::{Args, TreeFormat};
pub use summary::{Importance, Member, Rule, Summary, TreeSize};

use crate::CommandError;
use crate::model::{AnyModel, Model};
use crate::table_task::TableTask;

/// Tells what is in a model.
///
/// # Errors
/// A model that cannot be loaded, or cannot tell what was asked for.
pub fn run(args: &Args) -> Result<ExitCode, CommandError> {
    let text = match AnyModel::load(&args.model)? {
        AnyModel::Classification(model) => reported(&model, args)?,
        AnyModel::Regression(model) => reported(&model, args)?,
    };
    match print(&text) {
        Err(error) if error.is_broken_pipe() => Ok(ExitCode::SUCCESS),
        printed => printed.map(|()| ExitCode::SUCCESS),
    }
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
                summary.to_string()
            })
        }
    }
}

fn print(text: &str) -> Result<(), CommandError> {
    let mut output = io::stdout().lock();
    let printed = writeln!(output, "{}", text.trim_end());
    printed.map_err(|source| CommandError::io("write", Path::new("standard output"), source))
}

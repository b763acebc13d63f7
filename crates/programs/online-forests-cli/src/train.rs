//! `train`: learns a table into a model file.
//!
//! A new model is fitted on the first rows: what each column is, how its values become numbers, which classes there
//! are, how features are scaled. Then all rows are learned in their order, including those first ones. An existing
//! model is loaded and continues.

mod args;
mod fit;
mod learn;
mod resume;

use std::num::NonZeroUsize;
use std::process::ExitCode;

use anyhow::bail;
use forest_model::{AnyModel, ModelFile};
use online_forests::threads;

pub use self::args::Args;

/// Learns a table into a model file.
///
/// # Errors
/// Returns an error if something cannot be parsed, opened, learned or written; the model file is then the last
/// checkpoint.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let threads = args.threads.map_or(0, NonZeroUsize::get);
    threads::with_threads(threads, || train(args))?
}

fn train(args: &Args) -> anyhow::Result<ExitCode> {
    let file = ModelFile::lock(&args.model)?;
    let path = args.model.display();
    if !file.exists() {
        if args.update {
            bail!("--update needs a model, but {path} does not exist or is not a regular file");
        }
        return fit::run(args, file);
    }
    if !args.resume && !args.update {
        bail!(
            "{path} exists; continue an interrupted run with --resume, learn more rows with --update, or remove it"
        );
    }
    match AnyModel::load(&args.model)? {
        AnyModel::Classification(model) => resume::run(args, model, file),
        AnyModel::Regression(model) => resume::run(args, model, file),
    }
}

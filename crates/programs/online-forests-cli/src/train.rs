//! `train`: learns a table into a model file.
//!
//! A new model is fitted on the first rows: what each column is, how its values become numbers, which classes there
//! are, how features are scaled. Then all rows are learned in their order, including those first ones. An existing model is
//! loaded and continues.

mod args;
mod fit;
mod fitted;
mod learning;
mod part;
mod resume;
mod start;

use std::process::ExitCode;

use forest_model::{CommandError, Completion, Saving, interrupt};
use online_forests::threads;

pub use args::Args;
pub use part::Part;
use start::start;

/// Learns a table into a model file.
///
/// # Errors
/// Returns an error if something cannot be parsed, opened, learned or written; the model file is then the last checkpoint.
pub fn run(args: &Args) -> Result<ExitCode, CommandError> {
    let threads = args.learn.threads.map_or(0, std::num::NonZeroUsize::get);
    let completion = threads::with_threads(threads, || train(args))??;
    Ok(match completion {
        Completion::Complete => ExitCode::SUCCESS,
        Completion::Interrupted => interrupt::exit_code(),
    })
}

fn train(args: &Args) -> Result<Completion, CommandError> {
    let options = &args.learn;
    let saving = Saving::new(&options.model, options.checkpoint)?;
    let begun = options.load_existing(saving.model())?;
    start(args, begun, saving)
}

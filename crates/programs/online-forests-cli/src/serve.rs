//! `serve`, and the training of a model for it.

use std::path::Path;
use std::process::ExitCode;
use std::str::FromStr;

use clap::Parser;
use forest_model::CommandError;
use registry::destination;

use crate::train;

/// Serves a model until a signal. If it does not exist, it is trained first, if options for that were given.
///
/// # Errors
/// Returns an error if the model cannot be made, loaded or saved, or the address cannot be listened on.
pub fn run(args: &forest_service::Args, new: Option<&NewModel>) -> Result<ExitCode, CommandError> {
    forest_service::run(args, || new.map_or(Ok(()), |new| new.make(&args.model)))
}

/// The options of `train`, in a text, without `--model`.
#[derive(Clone, Debug)]
pub struct NewModel(Box<train::Args>);

/// A command line of `train` alone.
#[derive(Debug, Parser)]
#[command(name = "train", no_binary_name = true, disable_help_flag = true)]
struct Line {
    #[command(flatten)]
    args: train::Args,
}

impl FromStr for NewModel {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let words = shlex::split(text).ok_or("a quote has no end")?;
        let model = ["--model", "model"].map(str::to_owned);
        let line = Line::try_parse_from(model.into_iter().chain(words));
        let line = line.map_err(|error| error.to_string())?;
        Ok(Self(Box::new(line.args)))
    }
}

impl NewModel {
    /// Trains the model as `train` does, unless it exists.
    ///
    /// # Errors
    /// Returns the errors of `train`.
    pub fn make(&self, model: &Path) -> Result<(), CommandError> {
        if exists(model)? {
            return Ok(());
        }
        let mut args = self.0.clone();
        args.learn.model = model.to_owned();
        train::run(&args).map(drop)
    }
}

fn exists(model: &Path) -> Result<bool, CommandError> {
    let found = destination(model).map(|file| file.exists());
    found.map_err(|source| CommandError::io("read", model, source))
}

//! `serve`, and the model that is made for it.

use std::path::Path;
use std::process::ExitCode;
use std::str::FromStr;

use clap::Parser;
use forest_model::CommandError;
use registry::Destination;

use crate::train;

/// Serves a model until a signal comes. If it is not there, it is made first, if it is said how.
///
/// # Errors
/// What cannot be made, loaded, listened on or saved.
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
    /// Makes the model as `train` does, unless it is there.
    ///
    /// # Errors
    /// As `train`.
    pub fn make(&self, model: &Path) -> Result<(), CommandError> {
        if is_there(model)? {
            return Ok(());
        }
        let mut args = self.0.clone();
        args.learn.model = model.to_owned();
        train::run(&args).map(drop)
    }
}

fn is_there(model: &Path) -> Result<bool, CommandError> {
    match Destination::new(model) {
        Ok(Destination::File(file)) => Ok(file.exists()),
        Ok(Destination::Stream(_)) => Ok(true),
        Err(source) => Err(CommandError::io("read", model, source)),
    }
}

//! `train` and `predict` in several processes.

use std::process::ExitCode;

use distributed::{PlaceOptions, Predicted, TrainOptions};
use forest_model::CommandError;

use crate::{predict, train};

/// Its trees can be in several processes; those of the default for a single process share the weights of their readings.
const ALGORITHM: &str = "mondrian";

/// Learns a table into a model file.
pub(crate) fn train(args: &train::Args, options: &TrainOptions) -> Result<ExitCode, CommandError> {
    let own = train::Args {
        default_algorithm: ALGORITHM,
        ..args.clone()
    };
    distributed::train(&args.learn, options, move |begun, all| {
        train::start(&own, begun, all)
    })
}

/// Predicts the rows of a table.
pub(crate) fn predict(
    args: &predict::Args,
    place: &PlaceOptions,
) -> Result<ExitCode, CommandError> {
    let own = args.clone();
    let predicted = Predicted {
        model: args.model.clone(),
        data: args.data.clone(),
        asked: args.asked(),
        threads: args.threads,
    };
    distributed::predict(predicted, place, move |model, by| {
        predict::predict_all(model, Some(by), &own)
    })
}

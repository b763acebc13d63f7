//! Training in several processes.

use std::process::ExitCode;

use forest_model::{AnyModel, CommandError, Completion, LearnOptions, distinct, interrupt};

use super::args::TrainOptions;
use super::head::{self, All};
use super::join::Before;
use super::launch::{self, TEMPORARY};
use super::parcel::Parcel;
use super::part::{Ended, take_part};
use crate::Conveyor;

/// Learns a table with the trees in several processes. `start` opens the table in the first of them, fits a model if none was
/// begun, and learns the rows into it.
///
/// # Errors
/// Returns an error if several processes do not support it, another process fails, or `start` does.
pub fn train(
    options: &LearnOptions,
    shards: &TrainOptions,
    start: impl FnOnce(Option<AnyModel>, All<'_, '_>) -> Result<Completion, CommandError>
    + Send
    + 'static,
) -> Result<ExitCode, CommandError> {
    head::check(options)?;
    let written = [
        ("--model", Some(options.model.as_path())),
        ("--bad-rows", options.bad_rows.bad_rows.as_deref()),
        ("--predictions", shards.predictions.as_deref()),
    ];
    distinct::check(&options.data, &written)?;
    let place = &shards.place;
    let folder = place.folder(&options.model);
    let before = Before::of(&folder)?;
    let code = if place.is_launcher() {
        launch::run(place, &folder, launch::Restart::Resumes)?
    } else {
        let (own, shards) = (options.clone(), shards.clone());
        let work =
            move |conveyor: &mut Conveyor<'_, Parcel>| head::run(&own, &shards, conveyor, start);
        match take_part(place, &folder, options.threads, options.max_memory, work)? {
            Ended::With(Some(Completion::Interrupted)) => interrupt::exit_code(),
            Ended::With(_) => ExitCode::SUCCESS,
            Ended::Temporarily => return Ok(ExitCode::from(TEMPORARY)),
        }
    };
    if place.hosts.is_none() {
        before.join_after(&folder, &options.model, code)?;
    }
    Ok(code)
}

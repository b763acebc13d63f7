//! Trees of a forest in several processes, on one machine or on several.
//!
//! The first process reads the data, learns each batch in its own trees and sends it on; the others do the same with theirs, in
//! the order of the trees. All save their trees after the same rows ([`distributed::Checkpoints`]), and go on from there when they
//! are started again. `docs/beyond-one-machine.md` tells how to use it and what it costs.

mod answers;
mod args;
mod beginning;
mod error;
mod head;
mod join;
mod launch;
mod parcel;
mod predict;
mod sending;
mod stage;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use distributed::{Checkpoints, Conveyor, Hosts, Place, RunError};

pub use args::{JoinArgs, PlaceOptions, TrainOptions};
pub use error::ShardsError;
use join::Before;
pub use join::join;
pub(crate) use parcel::Targets;
pub(crate) use predict::predict;

use crate::CommandError;
use crate::train::lock::{self, Lock};
use crate::train::{Args, Completion};
use crate::{distinct, interrupt};
use parcel::Parcel;
use stage::Stage;

/// How a process ends that may go on once all are started again (`EX_TEMPFAIL` of BSD).
const TEMPORARY: u8 = 75;

/// Learns a table with the trees in several processes.
pub(crate) fn train(args: &Args) -> Result<ExitCode, CommandError> {
    head::check(args)?;
    let options = &args.shards;
    let written = [
        ("--model", Some(args.model.as_path())),
        ("--bad-rows", args.bad_rows.bad_rows.as_deref()),
        ("--answers", options.answers.as_deref()),
    ];
    distinct::check(&args.data, &written)?;
    let folder = options.place.folder(&args.model);
    let before = Before::of(&folder)?;
    if options.place.is_launcher() {
        let code = launch::run(&options.place, &folder, launch::Restart::Resumes)?;
        if options.place.hosts.is_none() {
            before.join_after(&folder, &args.model, code)?;
        }
        return Ok(code);
    }
    let owned = args.clone();
    let work = move |conveyor: &mut Conveyor<'_, Parcel>| head::run(&owned, conveyor);
    let ended = take_part(&options.place, &folder, args.threads, args.max_memory, work)?;
    let code = match ended {
        Ended::With(Some(Completion::Interrupted)) => interrupt::exit_code(),
        Ended::With(_) => ExitCode::SUCCESS,
        Ended::Temporarily => return Ok(ExitCode::from(TEMPORARY)),
    };
    if options.place.hosts.is_none() {
        before.join_after(&folder, &args.model, code)?;
    }
    Ok(code)
}

/// How the part of a process has ended.
enum Ended<R> {
    With(Option<R>),
    /// It may go on once all processes are started again.
    Temporarily,
}

/// Takes the place of this process among all.
fn take_part<R: Send + 'static>(
    place: &PlaceOptions,
    folder: &Path,
    threads: Option<std::num::NonZeroUsize>,
    max_memory: Option<u64>,
    first: impl FnOnce(&mut Conveyor<'_, Parcel>) -> Result<R, CommandError> + Send + 'static,
) -> Result<Ended<R>, CommandError> {
    let hosts = place.hosts()?;
    launch::listen();
    let checkpoints = open(folder, &hosts)?;
    let _lock = lock(&checkpoints)?;
    let threads = threads.map_or(0, std::num::NonZeroUsize::get);
    let place_of = match hosts.process() {
        0 => Place::First(first),
        _ => {
            let mut stage = Stage::new(checkpoints, threads, max_memory)?;
            Place::Next(move |parcel| stage.pass(parcel))
        }
    };
    match distributed::run(&hosts, place.deadlines(), place_of) {
        Ok(result) => Ok(Ended::With(result)),
        Err(RunError::Work(error)) => Err(error),
        Err(error) if error.is_temporary() => {
            let process = hosts.process();
            let mut remedy = "; --resume continues from the last checkpoint, unless another process reports why not";
            if launch::is_started() {
                // The process that has started this one knows how all have ended.
                remedy = "";
            }
            eprintln!("process {process}: {error}{remedy}");
            Ok(Ended::Temporarily)
        }
        Err(error) => Err(ShardsError::from(error).into()),
    }
}

fn open(folder: &Path, hosts: &Hosts) -> Result<Checkpoints, CommandError> {
    let opened = Checkpoints::open(folder, hosts.process(), hosts.len());
    opened.map_err(|error| ShardsError::from(error).into())
}

/// Two processes must not have the same place.
fn lock(checkpoints: &Checkpoints) -> Result<Lock, CommandError> {
    let path: PathBuf = checkpoints.path(0);
    lock::take(checkpoints.folder(), &path)
}

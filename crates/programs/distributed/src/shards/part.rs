//! The part of one process in a run.

use std::path::{Path, PathBuf};

use forest_model::CommandError;
use forest_model::lock::{self, Lock};

use super::args::PlaceOptions;
use super::error::ShardsError;
use super::launch;
use super::parcel::Parcel;
use super::stage::Stage;
use crate::{Checkpoints, Conveyor, Hosts, Place, RunError};

/// How the part of a process has ended.
pub(super) enum Ended<R> {
    With(Option<R>),
    /// It may resume once all processes are started again.
    Temporarily,
}

/// Takes the place of this process in a run.
pub(super) fn take_part<R: Send + 'static>(
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
    match crate::run(&hosts, place.deadlines(), place_of) {
        Ok(result) => Ok(Ended::With(result)),
        Err(RunError::Work(error)) => Err(error),
        Err(error) if error.is_temporary() => {
            let process = hosts.process();
            let mut remedy = "; --resume continues from the last checkpoint, unless another process reports why not";
            if launch::is_started() {
                // The process that has started this one sees how all have ended.
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

/// Checks that two processes do not have the same place.
fn lock(checkpoints: &Checkpoints) -> Result<Lock, CommandError> {
    let path: PathBuf = checkpoints.path(0);
    lock::take(checkpoints.folder(), &path)
}

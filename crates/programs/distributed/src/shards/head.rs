//! What the first process does: it opens the data, finds where to begin, and learns.

use std::path::PathBuf;

use forest_model::{
    Address, AnyModel, CommandError, Completion, Learn, LearnOptions, Model, Start, TableTask,
};
use registry::Destination;

use super::args::TrainOptions;
use super::beginning::{self, Beginning};
use super::error::ShardsError;
use super::parcel::Parcel;
use super::predictions::{Note, PredictionFile};
use super::sending::Sending;
use crate::{Checkpoints, Committed, Conveyor};

/// Refuses what cannot be done in several processes.
pub(super) fn check(options: &LearnOptions) -> Result<(), CommandError> {
    let refuse = |option, reason| Err(ShardsError::OneProcessOnly { option, reason }.into());
    match &options.data {
        Address::StandardInput => refuse(
            "--data -",
            "standard input cannot be read again after a failure; write the data to a file",
        ),
        Address::File(_) if options.follow => {
            refuse("--follow", "processes learn a file up to its end")
        }
        Address::File(_) if options.update => refuse(
            "--update",
            "update in one process, then give the model to --model with --resume",
        ),
        Address::File(_) => Ok(()),
    }
}

/// Learns, with all processes.
pub(super) fn run(
    options: &LearnOptions,
    shards: &TrainOptions,
    conveyor: &mut Conveyor<'_, Parcel>,
    start: impl FnOnce(Option<AnyModel>, All<'_, '_>) -> Result<Completion, CommandError>,
) -> Result<Completion, CommandError> {
    let folder = shards.place.folder(&options.model);
    let hosts = shards.place.hosts()?;
    let checkpoints = Checkpoints::open(folder, 0, hosts.len())?;
    let found = Beginning::find(&checkpoints, conveyor)?;
    let file = match Destination::new(&options.model) {
        Ok(Destination::File(file)) => Some(file).filter(|file| file.exists()),
        _ => None,
    };
    let (begun, note, at) = match found.checkpoint {
        Some((committed, _)) if !options.resume => {
            let (folder, rows) = (checkpoints.folder().to_owned(), committed.rows);
            return Err(ShardsError::CheckpointsExist { folder, rows }.into());
        }
        Some((committed, model)) => {
            let whole = options.load_existing(file.as_deref())?;
            match whole.filter(|whole| whole.position().rows() > committed.rows) {
                Some(whole) => from_file(&checkpoints, Some(whole))?,
                None => (Some(model), committed.note, Some(committed.rows)),
            }
        }
        None => from_file(&checkpoints, options.load_existing(file.as_deref())?)?,
    };
    let rows = begun.as_ref().map_or(0, |begun| begun.position().rows());
    beginning::check_others(&checkpoints, rows)?;
    let all = All {
        conveyor,
        checkpoints,
        note,
        at,
        predictions: shards.predictions.clone(),
    };
    start(begun, all)
}

/// Loads a model to resume from, or makes a new one. If the file was joined from checkpoints here, their note counts.
fn from_file(
    checkpoints: &Checkpoints,
    model: Option<AnyModel>,
) -> Result<(Option<AnyModel>, Note, Option<u64>), CommandError> {
    let Some(model) = model else {
        return Ok((None, Note::default(), None));
    };
    let all: Vec<Committed<Note>> = Checkpoints::all_committed(checkpoints.folder())?;
    let rows = model.position().rows();
    let here = all.into_iter().find(|found| found.rows == rows);
    let note = here.map_or(Note::default(), |found| found.note);
    Ok((Some(model), note, None))
}

/// All processes, as a learner.
pub struct All<'c, 'w> {
    conveyor: &'c mut Conveyor<'w, Parcel>,
    checkpoints: Checkpoints,
    note: Note,
    /// The rows of the checkpoint that all resume from; `None` if they resume from a model.
    at: Option<u64>,
    /// Where predictions go that are made just before a row is learned.
    predictions: Option<PathBuf>,
}

impl Learn for All<'_, '_> {
    fn wait(&mut self) {
        while self.conveyor.returned().is_some() {}
        if self.conveyor.is_silent() {
            self.conveyor.send(Parcel::Idle);
        }
    }

    fn learn<T: TableTask>(
        self,
        mut model: Model<T>,
        start: Start<'_>,
    ) -> Result<Completion, CommandError> {
        let (conveyor, processes) = (self.conveyor, self.checkpoints.of());
        while conveyor.wait().is_some() {}
        match self.at {
            Some(rows) => beginning::from_checkpoint(rows, conveyor),
            None => beginning::from_model(&mut model, processes, conveyor)?,
        }
        if processes > 1 && model.pipeline().shard().is_none() {
            let whole = "this learner is not a forest of independent trees: it stays in the first process as a whole";
            start.console.say(whole);
        }
        let predictions = self
            .predictions
            .as_deref()
            .map(|path| PredictionFile::open(path, self.note.bytes));
        let predictions = predictions.transpose()?;
        Sending::new(
            model,
            start,
            conveyor,
            self.checkpoints,
            predictions,
            self.note,
        )?
        .run()
    }
}

//! What the first process does: it opens the data, finds where to begin, and learns.

use std::path::PathBuf;

use forest_model::{
    Address, AnyModel, CommandError, Completion, Learn, LearnOptions, Model, Start, TableTask,
};
use registry::Destination;

use super::answers::{AnswerFile, Note};
use super::args::TrainOptions;
use super::beginning::{self, Beginning};
use super::error::ShardsError;
use super::parcel::Parcel;
use super::sending::Sending;
use crate::{Checkpoints, Committed, Conveyor};

/// Refuses what cannot be done in several processes.
pub fn check(options: &LearnOptions) -> Result<(), CommandError> {
    let refuse = |option, reason| Err(ShardsError::OneProcessOnly { option, reason }.into());
    match &options.data {
        Address::StandardInput => refuse(
            "--data -",
            "what was read from standard input cannot be read again after a failure; write it to a file",
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
pub fn run(
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
            let whole = options.begun(file.as_deref())?;
            match whole.filter(|whole| whole.position().rows() > committed.rows) {
                Some(whole) => from_file(&checkpoints, Some(whole))?,
                None => (Some(model), committed.note, Some(committed.rows)),
            }
        }
        None => from_file(&checkpoints, options.begun(file.as_deref())?)?,
    };
    let rows = begun.as_ref().map_or(0, |begun| begun.position().rows());
    beginning::check_others(&checkpoints, rows)?;
    let all = All {
        conveyor,
        checkpoints,
        note,
        at,
        answers: shards.answers.clone(),
    };
    start(begun, all)
}

/// A model that goes on from a file, or a new one. If the file was joined from checkpoints here, their note counts.
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

/// All processes, as what learns.
pub struct All<'c, 'w> {
    conveyor: &'c mut Conveyor<'w, Parcel>,
    checkpoints: Checkpoints,
    note: Note,
    /// The rows of the checkpoint that all go on from; none if they go on from a model.
    at: Option<u64>,
    /// Where predictions go that are made just before a row is learned.
    answers: Option<PathBuf>,
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
            let whole = "this learner is no forest of independent trees: it stays whole in the first process; \
                         row-parts with it as base can be shared out";
            start.console.say(whole);
        }
        let answers = self
            .answers
            .as_deref()
            .map(|path| AnswerFile::open(path, self.note.bytes));
        let answers = answers.transpose()?;
        Sending::new(model, start, conveyor, self.checkpoints, answers, self.note)?.run()
    }
}

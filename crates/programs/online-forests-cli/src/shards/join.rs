//! One model file of what processes have saved.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use distributed::{Checkpoints, Committed};
use registry::snapshot;

use super::ShardsError;
use super::answers::Note;
use super::args::JoinArgs;
use crate::CommandError;
use crate::model::{AnyModel, Model};
use crate::table_task::TableTask;

/// Makes a model file of the newest checkpoint that is there and whole.
///
/// # Errors
/// No such checkpoint, or what the system refuses.
pub fn join(args: &JoinArgs) -> Result<ExitCode, CommandError> {
    let mut committed = Vec::new();
    for folder in &args.folders {
        committed.extend(Checkpoints::all_committed::<Note>(folder)?);
    }
    committed.sort_by_key(|found| std::cmp::Reverse(found.rows));
    let mut reasons = Vec::new();
    for found in &committed {
        match joined(&args.folders, found) {
            Ok(model) => {
                model.save(&args.model)?;
                return Ok(ExitCode::SUCCESS);
            }
            Err(error) => reasons.push(error.to_string()),
        }
    }
    let folders: Vec<String> = args
        .folders
        .iter()
        .map(|it| it.display().to_string())
        .collect();
    let reason = reasons.into_iter().next();
    Err(ShardsError::NothingToJoin {
        folders: folders.join(" or "),
        reason: reason.map_or(String::new(), |first| format!(" that can be used: {first}")),
    }
    .into())
}

/// The newest checkpoint, before processes of this machine start.
#[derive(Debug)]
pub struct Before(Option<Committed<Note>>);

impl Before {
    pub fn of(folder: &Path) -> Result<Self, CommandError> {
        newest(folder).map(Self)
    }

    /// After they have ended: makes the model file if they have come to an end, with success or not.
    pub fn join_after(
        &self,
        folder: &Path,
        model: &Path,
        code: ExitCode,
    ) -> Result<(), CommandError> {
        let newest = newest(folder)?;
        let Some(ended) = newest.as_ref().filter(|found| found.note.ended) else {
            return Ok(());
        };
        match code == ExitCode::SUCCESS || newest != self.0 {
            true => joined(&[folder.to_owned()], ended)?.save(model),
            false => Ok(()),
        }
    }
}

fn newest(folder: &Path) -> Result<Option<Committed<Note>>, CommandError> {
    match folder.exists() {
        true => Ok(Checkpoints::all_committed(folder)?.into_iter().next()),
        false => Ok(None),
    }
}

/// The model whose shards were saved at this checkpoint.
fn joined(folders: &[PathBuf], committed: &Committed<Note>) -> Result<AnyModel, CommandError> {
    let load = |shard| {
        let path = |folder: &PathBuf| {
            let checkpoints = Checkpoints::open(folder, 0, committed.shards)?;
            Ok::<_, CommandError>(checkpoints.path_of(shard, committed.rows))
        };
        let paths: Vec<PathBuf> = folders.iter().map(path).collect::<Result<_, _>>()?;
        let there = paths.iter().find(|path| path.exists());
        Ok::<_, CommandError>(AnyModel::load(there.unwrap_or(&paths[0]))?)
    };
    let mut model = load(0)?;
    if model.has_shards() {
        for shard in 1..committed.shards {
            model.join(load(shard)?)?;
        }
    }
    Ok(model)
}

impl AnyModel {
    fn has_shards(&self) -> bool {
        match self {
            Self::Classification(model) => model.pipeline.shard().is_some(),
            Self::Regression(model) => model.pipeline.shard().is_some(),
        }
    }

    fn join(&mut self, next: Self) -> Result<(), CommandError> {
        match (self, next) {
            (Self::Classification(model), Self::Classification(next)) => model.join(next),
            (Self::Regression(model), Self::Regression(next)) => model.join(next),
            _ => Err(ShardsError::OtherModel.into()),
        }
    }

    fn save(&self, path: &Path) -> Result<(), CommandError> {
        match self {
            Self::Classification(model) => Ok(snapshot::save(model, path)?),
            Self::Regression(model) => Ok(snapshot::save(model, path)?),
        }
    }
}

impl<T: TableTask> Model<T> {
    fn join(&mut self, next: Self) -> Result<(), CommandError> {
        if self.position != next.position || self.settings != next.settings {
            return Err(ShardsError::OtherModel.into());
        }
        Ok(self.pipeline.join(next.pipeline)?)
    }
}

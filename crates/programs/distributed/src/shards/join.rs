//! Joins what processes have saved into one model file.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use forest_model::{AnyModel, CommandError, Model, TableTask};
use registry::snapshot::{self, SnapshotFileError};

use super::args::JoinArgs;
use super::error::ShardsError;
use super::predictions::Note;
use crate::{Checkpoints, Committed};

/// Makes a model file of the newest checkpoint that is complete.
///
/// # Errors
/// Returns an error if there is none, or an error of the file system.
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
                save(&model, &args.model)?;
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
pub(super) struct Before(Option<Committed<Note>>);

impl Before {
    pub(super) fn of(folder: &Path) -> Result<Self, CommandError> {
        newest(folder).map(Self)
    }

    /// Makes the model file after they have ended, with success or not.
    pub(super) fn join_after(
        &self,
        folder: &Path,
        model: &Path,
        code: ExitCode,
    ) -> Result<(), CommandError> {
        let newest = newest(folder)?;
        let Some(ended) = newest.as_ref().filter(|found| found.note.ended) else {
            return Ok(());
        };
        if code == ExitCode::SUCCESS || newest != self.0 {
            Ok(save(&joined(&[folder.to_owned()], ended)?, model)?)
        } else {
            Ok(())
        }
    }
}

fn newest(folder: &Path) -> Result<Option<Committed<Note>>, CommandError> {
    if folder.exists() {
        Ok(Checkpoints::all_committed(folder)?.into_iter().next())
    } else {
        Ok(None)
    }
}

/// Returns the model whose shards were saved at this checkpoint.
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
    if has_shards(&model) {
        for shard in 1..committed.shards {
            join_next(&mut model, load(shard)?)?;
        }
    }
    Ok(model)
}

fn has_shards(model: &AnyModel) -> bool {
    match model {
        AnyModel::Classification(model) => model.pipeline().shard().is_some(),
        AnyModel::Regression(model) => model.pipeline().shard().is_some(),
    }
}

fn join_next(model: &mut AnyModel, next: AnyModel) -> Result<(), ShardsError> {
    match (model, next) {
        (AnyModel::Classification(model), AnyModel::Classification(next)) => add(model, next),
        (AnyModel::Regression(model), AnyModel::Regression(next)) => add(model, next),
        _ => Err(ShardsError::OtherModel),
    }
}

fn add<T: TableTask>(model: &mut Model<T>, next: Model<T>) -> Result<(), ShardsError> {
    if model.position() != next.position() || model.settings() != next.settings() {
        return Err(ShardsError::OtherModel);
    }
    Ok(model.pipeline_mut().join(next.into_pipeline())?)
}

fn save(model: &AnyModel, path: &Path) -> Result<(), SnapshotFileError> {
    match model {
        AnyModel::Classification(model) => snapshot::save(model, path),
        AnyModel::Regression(model) => snapshot::save(model, path),
    }
}

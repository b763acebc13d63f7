//! Where processes begin: at a checkpoint that all have, or with a model.

use forest_model::{AnyModel, CommandError, Model, TableTask};
use registry::snapshot;

use super::error::ShardsError;
use super::parcel::Parcel;
use super::predictions::Note;
use super::stage::{checkpoint, leave};
use crate::{Checkpoints, Committed, Conveyor, parts};

/// What the first process finds when all are connected.
#[derive(Debug)]
pub(super) struct Beginning {
    /// The checkpoint that all resume from, and the trees of the first process at it.
    pub checkpoint: Option<(Committed<Note>, AnyModel)>,
}

impl Beginning {
    /// Asks all processes for their checkpoints. Only those of as many processes count.
    pub(super) fn find(
        checkpoints: &Checkpoints,
        conveyor: &mut Conveyor<'_, Parcel>,
    ) -> Result<Self, CommandError> {
        let committed: Vec<Committed<Note>> = checkpoints.committed()?;
        let mut offered: Vec<u64> = committed.iter().map(|found| found.rows).collect();
        let newest = leave(checkpoints, &mut offered);
        conveyor.send(Parcel::Offer(offered));
        let Some(Parcel::Offer(common)) = conveyor.wait() else {
            return Err(ShardsError::OtherModel.into());
        };
        let chosen = common.first().and_then(|&rows| {
            let mut committed = committed.iter();
            committed.find(|found| found.rows == rows)
        });
        let Some(chosen) = chosen else {
            return Self::without(checkpoints, &committed);
        };
        let model = checkpoint(checkpoints, chosen.rows, newest)?;
        Ok(Self {
            checkpoint: Some((chosen.clone(), model)),
        })
    }

    fn without(
        checkpoints: &Checkpoints,
        committed: &[Committed<Note>],
    ) -> Result<Self, CommandError> {
        let folder = checkpoints.folder().to_owned();
        if committed.is_empty() {
            Ok(Self { checkpoint: None })
        } else {
            Err(ShardsError::NoCheckpoint { folder }.into())
        }
    }
}

/// Refuses to begin after `rows` rows if other processes, of another number, have come further.
pub(super) fn check_others(checkpoints: &Checkpoints, rows: u64) -> Result<(), CommandError> {
    let all: Vec<Committed<Note>> = Checkpoints::all_committed(checkpoints.folder())?;
    let mut others = all
        .into_iter()
        .filter(|found| found.shards != checkpoints.of());
    match others.next() {
        Some(found) if found.rows > rows => Err(ShardsError::Further {
            folder: checkpoints.folder().to_owned(),
            rows: found.rows,
            shards: found.shards,
            processes: checkpoints.of(),
        }
        .into()),
        _ => Ok(()),
    }
}

/// Makes all processes resume from their checkpoint.
pub(super) fn from_checkpoint(rows: u64, conveyor: &mut Conveyor<'_, Parcel>) {
    conveyor.send(Parcel::Checkpoint(rows));
    conveyor.wait();
}

/// Sends each process its trees of a model, of which the first keeps its own. A model without shards stays whole.
pub(super) fn from_model<T: TableTask>(
    model: &mut Model<T>,
    processes: usize,
    conveyor: &mut Conveyor<'_, Parcel>,
) -> Result<(), CommandError> {
    let parts = match model.pipeline().shard() {
        Some(shard) if shard.total_trees() < processes => {
            let trees = shard.total_trees();
            return Err(ShardsError::TooManyProcesses { trees, processes }.into());
        }
        Some(shard) => parts(shard.total_trees(), processes),
        None => Vec::new(),
    };
    let bytes = if parts.len() > 1 {
        snapshot::to_bytes(model).map_err(ShardsError::Sent)?
    } else {
        Vec::new()
    };
    if let Some(part) = parts.first() {
        model.pipeline_mut().keep_trees(part.clone())?;
    }
    conveyor.send(Parcel::Model { bytes, parts });
    conveyor.wait();
    Ok(())
}

//! The part of a process after the first.

use std::fs;
use std::io::{self, Write as _};
use std::ops::Range;
use std::path::Path;

use forest_core::VoteSums;
use forest_model::{AnyModel, CommandError, Memory, Model, TableTask};
use ndarray::ArrayView2;
use online_forests::threads::Pool;
use registry::{NewFile, snapshot};

use super::error::ShardsError;
use super::parcel::{Parcel, Rows};
use crate::Checkpoints;

/// Some of the trees, which learn what arrives.
pub(super) struct Stage {
    checkpoints: Checkpoints,
    pool: Pool,
    memory: Memory,
    /// The newest checkpoint that can be read.
    newest: Option<(u64, AnyModel)>,
    /// `None` before the beginning, and if all trees are in the first process.
    model: Option<AnyModel>,
}

impl Stage {
    pub(super) fn new(
        checkpoints: Checkpoints,
        threads: usize,
        max_memory: Option<u64>,
    ) -> Result<Self, CommandError> {
        Ok(Self {
            checkpoints,
            pool: Pool::new(threads)?,
            memory: Memory::new(max_memory),
            newest: None,
            model: None,
        })
    }

    /// Does its part, and forwards the message.
    pub(super) fn pass(&mut self, parcel: Parcel) -> Result<Parcel, CommandError> {
        match parcel {
            Parcel::Offer(mut rows) => {
                self.newest = leave(&self.checkpoints, &mut rows);
                Ok(Parcel::Offer(rows))
            }
            Parcel::Checkpoint(rows) => {
                self.model = if is_empty(&self.checkpoints, rows) {
                    None
                } else {
                    Some(checkpoint(&self.checkpoints, rows, self.newest.take())?)
                };
                Ok(parcel)
            }
            Parcel::Model { bytes, parts } => self.begin(bytes, parts),
            Parcel::Rows(rows) => self.learn(*rows).map(Box::new).map(Parcel::Rows),
            Parcel::Save { rows, keep_from } => {
                self.save(rows, keep_from)?;
                Ok(parcel)
            }
            Parcel::Ask { features, sums } => self.ask(features, sums),
            Parcel::Idle => Ok(parcel),
        }
    }

    fn begin(&mut self, bytes: Vec<u8>, parts: Vec<Range<usize>>) -> Result<Parcel, CommandError> {
        let process = self.checkpoints.shard();
        if let Some(part) = parts.get(process) {
            let mut model =
                snapshot::from_bytes_either(&bytes, AnyModel::Classification, AnyModel::Regression)
                    .map_err(ShardsError::Sent)?;
            keep_trees(&mut model, part.clone())?;
            self.model = Some(model);
        }
        Ok(Parcel::Model { bytes, parts })
    }

    fn learn(&mut self, mut rows: Rows) -> Result<Rows, CommandError> {
        let memory = &mut self.memory;
        match &mut self.model {
            None => {}
            Some(AnyModel::Classification(model)) => {
                self.pool.run(|| learn(model, &mut rows, memory))?;
            }
            Some(AnyModel::Regression(model)) => {
                self.pool.run(|| learn(model, &mut rows, memory))?;
            }
        }
        Ok(rows)
    }

    fn save(&self, rows: u64, keep_from: u64) -> Result<(), CommandError> {
        let path = self.checkpoints.path(rows);
        match &self.model {
            None => {
                let written = write_empty(&path);
                written.map_err(|source| CommandError::io("write", &path, source))?;
            }
            Some(AnyModel::Classification(model)) => snapshot::save(model, path)?,
            Some(AnyModel::Regression(model)) => snapshot::save(model, path)?,
        }
        Ok(self.checkpoints.remove_before(keep_from)?)
    }

    fn ask(&self, features: Vec<f32>, mut sums: VoteSums) -> Result<Parcel, CommandError> {
        match &self.model {
            None => {}
            Some(AnyModel::Classification(model)) => {
                self.pool.run(|| add_votes(model, &features, &mut sums))?;
            }
            Some(AnyModel::Regression(model)) => {
                self.pool.run(|| add_votes(model, &features, &mut sums))?;
            }
        }
        Ok(Parcel::Ask { features, sums })
    }
}

/// The content of the file of a process without trees.
const NO_TREES: &[u8] = b"no trees\n";

fn write_empty(path: &Path) -> io::Result<()> {
    let mut file = NewFile::create(path)?;
    file.write_all(NO_TREES)?;
    file.commit()
}

/// Returns whether the process had no trees: the learner is not a forest, and whole in the first process.
fn is_empty(checkpoints: &Checkpoints, rows: u64) -> bool {
    let path = checkpoints.path(rows);
    let length = fs::metadata(&path).map(|found| found.len());
    length.is_ok_and(|bytes| bytes == NO_TREES.len() as u64)
        && fs::read(path).is_ok_and(|found| found == NO_TREES)
}

/// Keeps those of the offered checkpoints of which this process has its file, and returns the newest that can be read.
pub(super) fn leave(checkpoints: &Checkpoints, rows: &mut Vec<u64>) -> Option<(u64, AnyModel)> {
    rows.retain(|&rows| checkpoints.path(rows).exists());
    while let Some(&newest) = rows.first() {
        if is_empty(checkpoints, newest) {
            return None;
        }
        match AnyModel::load(checkpoints.path(newest)) {
            Ok(model) => return Some((newest, model)),
            Err(error) => {
                eprintln!("warning: {error}; an older checkpoint is looked for");
                rows.remove(0);
            }
        }
    }
    None
}

/// Returns the checkpoint after these rows, which may have been read already.
pub(super) fn checkpoint(
    checkpoints: &Checkpoints,
    rows: u64,
    newest: Option<(u64, AnyModel)>,
) -> Result<AnyModel, CommandError> {
    match newest {
        Some((read, model)) if read == rows => Ok(model),
        _ => Ok(AnyModel::load(checkpoints.path(rows))?),
    }
}

/// Learns a batch as the first process has, and adds votes if there are some.
fn learn<T: TableTask>(
    model: &mut Model<T>,
    rows: &mut Rows,
    memory: &mut Memory,
) -> Result<(), CommandError> {
    let targets = T::unpack(&rows.targets).ok_or(ShardsError::OtherModel)?;
    for name in &rows.classes {
        T::add_class(name, model.pipeline_mut())?;
    }
    let shape = (targets.len(), model.columns().width());
    let features = ArrayView2::from_shape(shape, &rows.features);
    let features = features.map_err(|_| ShardsError::OtherModel)?;
    match &mut rows.sums {
        Some(sums) => model
            .pipeline_mut()
            .add_votes_then_learn(features, targets, sums)?,
        None => online_forests::OnlineLearner::learn(model.pipeline_mut(), features, targets)?,
    }
    model.set_position(rows.position);
    if rows.full.is_none() {
        rows.full = memory.exceeded_by(model);
    }
    Ok(())
}

/// Adds the votes of the trees of a model on contiguous rows.
pub(super) fn add_votes<T: TableTask>(
    model: &Model<T>,
    features: &[f32],
    sums: &mut VoteSums,
) -> Result<(), CommandError> {
    let width = model.columns().width();
    let rows = ArrayView2::from_shape((features.len() / width, width), features);
    let rows = rows.map_err(|_| ShardsError::OtherModel)?;
    Ok(model.pipeline().add_votes(rows, sums)?)
}

/// Resumes with some of the trees.
fn keep_trees(model: &mut AnyModel, part: Range<usize>) -> Result<(), CommandError> {
    match model {
        AnyModel::Classification(model) => model.pipeline_mut().keep_trees(part)?,
        AnyModel::Regression(model) => model.pipeline_mut().keep_trees(part)?,
    }
    Ok(())
}

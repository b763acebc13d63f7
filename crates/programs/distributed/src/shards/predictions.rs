//! Predictions made just before rows are learned: each at a position in their file that restarts do not change.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use forest_model::{CommandError, Prediction, csv_error};
use serde::{Deserialize, Serialize};

use super::error::ShardsError;

/// What a checkpoint knows besides the trees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Note {
    /// The length of the predictions up to the checkpoint, in bytes.
    pub bytes: u64,
    pub score: Score,
    /// Whether the run ended there, because there were no more rows or a signal was received.
    pub ended: bool,
}

/// The score of predictions made before their rows were learned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Score {
    pub rows: u64,
    /// The sum of their losses: 1 for a wrong class, or the squared error.
    pub loss: f64,
}

impl Score {
    pub(super) fn add(&mut self, loss: f64) {
        self.rows += 1;
        self.loss += loss;
    }

    /// Returns the mean loss.
    pub(super) fn mean(&self) -> f64 {
        self.loss / self.rows as f64
    }
}

/// The file of predictions, a line for each row of the data.
///
/// A prediction has the same bytes whenever a row is learned again. So the file is truncated to its length at the checkpoint,
/// and each prediction is written where it was before.
#[derive(Debug)]
pub(super) struct PredictionFile {
    path: PathBuf,
    writer: csv::Writer<BufWriter<File>>,
}

impl PredictionFile {
    /// Creates an empty file, or opens that of an earlier run with its first `bytes` bytes.
    pub(super) fn open(path: &Path, bytes: u64) -> Result<Self, CommandError> {
        let refused = |source| CommandError::io("write", path, source);
        let mut options = OpenOptions::new();
        let opened = options
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path);
        let mut file = opened.map_err(refused)?;
        let found = file.metadata().map_err(refused)?.len();
        if found < bytes {
            let (path, expected) = (path.to_owned(), bytes);
            let bytes = found;
            return Err(ShardsError::PredictionsLost {
                path,
                bytes,
                expected,
            }
            .into());
        }
        file.set_len(bytes)
            .and_then(|()| file.seek(SeekFrom::End(0)))
            .map_err(refused)?;
        let mut predictions = Self {
            path: path.to_owned(),
            writer: csv::Writer::from_writer(BufWriter::new(file)),
        };
        if bytes == 0 {
            predictions.record("prediction")?;
        }
        Ok(predictions)
    }

    /// Writes the prediction for the next row; an empty one for a row that is not learned.
    pub(super) fn write(&mut self, prediction: Option<Prediction<'_>>) -> Result<(), CommandError> {
        match prediction {
            None => self.record(""),
            Some(Prediction::Class(name)) => self.record(name),
            Some(Prediction::Number(number)) => self.record(&number.to_string()),
        }
    }

    fn record(&mut self, field: &str) -> Result<(), CommandError> {
        let written = self.writer.write_record([field]).map_err(csv_error);
        written.map_err(|source| CommandError::io("write", &self.path, source))
    }

    /// Flushes all predictions to disk, and returns their length in bytes.
    pub(super) fn sync(&mut self) -> Result<u64, CommandError> {
        let synced = self.sync_file();
        synced.map_err(|source| CommandError::io("write", &self.path, source))
    }

    fn sync_file(&mut self) -> io::Result<u64> {
        self.writer.flush()?;
        let file = self.writer.get_ref().get_ref();
        file.sync_all()?;
        let mut file = file;
        file.stream_position()
    }
}

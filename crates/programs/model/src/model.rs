//! The content of a model file: how records become rows, the learner, and how far it has come in its data.

use std::collections::BTreeMap;
use std::iter;
use std::path::Path;

use forest_core::registry::snapshot::{
    self, Snapshot, SnapshotError, SnapshotFileError, decode_front, encode_value_before,
};
use ndarray::ArrayView2;
use online_forests::preprocessing::FeatureScaling;
use online_forests::{
    AnyLearner, Batch, Classification, InputError, InvariantError, OnlineLearner, Pipeline,
    PredictionRows, Regression, Rows, Schema,
};
use serde::{Deserialize, Serialize};
use tables::{Columns, Layout, TableOptions};
use twox_hash::XxHash3_64;

use crate::rows::{Row, Unused};
use crate::task::TableTask;

/// A learner with all that it needs to read a table: it learns records and predicts them.
///
/// Saved with [`forest_core::registry::snapshot::save`] and loaded again, it gives bit-identical predictions and
/// continues learning where it stopped.
#[derive(Clone, Debug)]
pub struct Model<T: TableTask> {
    /// How records become rows.
    pub columns: Columns,
    /// What was chosen before the first row.
    pub settings: Settings,
    /// How far the model has come in the data that it learned last.
    pub position: Position,
    /// The place up to which the rows of each source are learned; saved together with the rows.
    pub cursors: BTreeMap<String, String>,
    /// The learner of rows of numbers, and the names of its classes.
    pub pipeline: Pipeline<AnyLearner<T>>,
}

/// What is chosen before the first row, besides the columns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// The algorithm as the user wrote it; the learner knows it with every parameter stated.
    pub algorithm: String,
    /// The format of the table and what its columns become.
    pub table: TableOptions,
    /// The number of trees of the forest.
    pub trees: u64,
    /// The seed of its random numbers.
    pub seed: u64,
    /// How features are scaled, by the rows that the columns were fitted on.
    pub scale: FeatureScaling,
    /// The most rows that columns and scale were fitted on.
    pub fit_rows: u64,
    /// The number of rows that the scale was fitted on.
    pub fitted_rows: u64,
}

/// The number of rows that a model has read of its data, and their digest: a resumed run must find the same rows again.
///
/// Rows are counted from the start of the data that was learned last; the samples of all data are
/// [`samples_seen`](online_forests::OnlineLearner::samples_seen).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// Rows that were learned.
    pub learned: u64,
    /// Rows that could not be learned.
    pub bad: u64,
    /// Rows that were left out because a value is missing, as requested.
    pub dropped: u64,
    /// Digest of the column names and of all rows read: XXH3 of each cell, seeded with the digest so far.
    pub digest: u64,
}

impl Position {
    /// Returns the position before the first row of a table with these columns.
    pub fn start(header: &tables::Header) -> Self {
        let names = header.names();
        let digest = digest(0, names.iter().map(String::as_str));
        Self {
            learned: 0,
            bad: 0,
            dropped: 0,
            digest,
        }
    }

    /// Returns the number of rows read.
    pub fn rows(&self) -> u64 {
        self.learned + self.bad + self.dropped
    }

    /// Records a row in the digest only: one that is skipped because it was learned before.
    pub fn pass(&mut self, row: &Row) {
        self.digest = match &row.record {
            Ok(record) => digest(self.digest, record.cells.iter()),
            Err(_) => digest(self.digest, iter::once(UNREADABLE)),
        };
    }
}

/// Stands for the cells of a row that could not be read; no cell holds it.
const UNREADABLE: &str = "\0unreadable";

fn digest<'a>(so_far: u64, cells: impl Iterator<Item = &'a str>) -> u64 {
    let add = |so_far, cell: &str| XxHash3_64::oneshot_with_seed(so_far, cell.as_bytes());
    // The end of a row must differ from an empty cell.
    add(cells.fold(so_far, add), "\n")
}

/// What became of rows that were learned together.
#[derive(Debug)]
pub struct Learned<T: TableTask> {
    /// For each row, the number of its cells of unseen categories, or why it was not learned.
    pub outcomes: Vec<Result<u64, Unused>>,
    /// The targets of the rows that were learned.
    pub targets: Vec<T::Target>,
    /// The predictions for them just before, if these were requested.
    pub predictions: PredictionRows,
    /// The number of rows that the model had learned before.
    pub before: u64,
}

impl<T: TableTask> Model<T> {
    /// Learns the rows that can be learned; the others leave no trace but in the position.
    ///
    /// # Errors
    /// Returns an error if the learner cannot hold that many rows; then the model must not be used any more.
    pub fn learn_rows(&mut self, layout: &Layout, rows: &[Row]) -> Result<Learned<T>, InputError> {
        let (features, learned) = self.read(layout, rows);
        let features = self.view(&features);
        self.pipeline.learn(features, &learned.targets)?;
        Ok(learned)
    }

    /// Learns as [`learn_rows`](Self::learn_rows) does, and predicts each row just before it is learned.
    ///
    /// # Errors
    /// As [`learn_rows`](Self::learn_rows).
    pub fn predict_then_learn_rows(
        &mut self,
        layout: &Layout,
        rows: &[Row],
    ) -> Result<Learned<T>, InputError> {
        let (features, mut learned) = self.read(layout, rows);
        let features = self.view(&features);
        learned.predictions = self
            .pipeline
            .predict_then_learn(features, &learned.targets)?;
        Ok(learned)
    }

    /// Reads rows, records that they were read, and returns the features of those that can be learned.
    fn read(&mut self, layout: &Layout, rows: &[Row]) -> (Vec<f32>, Learned<T>) {
        let mut features = Vec::new();
        let mut learned = Learned {
            outcomes: Vec::with_capacity(rows.len()),
            targets: Vec::new(),
            predictions: PredictionRows::default(),
            before: self.pipeline.samples_seen(),
        };
        for row in rows {
            let start = features.len();
            let cells = row.labelled::<T>(&self.columns, layout, &mut features);
            let outcome = cells.and_then(|(cell, unseen)| {
                // After the features: a new class gets a name only if all of its row can be learned.
                let target = T::target(cell, &mut self.pipeline);
                learned.targets.push(target.map_err(Unused::Bad)?);
                Ok(unseen)
            });
            self.position.pass(row);
            match &outcome {
                Ok(_) => self.position.learned += 1,
                Err(Unused::Dropped) => self.position.dropped += 1,
                Err(Unused::Bad(_)) => self.position.bad += 1,
            }
            if outcome.is_err() {
                features.truncate(start);
            }
            learned.outcomes.push(outcome);
        }
        (features, learned)
    }

    /// Returns features as rows of the width of the columns.
    pub(crate) fn view<'f>(&self, features: &'f [f32]) -> ArrayView2<'f, f32> {
        let width = self.columns.width();
        let rows = ArrayView2::from_shape((features.len() / width, width), features);
        rows.expect("every row that is used has all features")
    }
}

impl<T: TableTask> OnlineLearner for Model<T> {
    type Task = T;

    fn schema(&self) -> &Schema<T> {
        self.pipeline.schema()
    }

    fn inside(&self) -> Option<&dyn OnlineLearner<Task = T>> {
        Some(&self.pipeline)
    }

    fn inside_mut(&mut self) -> Option<&mut dyn OnlineLearner<Task = T>> {
        Some(&mut self.pipeline)
    }

    fn samples_seen(&self) -> u64 {
        self.pipeline.samples_seen()
    }

    fn check_invariants(&self) -> Result<(), InvariantError> {
        self.pipeline.check_invariants()?;
        let is_wide = self.columns.width() == self.schema().features();
        InvariantError::require(
            is_wide,
            "columns",
            "they do not make the pipeline's features",
        )?;
        let position = self.position;
        let used = position.learned.checked_add(position.bad);
        let read = used.and_then(|rows| rows.checked_add(position.dropped));
        let is_read = read.is_some() && position.learned <= self.samples_seen();
        InvariantError::require(is_read, "position", "it is beyond what was learned")?;
        let are_named = T::classes(self.schema()) == self.pipeline.class_names().len();
        InvariantError::require(are_named, "class names", "not every class has a name")
    }

    fn learn_batch(&mut self, batch: &Batch<'_, T>) {
        self.pipeline.learn_batch(batch);
    }

    fn predict_rows(&self, rows: &Rows<'_>, predictions: &mut [f64]) {
        self.pipeline.predict_rows(rows, predictions);
    }
}

/// The prefix of the pipeline's label.
const PREFIX: &str = "model/";

/// What is saved before the bytes of the pipeline.
type Saved = (Columns, Settings, Position, BTreeMap<String, String>);

impl<T: TableTask> Snapshot for Model<T> {
    fn label(&self) -> String {
        format!("{PREFIX}{}", self.pipeline.label())
    }

    fn encode(&self) -> Result<Vec<u8>, SnapshotError> {
        let saved = (&self.columns, &self.settings, &self.position, &self.cursors);
        encode_value_before(&saved, self.pipeline.encode()?)
    }

    fn decode(label: &str, payload: &[u8]) -> Result<Self, SnapshotError> {
        let Some(pipeline) = label.strip_prefix(PREFIX) else {
            return Err(SnapshotError::other(label, "a model that `train` has made"));
        };
        let ((columns, settings, position, cursors), payload) = decode_front::<Saved>(payload)?;
        let pipeline = Pipeline::decode(pipeline, payload)?;
        Ok(Self {
            columns,
            settings,
            position,
            cursors,
            pipeline,
        })
    }
}

/// A model of either task.
#[derive(Clone, Debug)]
pub enum AnyModel {
    /// It predicts classes.
    Classification(Model<Classification>),
    /// It predicts numbers.
    Regression(Model<Regression>),
}

impl AnyModel {
    /// Loads a model file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, is damaged, or holds something else.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, SnapshotFileError> {
        snapshot::load_either(path, Self::Classification, Self::Regression)
    }

    /// Returns how far the model has come in the data that it learned last.
    pub fn position(&self) -> Position {
        match self {
            Self::Classification(model) => model.position,
            Self::Regression(model) => model.position,
        }
    }
}

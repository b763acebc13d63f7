//! The content of a model file: how records become rows, the learner, and how far it has come in its data.

use std::collections::BTreeMap;
use std::path::Path;

use forest_core::registry::snapshot::{
    self, Snapshot, SnapshotError, SnapshotFileError, decode_front, encode_value_before,
};
use ndarray::ArrayView2;
use online_forests::preprocessing::FeatureScaling;
use online_forests::{
    AnyLearner, Classification, InputError, InvariantError, OnlineLearner, Pipeline, Regression,
    Rows, Schema,
};
use serde::{Deserialize, Serialize};
use tables::{Columns, Header, Layout, TableOptions};
use twox_hash::XxHash3_64;

use crate::row::{Outcome, Row};
use crate::table_task::TableTask;

/// A learner with all that it needs to read a table: it learns records and predicts them.
///
/// Saved with [`forest_core::registry::snapshot::save`] and loaded again, it gives bit-identical predictions and continues learning where it
/// stopped.
#[derive(Clone, Debug)]
pub struct Model<T: TableTask> {
    pub(crate) columns: Columns,
    pub(crate) settings: Settings,
    pub(crate) position: Position,
    pub(crate) cursors: BTreeMap<String, String>,
    pub(crate) pipeline: Pipeline<AnyLearner<T>>,
}

/// The reason why a row cannot be forgotten.
#[derive(Debug, thiserror::Error)]
pub enum CannotForget {
    #[error("{0}; mondrian:window=N and dynamic-extra-trees can")]
    /// The learner cannot forget.
    Learner(online_forests::Refused),
    #[error(transparent)]
    /// The learner does not hold the row.
    Row(#[from] online_forests::Refused),
}

/// Rows that are learned together.
#[derive(Debug)]
pub struct Batch<T: TableTask> {
    features: Vec<f32>,
    /// One of each row.
    pub targets: Vec<T::Target>,
    /// The number of cells of all batches whose category did not occur when columns were fitted.
    pub unseen: u64,
}

impl<T: TableTask> Default for Batch<T> {
    fn default() -> Self {
        Self {
            features: Vec::new(),
            targets: Vec::new(),
            unseen: 0,
        }
    }
}

impl<T: TableTask> Model<T> {
    /// Returns a model that has read its table up to `position`.
    pub fn new(
        columns: Columns,
        settings: Settings,
        position: Position,
        pipeline: Pipeline<AnyLearner<T>>,
    ) -> Self {
        Self {
            columns,
            settings,
            position,
            cursors: BTreeMap::new(),
            pipeline,
        }
    }

    /// Returns how records become rows.
    pub fn columns(&self) -> &Columns {
        &self.columns
    }

    /// Returns the settings chosen before the first row.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Returns how far the model has come in the data that it learned last.
    pub fn position(&self) -> Position {
        self.position
    }

    /// Sets how far the model has come in its data.
    pub fn set_position(&mut self, position: Position) {
        self.position = position;
    }

    /// Returns the place up to which the rows of each source are learned; its rows and its place are saved together.
    pub fn cursors(&self) -> &BTreeMap<String, String> {
        &self.cursors
    }

    /// Records that the rows of `source` are learned up to `place`.
    pub fn set_cursor(&mut self, source: &str, place: &str) {
        self.cursors.insert(source.to_owned(), place.to_owned());
    }

    /// Returns the pipeline, to be changed like all parts of one forest.
    pub fn pipeline_mut(&mut self) -> &mut Pipeline<AnyLearner<T>> {
        &mut self.pipeline
    }

    /// Returns the pipeline alone.
    pub fn into_pipeline(self) -> Pipeline<AnyLearner<T>> {
        self.pipeline
    }

    /// Returns the learner of rows of numbers.
    pub fn pipeline(&self) -> &Pipeline<AnyLearner<T>> {
        &self.pipeline
    }

    /// Reads a row into `batch` and records that it was read.
    pub fn read(&mut self, layout: &Layout, row: &Row, batch: &mut Batch<T>) -> Outcome {
        let before = batch.features.len();
        let mut outcome = row.features(
            &self.columns,
            layout,
            &mut batch.features,
            &mut batch.unseen,
        );
        if outcome == Outcome::Taken {
            match self.target(layout, row) {
                Ok(target) => batch.targets.push(target),
                Err(reason) => outcome = reason,
            }
        }
        self.position.pass(row);
        match outcome {
            Outcome::Taken => self.position.learned += 1,
            Outcome::Dropped => self.position.dropped += 1,
            Outcome::Bad(_) => self.position.bad += 1,
        }
        if outcome != Outcome::Taken {
            batch.features.truncate(before);
        }
        outcome
    }

    /// Reads the target, after the features: a new class gets a name only if all of its row can be learned.
    fn target(&mut self, layout: &Layout, row: &Row) -> Result<T::Target, Outcome> {
        let cell = row.target(&self.columns, layout)?;
        T::target(cell, &mut self.pipeline).map_err(|reason| Outcome::Bad(reason.to_string()))
    }

    /// Learns as [`learn`](Self::learn) does, and returns the prediction for each row just before it was learned, and its target.
    pub fn predict_then_learn_batch(
        &mut self,
        batch: &Batch<T>,
    ) -> Result<online_forests::PredictionRows, InputError> {
        self.pipeline
            .predict_then_learn(self.rows(batch), &batch.targets)
    }

    /// Forgets the row that was learned as number `row` of all, from 0.
    pub fn forget(&mut self, row: u64) -> Result<(), CannotForget> {
        let can = self.pipeline.check_forgetting();
        can.map_err(CannotForget::Learner)?;
        Ok(self.pipeline.forget(row)?)
    }

    fn rows<'b>(&self, batch: &'b Batch<T>) -> ArrayView2<'b, f32> {
        let shape = (batch.targets.len(), self.columns.width());
        let rows = ArrayView2::from_shape(shape, &batch.features);
        rows.expect("every row that is taken has all features")
    }

    /// Learns what was read, and empties `batch`.
    pub fn learn_batch(&mut self, batch: &mut Batch<T>) -> Result<(), InputError> {
        self.pipeline.learn(self.rows(batch), &batch.targets)?;
        batch.features.clear();
        batch.targets.clear();
        Ok(())
    }
}

/// What is chosen before the first row, besides the columns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// The algorithm as it was given; the learner knows it with every parameter stated.
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
    pub fn start<'a>(header: impl IntoIterator<Item = &'a str>) -> Self {
        Self {
            learned: 0,
            bad: 0,
            dropped: 0,
            digest: digest(0, header),
        }
    }

    /// Returns the number of rows read.
    pub fn rows(&self) -> u64 {
        self.learned + self.bad + self.dropped
    }

    /// Records a row in the digest only: one that is skipped because it was learned before.
    pub fn pass(&mut self, row: &Row) {
        self.digest = digest(self.digest, row.cells());
    }
}

fn digest<'a>(so_far: u64, cells: impl IntoIterator<Item = &'a str>) -> u64 {
    let add = |so_far, cell: &str| XxHash3_64::oneshot_with_seed(so_far, cell.as_bytes());
    // The end of a row must differ from an empty cell.
    add(cells.into_iter().fold(so_far, add), "\n")
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
        let (schema, position) = (self.pipeline.schema(), self.position);
        let width = self.columns.width() == schema.features();
        InvariantError::require(width, "columns", "they do not make the pipeline's features")?;
        let read = position
            .learned
            .checked_add(position.bad)
            .and_then(|rows| rows.checked_add(position.dropped));
        let fits = read.is_some() && position.learned <= self.pipeline.samples_seen();
        InvariantError::require(fits, "position", "it is beyond what was learned")?;
        let named = T::classes(schema) == self.pipeline.class_names().len();
        InvariantError::require(named, "class names", "not every class has a name")
    }

    fn learn_batch(&mut self, batch: &online_forests::Batch<'_, T>) {
        self.pipeline.learn_batch(batch);
    }

    fn predict_rows(&self, rows: &Rows<'_>, predictions: &mut [f64]) {
        self.pipeline.predict_rows(rows, predictions);
    }
}

/// The prefix of the pipeline's label.
const PREFIX: &str = "model/";

/// A model without its pipeline, whose bytes follow.
#[derive(Deserialize, Serialize)]
struct Saved {
    columns: Columns,
    settings: Settings,
    position: Position,
    cursors: BTreeMap<String, String>,
}

impl<T: TableTask> Snapshot for Model<T> {
    fn label(&self) -> String {
        format!("{PREFIX}{}", self.pipeline.label())
    }

    fn encode(&self) -> Result<Vec<u8>, SnapshotError> {
        let saved = Saved {
            columns: self.columns.clone(),
            settings: self.settings.clone(),
            position: self.position,
            cursors: self.cursors.clone(),
        };
        encode_value_before(&saved, self.pipeline.encode()?)
    }

    fn decode(label: &str, payload: &[u8]) -> Result<Self, SnapshotError> {
        let pipeline = label.strip_prefix(PREFIX);
        let pipeline =
            pipeline.ok_or_else(|| SnapshotError::other(label, "a model that `train` has made"))?;
        let (saved, payload) = decode_front::<Saved>(payload)?;
        Ok(Self {
            columns: saved.columns,
            settings: saved.settings,
            position: saved.position,
            cursors: saved.cursors,
            pipeline: Pipeline::<AnyLearner<T>>::decode(pipeline, payload)?,
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
    /// Returns the settings chosen before the first row.
    pub fn settings(&self) -> &Settings {
        match self {
            Self::Classification(model) => model.settings(),
            Self::Regression(model) => model.settings(),
        }
    }

    /// Returns the columns of the table that the model was fitted on.
    pub fn header(&self) -> &Header {
        self.columns().header()
    }

    /// Returns how tables become numbers.
    pub fn columns(&self) -> &Columns {
        match self {
            Self::Classification(model) => model.columns(),
            Self::Regression(model) => model.columns(),
        }
    }

    /// Returns how far the model has come in the data that it learned last.
    pub fn position(&self) -> Position {
        match self {
            Self::Classification(model) => model.position(),
            Self::Regression(model) => model.position(),
        }
    }

    /// Loads a model file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, is damaged, or holds something else.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, SnapshotFileError> {
        snapshot::load_either(path, Self::Classification, Self::Regression)
    }
}

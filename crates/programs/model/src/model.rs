//! The content of a model file: how records become rows, the learner, and its position in the data.

use std::collections::BTreeMap;

use ndarray::ArrayView2;
use online_forests::{AnyLearner, InputError, OnlineLearner, Pipeline};
use tables::{Columns, Layout};

use crate::position::Position;
use crate::row::{Outcome, Row};
use crate::settings::Settings;
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
        let outcome = self.outcome(layout, row, batch);
        self.position.advance(row, &outcome);
        outcome
    }

    fn outcome(&mut self, layout: &Layout, row: &Row, batch: &mut Batch<T>) -> Outcome {
        let before = batch.features.len();
        let outcome = match row.features(
            &self.columns,
            layout,
            &mut batch.features,
            &mut batch.unseen,
        ) {
            Outcome::Taken => self.target(layout, row, batch),
            other => other,
        };
        if outcome != Outcome::Taken {
            batch.features.truncate(before);
        }
        outcome
    }

    /// Reads the target, after the features: a new class gets a name only if all of its row can be learned.
    fn target(&mut self, layout: &Layout, row: &Row, batch: &mut Batch<T>) -> Outcome {
        let cell = match row.target(&self.columns, layout) {
            Ok(cell) => cell,
            Err(outcome) => return outcome,
        };
        match T::target(cell, &mut self.pipeline) {
            Ok(target) => {
                batch.targets.push(target);
                Outcome::Taken
            }
            Err(reason) => Outcome::Bad(reason.to_string()),
        }
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

//! A model as a learner of rows of numbers, by the verbs of its pipeline.

use online_forests::{Batch, InvariantError, OnlineLearner, Rows, Schema};

use crate::model::Model;
use crate::table_task::TableTask;

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
        self.check()
    }

    fn learn_batch(&mut self, batch: &Batch<'_, T>) {
        self.pipeline.learn_batch(batch);
    }

    fn predict_rows(&self, rows: &Rows<'_>, predictions: &mut [f64]) {
        self.pipeline.predict_rows(rows, predictions);
    }
}

impl<T: TableTask> Model<T> {
    /// Checks what must hold between the columns, the position and the pipeline.
    fn check(&self) -> Result<(), InvariantError> {
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
}

//! Limits the memory of learning.

use forest_model::{Model, TableTask, remedy};
use online_forests::OnlineLearner as _;
use registry::snapshot::Snapshot as _;
use serving::Reader;

use crate::refusal::Refusal;

/// The number of rows between two measurements of a model.
const ROWS: u64 = 1000;

/// The memory limit of learning, and the latest measurement.
#[derive(Debug)]
pub(super) struct Room {
    limit: Option<u64>,
    looked_at: Option<u64>,
    full: Option<String>,
}

impl Room {
    /// Takes that many bytes, or a share of what is free now.
    pub(super) fn new(asked: Option<u64>) -> Self {
        Self {
            limit: memory_limit::or_default(asked),
            looked_at: None,
            full: None,
        }
    }

    /// Refuses to learn if the model must not grow any more.
    ///
    /// # Errors
    /// Returns 507, with the size of the model and what can be done.
    pub(super) fn check<T: TableTask>(&mut self, reader: &Reader<Model<T>>) -> Result<(), Refusal> {
        let model = reader.model();
        let rows = model.samples_seen();
        let is_due = self
            .looked_at
            .is_none_or(|looked| rows.abs_diff(looked) >= ROWS);
        if let (true, Some(limit)) = (is_due || self.full.is_some(), self.limit) {
            self.looked_at = Some(rows);
            let bytes = model.footprint().bytes as u64;
            self.full = (needed(bytes) > limit).then(|| reason(&model, bytes, limit));
        }
        match &self.full {
            Some(reason) => Err(Refusal::new(
                axum::http::StatusCode::INSUFFICIENT_STORAGE,
                reason.clone(),
            )),
            None => Ok(()),
        }
    }
}

/// Returns two copies, one to be saved, and an eighth of each copy, by which its arrays grow at a time.
fn needed(bytes: u64) -> u64 {
    bytes.saturating_mul(3).saturating_add(bytes / 4)
}

fn reason<T: TableTask>(model: &Model<T>, bytes: u64, limit: u64) -> String {
    let [bytes, limit] = [bytes, limit].map(indicatif::BinaryBytes);
    format!(
        "the model holds {bytes} of memory, twice, and takes as much again to be saved: more rows could take more than --max-memory \
         allows ({limit}); {}",
        remedy(&model.pipeline().learner().label())
    )
}

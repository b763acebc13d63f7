//! Limits the memory of training.

use online_forests::OnlineLearner;
use registry::snapshot::Snapshot;

use crate::model::Model;
use crate::table_task::TableTask;

/// The number of rows between two measurements of a model.
const ROWS: u64 = 1000;

/// Parameters that bound what a learner keeps.
const BOUNDS: [&str; 2] = ["max_nodes", "window"];

/// The memory limit of training, and when the model was last measured.
#[derive(Debug)]
pub struct Memory {
    limit: Option<u64>,
    looked_at: u64,
}

impl Memory {
    /// Takes that many bytes, or a share of what is free now.
    pub fn new(asked: Option<u64>) -> Self {
        Self {
            limit: memory_limit::or_default(asked),
            looked_at: 0,
        }
    }

    /// Returns the reason why the model must not grow any more; `None` if it may, or was measured a moment ago.
    pub fn exceeded_by<T: TableTask>(&mut self, model: &Model<T>) -> Option<String> {
        let rows = model.samples_seen();
        let limit = self.limit?;
        if rows.abs_diff(self.looked_at) < ROWS {
            return None;
        }
        self.looked_at = rows;
        let needed = needed(model.footprint().bytes as u64);
        (needed > limit).then(|| reason(model, limit))
    }
}

/// Returns the bytes that a model of this size needs: itself, the same again to be saved, and an eighth, by which its arrays grow at a time.
fn needed(bytes: u64) -> u64 {
    bytes.saturating_mul(2).saturating_add(bytes / 8)
}

fn reason<T: TableTask>(model: &Model<T>, limit: u64) -> String {
    let bytes = indicatif::BinaryBytes(model.footprint().bytes as u64);
    let limit = indicatif::BinaryBytes(limit);
    format!(
        "the model holds {bytes} of memory and takes as much again to be saved: more rows could take more than --max-memory \
         allows ({limit}); {}",
        remedy(&model.pipeline().learner().label())
    )
}

/// Returns how such learners are bounded.
pub fn remedy(label: &str) -> String {
    let (name, values) = parameters(label);
    let has = |bound: &&str| values.contains(&format!("{bound}="));
    let bounds = BOUNDS.into_iter().filter(has);
    let bounds: Vec<String> = bounds
        .map(|bound| format!("--algorithm {name}:{bound}=N"))
        .collect();
    if bounds.is_empty() {
        "mondrian:max_nodes=N and mondrian:window=N are learners that keep a bounded part of a stream".to_owned()
    } else {
        format!(
            "a model that does not grow without end is made with {}",
            bounds.join(" or ")
        )
    }
}

fn parameters(label: &str) -> (&str, &str) {
    label.split_once(':').unwrap_or((label, ""))
}

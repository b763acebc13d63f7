//! Limits the memory of learning.

use forest_core::registry::snapshot::Snapshot;
use online_forests::OnlineLearner;

use crate::model::Model;
use crate::table_task::TableTask;

/// The number of rows between two measurements of a model.
const ROWS: u64 = 1000;

/// Parameters that bound what a learner keeps.
const BOUNDS: [&str; 2] = ["max_nodes", "window"];

/// The memory limit of learning, and the latest measurement of the model.
#[derive(Debug)]
pub struct Memory {
    limit: Option<u64>,
    copies: u64,
    measured_at: Option<u64>,
    exceeded: Option<String>,
}

impl Memory {
    /// Takes that many bytes, or a share of what is free now, for so many copies of a model, and one that is saved.
    pub fn new(asked: Option<u64>, copies: u64) -> Self {
        Self {
            limit: forest_core::memory_limit::or_default(asked),
            copies,
            measured_at: None,
            exceeded: None,
        }
    }

    /// Returns the reason why the model must not grow any more; `None` if it may. It is measured now and then, and each time
    /// while it is too large.
    pub fn exceeded_by<T: TableTask>(&mut self, model: &Model<T>) -> Option<String> {
        let (limit, rows) = (self.limit?, model.samples_seen());
        let measured = self.measured_at;
        let is_due = measured.is_none_or(|measured| rows.abs_diff(measured) >= ROWS);
        if is_due || self.exceeded.is_some() {
            self.measured_at = Some(rows);
            let bytes = model.footprint().bytes as u64;
            let is_exceeded = self.needed(bytes) > limit;
            self.exceeded = is_exceeded.then(|| self.reason(model, bytes, limit));
        }
        self.exceeded.clone()
    }

    /// Returns the copies, one to be saved, and an eighth of each, by which its arrays grow at a time.
    fn needed(&self, bytes: u64) -> u64 {
        let all = bytes.saturating_mul(self.copies + 1);
        all.saturating_add(self.copies * bytes / 8)
    }

    fn reason<T: TableTask>(&self, model: &Model<T>, bytes: u64, limit: u64) -> String {
        let [bytes, limit] = [bytes, limit].map(indicatif::BinaryBytes);
        let twice = if self.copies > 1 { ", twice," } else { "" };
        format!(
            "the model holds {bytes} of memory{twice} and takes as much again to be saved: more rows could take more than --max-memory \
             allows ({limit}); {}",
            remedy(&model.pipeline().learner().label())
        )
    }
}

/// Returns how such learners are bounded.
fn remedy(label: &str) -> String {
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

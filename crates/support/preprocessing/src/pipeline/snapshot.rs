//! Pipelines are saved with their learners.

use forest_core::registry::snapshot::{Payload, Snapshot, SnapshotError, encode_value_before};
use forest_core::{OnlineLearner, Schema, Task};
use serde::{Deserialize, Serialize};

use super::Pipeline;
use crate::{LabelEncoder, Step};

/// The prefix of the learner's label.
const PREFIX: &str = "pipeline/";

/// A pipeline without its learner, whose bytes follow: the same whether the learner is held by name or not.
#[derive(Deserialize, Serialize)]
#[serde(bound = "")]
struct Saved<T: Task> {
    schema: Schema<T>,
    steps: Vec<Step>,
    class_names: LabelEncoder,
}

impl<L: Snapshot + OnlineLearner<Task: Task>> Snapshot for Pipeline<L> {
    /// Returns the label of the learner after `pipeline/`.
    fn label(&self) -> String {
        format!("{PREFIX}{}", self.learner.label())
    }

    fn encode(&self) -> Result<Vec<u8>, SnapshotError> {
        let saved = Saved {
            schema: self.schema,
            steps: self.steps.clone(),
            class_names: self.class_names.clone(),
        };
        encode_value_before(&saved, self.learner.encode()?)
    }

    fn decode(label: &str, payload: &mut Payload<'_>) -> Result<Self, SnapshotError> {
        let learner = label.strip_prefix(PREFIX);
        let learner = learner.ok_or_else(|| SnapshotError::WrongLearner {
            label: label.to_owned(),
            expected: "a pipeline".to_owned(),
        })?;
        let saved: Saved<L::Task> = payload.value()?;
        payload.expect_bytes()?;
        Ok(Self {
            schema: saved.schema,
            steps: saved.steps,
            learner: L::decode(learner, payload)?,
            class_names: saved.class_names,
        })
    }
}

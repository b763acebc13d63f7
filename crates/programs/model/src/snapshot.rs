//! The payload of a model file.

use std::collections::BTreeMap;

use forest_core::registry::snapshot::{Snapshot, SnapshotError, decode_front, encode_value_before};
use online_forests::{AnyLearner, Pipeline};
use serde::{Deserialize, Serialize};
use tables::Columns;

use crate::model::Model;
use crate::position::Position;
use crate::settings::Settings;
use crate::table_task::TableTask;

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

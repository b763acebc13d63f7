//! The payload of a model file.

use online_forests::{AnyLearner, Pipeline};
use registry::snapshot::{Snapshot, SnapshotError, decode_value, encode_value};
use serde::{Deserialize, Serialize};
use tables::{Columns, ColumnsVersion1};

use super::{Model, Position, Settings};
use crate::table_task::TableTask;

mod version;

use version::Version;

/// What stands before the pipeline's label.
const PREFIX: &str = "model/";

/// A model whose pipeline is bytes already. A field that is added, here or in the columns, makes a new [`Version`].
#[derive(Deserialize, Serialize)]
struct Saved<C = Columns> {
    columns: C,
    settings: Settings,
    position: Position,
    pipeline: Vec<u8>,
}

impl<T: TableTask> Snapshot for Model<T> {
    /// That of the pipeline, behind `model/`.
    fn label(&self) -> String {
        format!("{PREFIX}{}", self.pipeline.label())
    }

    fn encode(&self) -> Result<Vec<u8>, SnapshotError> {
        let saved = Saved {
            columns: self.columns.clone(),
            settings: self.settings.clone(),
            position: self.position,
            pipeline: self.pipeline.encode()?,
        };
        encode_value(&version::marked(saved))
    }

    fn decode(label: &str, payload: &[u8]) -> Result<Self, SnapshotError> {
        let pipeline = label.strip_prefix(PREFIX);
        let pipeline = pipeline.ok_or_else(|| SnapshotError::WrongLearner {
            label: label.to_owned(),
            expected: "a model that `train` has made".to_owned(),
        })?;
        let saved = saved(payload)?;
        Ok(Self {
            columns: saved.columns,
            settings: saved.settings,
            position: saved.position,
            pipeline: Pipeline::<AnyLearner<T>>::decode(pipeline, &saved.pipeline)?,
        })
    }
}

fn saved(payload: &[u8]) -> Result<Saved, SnapshotError> {
    match Version::of(payload)? {
        (Version::One, payload) => decode_value::<Saved<ColumnsVersion1>>(payload)?.try_into(),
        (Version::Two, payload) => decode_value(payload),
    }
}

impl TryFrom<Saved<ColumnsVersion1>> for Saved {
    type Error = SnapshotError;

    fn try_from(saved: Saved<ColumnsVersion1>) -> Result<Self, SnapshotError> {
        let columns = Columns::try_from(saved.columns);
        Ok(Self {
            columns: columns.map_err(|reason| SnapshotError::Decode { reason })?,
            settings: saved.settings,
            position: saved.position,
            pipeline: saved.pipeline,
        })
    }
}

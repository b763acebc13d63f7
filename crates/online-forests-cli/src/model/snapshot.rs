//! The payload of a model file.

use online_forests::{AnyLearner, Pipeline};
use registry::snapshot::{Payload, Snapshot, SnapshotError, encode_value_before, reading};
use serde::{Deserialize, Serialize};
use tables::{Columns, ColumnsVersion1};

use super::{Model, Position, Settings};
use crate::table_task::TableTask;

/// What stands before the pipeline's label.
const PREFIX: &str = "model/";

/// The newest version of the format with columns of version 1.
const COLUMNS_1_UP_TO: u16 = 2;

/// A model without its pipeline, whose bytes come behind it.
#[derive(Deserialize, Serialize)]
struct Saved<C = Columns> {
    columns: C,
    settings: Settings,
    position: Position,
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
        };
        encode_value_before(&saved, self.pipeline.encode()?)
    }

    fn decode(label: &str, payload: &mut Payload<'_>) -> Result<Self, SnapshotError> {
        let pipeline = label.strip_prefix(PREFIX);
        let pipeline = pipeline.ok_or_else(|| SnapshotError::WrongLearner {
            label: label.to_owned(),
            expected: "a model that `train` has made".to_owned(),
        })?;
        let saved = saved(payload)?;
        payload.expect_bytes()?;
        Ok(Self {
            columns: saved.columns,
            settings: saved.settings,
            position: saved.position,
            pipeline: Pipeline::<AnyLearner<T>>::decode(pipeline, payload)?,
        })
    }
}

fn saved(payload: &mut Payload<'_>) -> Result<Saved, SnapshotError> {
    if reading(|version, _| version > COLUMNS_1_UP_TO) {
        return payload.value();
    }
    let Saved {
        columns,
        settings,
        position,
    } = payload.value::<Saved<ColumnsVersion1>>()?;
    let columns = Columns::try_from(columns);
    Ok(Saved {
        columns: columns.map_err(|reason| SnapshotError::Decode { reason })?,
        settings,
        position,
    })
}

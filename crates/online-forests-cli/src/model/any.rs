//! A model of either task: what is in a file is not known before it is read.

use std::path::Path;

use online_forests::{Classification, Regression};
use registry::snapshot::{self, SnapshotError, SnapshotFileError};
use tables::Columns;

use super::{Model, Settings};

/// A model of either task.
#[derive(Clone, Debug)]
pub enum AnyModel {
    /// It tells classes.
    Classification(Model<Classification>),
    /// It tells numbers.
    Regression(Model<Regression>),
}

impl AnyModel {
    /// What was chosen before the first row.
    pub fn settings(&self) -> &Settings {
        match self {
            Self::Classification(model) => model.settings(),
            Self::Regression(model) => model.settings(),
        }
    }

    /// How tables become numbers.
    pub fn columns(&self) -> &Columns {
        match self {
            Self::Classification(model) => model.columns(),
            Self::Regression(model) => model.columns(),
        }
    }

    /// Loads a model file.
    ///
    /// # Errors
    /// A file that cannot be read, is damaged, or holds something else.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, SnapshotFileError> {
        let path = path.as_ref();
        match snapshot::load(path) {
            Err(SnapshotFileError::Snapshot {
                source: SnapshotError::WrongTask { .. },
                ..
            }) => snapshot::load(path).map(Self::Regression),
            loaded => loaded.map(Self::Classification),
        }
    }
}

//! A model of either task: what is in a file is not known before it is read.

use std::path::Path;

use online_forests::{Classification, Regression};
use registry::snapshot::{self, SnapshotFileError};
use tables::{Columns, Header};

use crate::model::Model;
use crate::position::Position;
use crate::settings::Settings;

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

    /// The columns of the table that it was fitted on.
    pub fn header(&self) -> &Header {
        self.columns().header()
    }

    /// How tables become numbers.
    pub fn columns(&self) -> &Columns {
        match self {
            Self::Classification(model) => model.columns(),
            Self::Regression(model) => model.columns(),
        }
    }

    /// How far it has come in the data that it learned last.
    pub fn position(&self) -> Position {
        match self {
            Self::Classification(model) => model.position(),
            Self::Regression(model) => model.position(),
        }
    }

    /// Loads a model file.
    ///
    /// # Errors
    /// A file that cannot be read, is damaged, or holds something else.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, SnapshotFileError> {
        snapshot::load_either(path, Self::Classification, Self::Regression)
    }
}

//! A model of either task: which one a file holds is known only after it is read.

use std::path::Path;

use forest_core::registry::snapshot::{self, SnapshotFileError};
use online_forests::{Classification, Regression};
use tables::{Columns, Header};

use crate::model::Model;
use crate::position::Position;
use crate::settings::Settings;

/// A model of either task.
#[derive(Clone, Debug)]
pub enum AnyModel {
    /// It predicts classes.
    Classification(Model<Classification>),
    /// It predicts numbers.
    Regression(Model<Regression>),
}

impl AnyModel {
    /// Returns the settings chosen before the first row.
    pub fn settings(&self) -> &Settings {
        match self {
            Self::Classification(model) => model.settings(),
            Self::Regression(model) => model.settings(),
        }
    }

    /// Returns the columns of the table that the model was fitted on.
    pub fn header(&self) -> &Header {
        self.columns().header()
    }

    /// Returns how tables become numbers.
    pub fn columns(&self) -> &Columns {
        match self {
            Self::Classification(model) => model.columns(),
            Self::Regression(model) => model.columns(),
        }
    }

    /// Returns how far the model has come in the data that it learned last.
    pub fn position(&self) -> Position {
        match self {
            Self::Classification(model) => model.position(),
            Self::Regression(model) => model.position(),
        }
    }

    /// Loads a model file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, is damaged, or holds something else.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, SnapshotFileError> {
        snapshot::load_either(path, Self::Classification, Self::Regression)
    }
}

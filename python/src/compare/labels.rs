//! The names under which a caller lists algorithms of the table.

use std::sync::Arc;

use comparison::AnyAlgorithm;
use comparison::record::Record;
use pyo3::prelude::*;

use super::learners::Described;
use crate::error::refused;

/// Pairs of an algorithm's text, by which runs are planned, and of the name by which its records have it.
pub struct Labels(Vec<[String; 2]>);

impl Labels {
    /// Collects the names of algorithms of the table.
    ///
    /// # Errors
    /// Returns an error for an unknown algorithm.
    pub fn of(learners: &[Arc<Described>]) -> PyResult<Self> {
        let named = learners
            .iter()
            .filter_map(|it| Some((it.algorithm.as_ref()?, &it.label)));
        let pairs = named.map(|(text, label)| {
            let algorithm: AnyAlgorithm = text.parse().map_err(refused)?;
            // What was written in the same way is named so in the records of the program, too.
            let label = if text == label {
                algorithm.to_string()
            } else {
                label.clone()
            };
            Ok([algorithm.to_string(), label])
        });
        pairs.collect::<PyResult<_>>().map(Self)
    }

    /// Returns the record with the caller's name.
    pub fn shown(&self, mut record: Record) -> Record {
        if let Some([_, label]) = self.0.iter().find(|[text, _]| *text == record.label) {
            record.label.clone_from(label);
        }
        record
    }

    /// Returns a record as it is planned.
    pub fn planned(&self, mut record: Record) -> Record {
        if let Some([text, _]) = self.0.iter().find(|[_, label]| *label == record.label) {
            record.label.clone_from(text);
        }
        record
    }
}

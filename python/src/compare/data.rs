//! Data of a comparison: by name, or rows in memory.

use std::path::PathBuf;

use datasets::{Dataset, OpenOptions, Target};
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;

use crate::error::refused;

/// Data as Python describes them.
#[derive(FromPyObject)]
pub struct Source<'py> {
    /// The address or the name.
    name: String,
    /// Rows in memory; `None` for an address.
    rows: Option<PyReadonlyArray2<'py, f32>>,
    features: Vec<String>,
    /// Classes by name, one a row.
    words: Option<Vec<String>>,
    /// Numbers, one a row.
    values: Option<Vec<f64>>,
    /// The object itself, whose `table` describes the data set to learners.
    itself: Bound<'py, PyAny>,
}

impl Source<'_> {
    /// Opens the data set; returns it with what was guessed.
    ///
    /// # Errors
    /// Returns an error for data that cannot be opened or learned.
    pub fn open(self, folder: PathBuf) -> PyResult<(Dataset, Vec<String>, Py<PyAny>)> {
        let (data, warnings) = match self.rows {
            None => {
                let options = OpenOptions {
                    data_dir: Some(folder),
                    ..OpenOptions::default()
                };
                // Other threads of Python continue while files are downloaded and read.
                let py = self.itself.py();
                py.detach(|| datasets::open_with_warnings(&self.name, &options))
                    .map_err(refused)?
            }
            Some(rows) => {
                let target = match self.words {
                    Some(words) => Target::classes(words).map_err(refused)?,
                    None => Target::Values {
                        values: self.values.unwrap_or_default(),
                        noise_free: None,
                    },
                };
                let rows = rows.as_array().to_owned();
                let data = Dataset::in_memory(&self.name, rows, self.features, target);
                (data.map_err(refused)?, Vec::new())
            }
        };
        let classes = match &data.target {
            Target::Classes { names, .. } => Some(names.clone()),
            Target::Values { .. } => None,
        };
        let features = data.feature_names.clone();
        let table = self.itself.call_method1("table", (features, classes))?;
        let guesses = warnings.iter().map(|it| format!("{}: {it}", data.name));
        let guesses = guesses.collect();
        Ok((data, guesses, table.unbind()))
    }
}

//! Functions of items, and what they share: data sets, and small helpers.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Result, bail};
use datasets::{Dataset, OpenOptions, Target};
use forest_core::{ForestSettings, argmax};
use ndarray::Array2;

use crate::reproduce::record::RecordRow;

/// A function with all of its parameters.
pub(crate) trait Function {
    /// Runs it, where `x` is the value of the variable.
    fn rows(&self, seed: u64, x: Option<f64>, library: &Library) -> Result<Vec<RecordRow>>;
}

/// The data sets that were opened last.
pub(crate) struct Library {
    folder: PathBuf,
    open: Mutex<VecDeque<(String, Arc<Dataset>)>>,
}

impl Library {
    pub(crate) fn new(folder: &Path) -> Self {
        let folder = folder.to_owned();
        let open = Mutex::default();
        Self { folder, open }
    }

    pub(crate) fn open(&self, address: &str) -> Result<Arc<Dataset>> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, dataset)) = open.iter().find(|(known, _)| known == address) {
            return Ok(dataset.clone());
        }
        let path = self.folder.join(address);
        let source = if path.is_file() { path } else { address.into() };
        let options = OpenOptions {
            data_dir: Some(self.folder.clone()),
            ..OpenOptions::default()
        };
        let dataset = Arc::new(datasets::open(source, &options)?);
        // Items take sets in turn, seed by seed.
        open.truncate(9);
        open.push_front((address.to_owned(), dataset.clone()));
        Ok(dataset)
    }
}

pub(crate) fn forest(trees: usize, seed: u64) -> ForestSettings {
    ForestSettings::default().with_trees(trees).with_seed(seed)
}

pub(crate) fn labels(data: &Dataset) -> Result<&[u32]> {
    match &data.target {
        Target::Classes { labels, .. } => Ok(labels),
        Target::Values { .. } => bail!("`{}` has no classes; name other data", data.name),
    }
}

/// Returns how many rows have their class as the most probable one.
pub(crate) fn right(predictions: &Array2<f64>, classes: &[u32]) -> usize {
    let rows = predictions.outer_iter().zip(classes);
    rows.filter(|(row, class)| argmax(&row.to_vec()) == **class as usize)
        .count()
}

pub(crate) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

//! Open data sets.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;
use datasets::{Dataset, OpenOptions};

/// Data sets, each opened once.
#[derive(Debug)]
pub(crate) struct Library {
    folder: PathBuf,
    open: Mutex<BTreeMap<String, Arc<Dataset>>>,
}

impl Library {
    pub(crate) fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            open: Mutex::default(),
        }
    }

    /// Opens a data set; data that cannot be fetched are opened by their path in the folder.
    pub(crate) fn open(&self, address: &str) -> Result<Arc<Dataset>> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(dataset) = open.get(address) {
            return Ok(dataset.clone());
        }
        let options = OpenOptions {
            data_dir: Some(self.folder.clone()),
            ..OpenOptions::default()
        };
        let path = self.folder.join(address);
        let dataset = if path.is_file() {
            datasets::open(&path, &options)
        } else {
            datasets::open(address, &options)
        };
        let dataset = Arc::new(dataset?);
        open.insert(address.to_owned(), dataset.clone());
        Ok(dataset)
    }

    /// Closes data that later runs do not need.
    pub(crate) fn keep_only(&self, needed: impl Fn(&str) -> bool) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|address, _| needed(address));
    }
}

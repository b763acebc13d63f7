//! A replica: the model is reloaded whenever another program has saved it.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, SystemTime};

use forest_core::registry::snapshot;
use forest_model::{Model, TableTask, interrupt};
use online_forests::OnlineLearner as _;
use serving::{Reader, Writer};
use tracing::{error, info};

use crate::serve::metrics::Metrics;

/// How often the file is checked.
const LOOK: Duration = Duration::from_millis(200);

/// A model file and a model that follows it.
pub(super) struct Following<T: TableTask> {
    writer: Writer<Model<T>>,
    reader: Reader<Model<T>>,
    path: PathBuf,
    metrics: Arc<Metrics>,
    known: Option<Version>,
}

/// Distinguishes versions of the file.
type Version = (SystemTime, u64, u64);

impl<T: TableTask> Following<T> {
    /// Follows the file from which a model was just loaded.
    pub(super) fn new(
        writer: Writer<Model<T>>,
        reader: Reader<Model<T>>,
        path: &Path,
        metrics: Arc<Metrics>,
    ) -> Self {
        Self {
            writer,
            reader,
            path: path.to_owned(),
            metrics,
            // The file may have been replaced since it was loaded: it is loaded once more.
            known: None,
        }
    }

    /// Follows the file until a signal.
    pub(super) fn run(mut self) {
        while !interrupt::is_requested() {
            thread::sleep(LOOK);
            let version = fs::metadata(&self.path)
                .and_then(|found| version(&found))
                .ok();
            if version.is_some() && version != self.known {
                self.known = version;
                self.load();
            }
        }
    }

    /// Replaces the model. Readers have the old one until the new one is complete.
    fn load(&mut self) {
        let model = match snapshot::load::<Model<T>>(&self.path) {
            Ok(model) => model,
            Err(failure) => return error!("the model stays as it was: {failure}"),
        };
        if !self.is_like(&model) {
            return error!(
                "the model is unchanged: the one in {} has other columns; restart the service",
                self.path.display()
            );
        }
        let replaced = self.writer.update(|old| {
            old.clone_from(&model);
            Ok::<(), std::convert::Infallible>(())
        });
        let Ok(()) = replaced;
        self.look();
        info!(rows = model.samples_seen(), "loaded");
    }

    /// Returns whether requests that were parsed for the old model fit the new one.
    fn is_like(&self, model: &Model<T>) -> bool {
        let old = self.reader.model();
        old.columns() == model.columns() && old.settings().table == model.settings().table
    }

    /// Measures the model.
    pub(super) fn look(&self) {
        self.metrics.measure(&self.reader.model(), 0);
    }
}

#[cfg(unix)]
fn version(found: &Metadata) -> std::io::Result<Version> {
    use std::os::unix::fs::MetadataExt as _;
    Ok((found.modified()?, found.len(), found.ino()))
}

#[cfg(not(unix))]
fn version(found: &Metadata) -> std::io::Result<Version> {
    Ok((found.modified()?, found.len(), 0))
}

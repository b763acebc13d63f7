//! A replica: the model is reloaded whenever another program has saved it.

use std::convert::Infallible;
use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

use forest_core::registry::snapshot;
use forest_model::shared::Writer;
use forest_model::{Model, TableTask, interrupt};
use online_forests::OnlineLearner as _;
use tracing::{error, info};

use crate::serve::metrics::Metrics;

/// How often the file is checked.
const POLL: Duration = Duration::from_millis(200);

/// Follows the file until a signal. Readers have the old model until the new one is complete.
pub(super) fn follow<T: TableTask>(mut writer: Writer<Model<T>>, path: &Path, metrics: &Metrics) {
    // The file may have been replaced since it was loaded: it is loaded once more.
    let mut known = None;
    while !interrupt::is_requested() {
        thread::sleep(POLL);
        let Ok(found) = fs::metadata(path) else {
            continue;
        };
        #[cfg(unix)]
        let file = std::os::unix::fs::MetadataExt::ino(&found);
        #[cfg(not(unix))]
        let file = 0;
        let version = Some((found.modified().ok(), found.len(), file));
        if known == version {
            continue;
        }
        known = version;
        let model = match snapshot::load::<Model<T>>(path) {
            Ok(model) => model,
            Err(failure) => {
                error!("the model is unchanged: {failure}");
                continue;
            }
        };
        // Requests that were parsed for the old model must fit the new one.
        let old = writer.reader().model();
        if old.columns != model.columns || old.settings.table != model.settings.table {
            let path = path.display();
            error!(
                "the model is unchanged: the one in {path} has other columns; restart the service"
            );
            continue;
        }
        drop(old);
        let Ok(()) = writer.update(|old| {
            old.clone_from(&model);
            Ok::<(), Infallible>(())
        });
        metrics.measure(&model, 0);
        info!(rows = model.samples_seen(), "loaded");
    }
}

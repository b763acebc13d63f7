//! Permissions of the model file: a model may hold the rows that it has learned.

use forest_model::{Model, Saving, TableTask};
use online_forests::OnlineLearner as _;

/// Restricts a model file that holds rows to its user, if everybody could read it. A file that only some may read, such as
/// those of its group, keeps its permissions.
pub(crate) fn protect<T: TableTask>(model: &Model<T>, saving: &Saving) {
    if let Some(file) = saving.model()
        && model.footprint().stored_samples > 0
        && let Err(error) = close(file)
    {
        tracing::warn!(
            "everybody on this machine can read {}: {error}",
            file.display()
        );
    }
}

#[cfg(unix)]
fn close(file: &std::path::Path) -> std::io::Result<()> {
    use std::fs::{Permissions, metadata, set_permissions};
    use std::os::unix::fs::PermissionsExt as _;
    /// Permissions of everybody, and of the user alone.
    const EVERYBODY: u32 = 0o007;
    const USER: u32 = 0o600;
    match metadata(file)?.permissions().mode() & EVERYBODY {
        0 => Ok(()),
        _ => set_permissions(file, Permissions::from_mode(USER)),
    }
}

#[cfg(not(unix))]
fn close(_: &std::path::Path) -> std::io::Result<()> {
    Ok(())
}

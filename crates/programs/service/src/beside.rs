//! Files beside the model file.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Returns the path of `MODEL.SUFFIX`.
pub(crate) fn beside(model: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(model.file_name().unwrap_or_default());
    name.push(".");
    name.push(suffix);
    model.with_file_name(name)
}

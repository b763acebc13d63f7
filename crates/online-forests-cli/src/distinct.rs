//! Files that are written must not be files that are read.

use std::path::{Path, PathBuf};

use crate::CommandError;
use crate::input::Address;

/// A file of a command, and the option that names it.
type Named<'a> = (&'static str, Option<&'a Path>);

/// Refuses to write a file under two options, or over one that is read.
///
/// # Errors
/// The second of two options that name one file.
pub fn check(data: &Address, others: &[Named<'_>]) -> Result<(), CommandError> {
    let data = match data {
        Address::File(path) => Some(path.as_path()),
        Address::StandardInput => None,
    };
    let files = [("--data", data)].into_iter().chain(others.iter().copied());
    let files = files.filter_map(|(option, path)| Some((option, whole(path?))));
    let files: Vec<(&str, PathBuf)> = files.collect();
    for (at, (option, path)) in files.iter().enumerate() {
        if let Some((first, _)) = files[..at].iter().find(|(_, other)| other == path) {
            return Err(CommandError::SameFile {
                first,
                option,
                path: path.clone(),
            });
        }
    }
    Ok(())
}

/// The path without detours, as far as it exists.
fn whole(path: &Path) -> PathBuf {
    let beside = || {
        let folder = path.parent().filter(|folder| *folder != Path::new(""));
        let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
        Some(folder.join(path.file_name()?))
    };
    path.canonicalize()
        .ok()
        .or_else(beside)
        .unwrap_or_else(|| path.to_owned())
}

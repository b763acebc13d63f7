//! Files that are written must not be files that are read.

use std::path::{Path, PathBuf};

use registry::Destination;
use same_file::is_same_file;

use crate::address::Address;
use crate::error::CommandError;

/// A file of a command, and the option that names it.
type Named<'a> = (&'static str, Option<&'a Path>);

/// Refuses to write a file under two options, or over one that is read. Pipes and devices may be shared.
///
/// # Errors
/// The second of two options that name one file.
pub fn check(data: &Address, others: &[Named<'_>]) -> Result<(), CommandError> {
    let data = match data {
        Address::File(path) => Some(path.as_path()),
        Address::StandardInput => None,
    };
    let files = [("--data", data)].into_iter().chain(others.iter().copied());
    let files = files.filter_map(|(option, path)| Some((option, file(path?)?)));
    let files: Vec<(&str, PathBuf)> = files.collect();
    for (at, (option, path)) in files.iter().enumerate() {
        if let Some((first, _)) = files[..at].iter().find(|(_, other)| is_same(path, other)) {
            return Err(CommandError::SameFile {
                first,
                option,
                path: path.clone(),
            });
        }
    }
    Ok(())
}

/// The regular file that is or will be at the path.
fn file(path: &Path) -> Option<PathBuf> {
    match Destination::new(path) {
        Ok(Destination::File(file)) => Some(file),
        Ok(Destination::Stream(_)) => None,
        Err(_) => Some(path.to_owned()),
    }
}

/// Whether two paths without links lead to one file, which may have several names.
fn is_same(a: &Path, b: &Path) -> bool {
    a == b || is_same_file(a, b).unwrap_or(false)
}

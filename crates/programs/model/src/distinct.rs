//! Checks that output files are not input files.

use std::path::{Path, PathBuf};

use registry::Destination;
use same_file::is_same_file;

use crate::address::Address;
use crate::error::CommandError;

/// A file of a command, and the option that names it.
type Named<'a> = (&'static str, Option<&'a Path>);

/// Refuses to write a file under two options, or over an input. Pipes and devices may be shared.
///
/// # Errors
/// Returns an error that names the second of two options for one file.
pub fn check(data: &Address, others: &[Named<'_>]) -> Result<(), CommandError> {
    let data = match data {
        Address::File(path) => Some(path.as_path()),
        Address::StandardInput => None,
    };
    let options = [("--data", data)].into_iter().chain(others.iter().copied());
    let files: Vec<(&str, PathBuf)> = options
        .filter_map(|(option, path)| Some((option, file(path?)?)))
        .collect();
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

/// Returns the regular file that is or will be at the path.
fn file(path: &Path) -> Option<PathBuf> {
    match Destination::new(path) {
        Ok(Destination::File(file)) => Some(file),
        Ok(Destination::Stream(_)) => None,
        Err(_) => Some(path.to_owned()),
    }
}

/// Returns whether two paths without links lead to one file, which may have several names.
fn is_same(a: &Path, b: &Path) -> bool {
    a == b || is_same_file(a, b).unwrap_or(false)
}

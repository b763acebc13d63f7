//! The bytes of a file, unpacked if their first bytes show that they are packed.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use tables::{MAX_CONTENT, TableError};

use crate::digest::{self, Digest};
use crate::error::Result;
use crate::{DataError, Dataset};

/// The path that means standard input.
pub(crate) const STANDARD_INPUT: &str = "-";

/// The ends of names of files that are packed.
pub(crate) const PACKED: [&str; 4] = [".gz", ".bz2", ".xz", ".zst"];

/// One file in memory.
#[derive(Debug)]
pub(crate) struct Content {
    pub(crate) path: PathBuf,
    /// SHA-256 of the file as it lies on disk.
    pub(crate) sha256: String,
    /// The unpacked bytes.
    pub(crate) bytes: Vec<u8>,
}

impl Content {
    /// Reads and unpacks a file, or standard input if the path is `-`. Refuses content that is not a table, with any
    /// extension.
    pub(crate) fn load(path: &Path) -> Result<Self> {
        let (stored, path) = if path == Path::new(STANDARD_INPUT) {
            (drain(io::stdin().lock()), Path::new("standard input"))
        } else {
            (fs::read(path).map_err(TableError::from), path)
        };
        let checked = stored.and_then(|stored| {
            let sha256 = digest::sha256(&stored);
            let bytes = unpack(stored)?;
            tables::check_format(&bytes)?;
            Ok((sha256, bytes))
        });
        let (sha256, bytes) = checked.map_err(|error| DataError::of(path, error))?;
        Ok(Self {
            path: path.to_owned(),
            sha256,
            bytes,
        })
    }
}

/// Returns a data set as that of files with this many rows each.
pub(super) fn of_files(
    mut data: Dataset,
    files: &[Content],
    rows: &[usize],
    target: &str,
) -> Dataset {
    let digests: Vec<&str> = files.iter().map(|file| file.sha256.as_str()).collect();
    data.sha256 = digests.join("+");
    data.split = rows.first().copied().filter(|_| rows.len() > 1);
    data.target_name = Some(target.to_owned());
    data
}

/// Returns the file's name without the extension of its compression.
pub(crate) fn plain_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let plain = PACKED.iter().find_map(|suffix| name.strip_suffix(suffix));
    plain.unwrap_or(&name).to_owned()
}

/// Returns the first of the checksums that the file has, packed or unpacked: publishers pin either.
pub(crate) fn find_digest<'a>(path: &Path, digests: &[&'a Digest]) -> Result<Option<&'a Digest>> {
    let stored = fs::read(path).map_err(|error| DataError::of(path, error))?;
    // A file that cannot be unpacked has no content that could match.
    let content = unpack(stored.clone()).unwrap_or_default();
    let is_here = |digest: &&&Digest| digest.matches(&stored) || digest.matches(&content);
    Ok(digests.iter().find(is_here).copied())
}

fn unpack(stored: Vec<u8>) -> Result<Vec<u8>, TableError> {
    if tables::is_packed(&stored) {
        drain(tables::unpacked(stored.as_slice())?)
    } else {
        Ok(stored)
    }
}

/// Reads everything, up to a bound.
fn drain(input: impl Read) -> Result<Vec<u8>, TableError> {
    let mut bytes = Vec::new();
    input.take(MAX_CONTENT + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_CONTENT {
        return Err(TableError::new("more than 2 GiB unpacked"));
    }
    Ok(bytes)
}

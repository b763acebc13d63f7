//! The bytes of a file, unpacked if their first bytes show that they are packed.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use tables::{Fault, MAX_CONTENT};

use crate::DataError;
use crate::digest::{self, Digest};

/// The path that means standard input.
pub(crate) const STANDARD_INPUT: &str = "-";

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
    /// Reads and unpacks a file, or standard input if the path is `-`. Refuses files that are not tables.
    pub(crate) fn load(path: &Path) -> Result<Self, DataError> {
        let (stored, path) = if path == Path::new(STANDARD_INPUT) {
            (drain(io::stdin().lock()), Path::new("standard input"))
        } else {
            (fs::read(path).map_err(Fault::from), path)
        };
        let stored = stored.map_err(|fault| DataError::of(path, fault))?;
        let sha256 = digest::sha256(&stored);
        let bytes = unpack(stored).and_then(checked);
        let bytes = bytes.map_err(|fault| DataError::of(path, fault))?;
        Ok(Self {
            path: path.to_owned(),
            sha256,
            bytes,
        })
    }

    /// Returns the format's own extension: `csv` for `kc_house_data.csv.gz`, empty without one.
    pub(crate) fn extension(&self) -> String {
        let name = plain_name(&self.path);
        name.rsplit_once('.')
            .map_or(String::new(), |(_, extension)| extension.to_lowercase())
    }
}

/// The ends of names of files that are packed.
pub(crate) const PACKED: [&str; 4] = [".gz", ".bz2", ".xz", ".zst"];

/// Returns the file's name without the extension of its compression.
pub(crate) fn plain_name(path: &Path) -> String {
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let plain = PACKED.iter().find_map(|suffix| name.strip_suffix(suffix));
    plain.unwrap_or(&name).to_owned()
}

/// Returns the first of the checksums that the file has, packed or unpacked: publishers pin either.
pub(crate) fn find_digest<'a>(
    path: &Path,
    digests: &[&'a Digest],
) -> Result<Option<&'a Digest>, DataError> {
    let stored = fs::read(path).map_err(|error| DataError::of(path, Fault::from(error)))?;
    // A file that cannot be unpacked has no content that could match.
    let content = unpack(stored.clone()).unwrap_or_default();
    let is_here = |digest: &&&Digest| digest.matches(&stored) || digest.matches(&content);
    Ok(digests.iter().find(is_here).copied())
}

fn unpack(stored: Vec<u8>) -> Result<Vec<u8>, Fault> {
    if tables::is_packed(&stored) {
        drain(tables::unpacked(stored.as_slice())?)
    } else {
        Ok(stored)
    }
}

/// Returns the bytes, unless they are of a format that cannot be read, whatever the extension of the file is.
fn checked(bytes: Vec<u8>) -> Result<Vec<u8>, Fault> {
    tables::check_format(&bytes)?;
    Ok(bytes)
}

/// Reads everything, up to a bound.
fn drain(input: impl Read) -> Result<Vec<u8>, Fault> {
    let mut bytes = Vec::new();
    input.take(MAX_CONTENT + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_CONTENT {
        Err(Fault::new("more than 2 GiB unpacked"))
    } else {
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_name_that_says_how_a_file_is_packed_is_left_out() {
        for name in ["a.csv", "a.csv.gz", "a.csv.bz2", "a.csv.xz", "a.csv.zst"] {
            assert_eq!(plain_name(Path::new(name)), "a.csv");
        }
    }
}

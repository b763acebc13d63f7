//! The bytes of a file, unpacked if their first bytes say that they are packed.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use tables::{Fault, MAX_CONTENT};

use super::ReadError;
use crate::digest::{self, Digest};

/// What stands for standard input where a path is expected.
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
    /// Reads and unpacks a file, or standard input if the path is `-`.
    pub(crate) fn load(path: &Path) -> Result<Self, ReadError> {
        let (stored, path) = match path == Path::new(STANDARD_INPUT) {
            true => (drain(io::stdin().lock()), Path::new("standard input")),
            false => (fs::read(path).map_err(Fault::from), path),
        };
        let stored = stored.map_err(|fault| ReadError::of(path, fault))?;
        let sha256 = digest::sha256(&stored);
        let bytes = unpack(stored).map_err(|fault| ReadError::of(path, fault))?;
        Ok(Self {
            path: path.to_owned(),
            sha256,
            bytes,
        })
    }

    /// The format's own extension: `csv` for `kc_house_data.csv.gz`, empty where there is none.
    pub(crate) fn extension(&self) -> String {
        let name = plain_name(&self.path);
        name.rsplit_once('.')
            .map_or(String::new(), |(_, extension)| extension.to_lowercase())
    }
}

/// The file's name without `.gz` or `.bz2`.
pub(crate) fn plain_name(path: &Path) -> String {
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let plain = [".gz", ".bz2"]
        .iter()
        .find_map(|suffix| name.strip_suffix(suffix));
    plain.unwrap_or(&name).to_owned()
}

/// The first of the checksums that the file has, packed or unpacked: publishers pin either.
pub(crate) fn find_digest<'a>(
    path: &Path,
    digests: &[&'a Digest],
) -> Result<Option<&'a Digest>, ReadError> {
    let stored = fs::read(path).map_err(|error| ReadError::of(path, Fault::from(error)))?;
    // A file that cannot be unpacked has no content that could match.
    let content = unpack(stored.clone()).unwrap_or_default();
    let is_here = |digest: &&&Digest| digest.matches(&stored) || digest.matches(&content);
    Ok(digests.iter().find(is_here).copied())
}

fn unpack(stored: Vec<u8>) -> Result<Vec<u8>, Fault> {
    match tables::is_packed(&stored) {
        true => drain(tables::unpacked(stored.as_slice())?),
        false => Ok(stored),
    }
}

/// Everything, up to a bound.
fn drain(input: impl Read) -> Result<Vec<u8>, Fault> {
    let mut bytes = Vec::new();
    input.take(MAX_CONTENT + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > MAX_CONTENT {
        true => Err(Fault::Syntax("more than 2 GiB unpacked".to_owned())),
        false => Ok(bytes),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn packed_and_plain_bytes_are_told_apart_by_content() {
        let mut bzip = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        bzip.write_all(b"1 2 3").unwrap();
        for stored in [b"1 2 3".to_vec(), gzip(b"1 2 3"), bzip.finish().unwrap()] {
            assert_eq!(unpack(stored).unwrap(), b"1 2 3");
        }
    }

    #[test]
    fn a_cut_gzip_file_is_an_error_at_every_length() {
        let whole = gzip(b"some text worth packing");
        for length in 2..whole.len() {
            assert!(
                matches!(
                    unpack(whole[..length].to_vec()),
                    Err(Fault::Compressed { .. })
                ),
                "{length}"
            );
        }
    }
}

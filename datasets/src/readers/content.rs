//! The bytes of a file, unpacked if their first bytes say that they are packed.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use bzip2::read::MultiBzDecoder;
use flate2::read::MultiGzDecoder;

use super::{Fault, ReadError};
use crate::digest::{self, Digest};

/// Unpacked content beyond this (2 GiB) is refused: a small file can hold an endless one.
const MAX_CONTENT: u64 = 1 << 31;

/// What some editors put before UTF-8 text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// One file in memory.
#[derive(Debug)]
pub(crate) struct Content {
    pub(crate) path: PathBuf,
    /// SHA-256 of the file as it lies on disk.
    pub(crate) sha256: String,
    /// The unpacked bytes, without a byte order mark.
    pub(crate) bytes: Vec<u8>,
}

impl Content {
    /// Reads and unpacks a file.
    pub(crate) fn load(path: &Path) -> Result<Self, ReadError> {
        let stored = fs::read(path).map_err(|error| Fault::Io(error).of(path))?;
        let sha256 = digest::sha256(&stored);
        let mut bytes = unpack(stored).map_err(|fault| fault.of(path))?;
        if bytes.starts_with(BYTE_ORDER_MARK) {
            bytes.drain(..BYTE_ORDER_MARK.len());
        }
        Ok(Self {
            path: path.to_owned(),
            sha256,
            bytes,
        })
    }

    /// The content as text.
    pub(crate) fn text(&self) -> Result<&str, ReadError> {
        let bytes = &self.bytes;
        std::str::from_utf8(bytes).map_err(|error| {
            let before = &bytes[..error.valid_up_to()];
            Fault::NotText.at(
                &self.path,
                1 + before.iter().filter(|b| **b == b'\n').count() as u64,
            )
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
    let stored = fs::read(path).map_err(|error| Fault::Io(error).of(path))?;
    // A file that cannot be unpacked has no content that could match.
    let content = unpack(stored.clone()).unwrap_or_default();
    let is_here = |digest: &&&Digest| digest.matches(&stored) || digest.matches(&content);
    Ok(digests.iter().find(is_here).copied())
}

fn unpack(stored: Vec<u8>) -> Result<Vec<u8>, Fault> {
    match stored.as_slice() {
        [0x1f, 0x8b, ..] => drain(MultiGzDecoder::new(stored.as_slice()), "gzip"),
        [b'B', b'Z', b'h', b'1'..=b'9', ..] => {
            drain(MultiBzDecoder::new(stored.as_slice()), "bzip2")
        }
        _ => Ok(stored),
    }
}

fn drain(decoder: impl Read, codec: &'static str) -> Result<Vec<u8>, Fault> {
    let damaged = |error: io::Error| Fault::Compressed {
        codec,
        cause: error.to_string(),
    };
    let mut bytes = Vec::new();
    decoder
        .take(MAX_CONTENT + 1)
        .read_to_end(&mut bytes)
        .map_err(damaged)?;
    if bytes.len() as u64 > MAX_CONTENT {
        return Err(Fault::Compressed {
            codec,
            cause: "more than 2 GiB unpacked".to_owned(),
        });
    }
    Ok(bytes)
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

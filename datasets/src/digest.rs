//! Checksums of files: SHA-256, and MD5 where that is what a publisher pins.

use std::fmt;

use md5::Md5;
use serde::Deserialize;
use sha2::{Digest as _, Sha256};

use crate::DataError;
use crate::error::{Result, refuse};

/// The checksum a file is known by, written `sha256:<64 hex digits>` or `md5:<32 hex digits>`.
///
/// MD5 protects against a damaged or different file, not against an attacker; it is accepted because for
/// several benchmark files it is the only checksum the world agrees on.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Digest(String);

impl Digest {
    /// Returns whether `bytes` have this checksum.
    pub fn matches(&self, bytes: &[u8]) -> bool {
        match self.0.split_once(':') {
            Some(("md5", expected)) => hex(&Md5::digest(bytes)) == expected,
            _ => sha256(bytes) == self.0["sha256:".len()..],
        }
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for Digest {
    type Error = DataError;

    fn try_from(text: String) -> Result<Self> {
        let is_hex = |text: &str| text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        match text.split_once(':') {
            Some(("sha256", hex)) if hex.len() == 64 && is_hex(hex) => Ok(Self(text)),
            Some(("md5", hex)) if hex.len() == 32 && is_hex(hex) => Ok(Self(text)),
            _ => refuse!("`{text}` is not `sha256:` or `md5:` and lower-case hexadecimal digits"),
        }
    }
}

/// Returns the SHA-256 of `bytes` in lower-case hexadecimal.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_digests() {
        for text in [
            "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            "md5:900150983cd24fb0d6963f7d28e17f72",
        ] {
            assert!(Digest::try_from(text.to_owned()).unwrap().matches(b"abc"));
        }
        for text in [
            "",
            "sha256:",
            "md5:xyz",
            "sha1:00",
            "md5:D41D8CD98F00B204E9800998ECF8427E",
        ] {
            assert!(Digest::try_from(text.to_owned()).is_err(), "{text}");
        }
    }
}

//! The address of a table.

use std::ffi::OsString;
use std::fmt::{self, Display, Formatter};
use std::path::{Path, PathBuf};

/// The address of a table: a file, whose path need not be UTF-8, or standard input, which is written `-`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// A file, compressed or not.
    File(PathBuf),
    /// The output of another program.
    StandardInput,
}

impl Address {
    /// Returns the path of a file.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            Self::StandardInput => None,
        }
    }
}

impl From<OsString> for Address {
    fn from(text: OsString) -> Self {
        if text == "-" {
            Self::StandardInput
        } else {
            Self::File(text.into())
        }
    }
}

impl Display for Address {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "{}", path.display()),
            Self::StandardInput => f.write_str("standard input"),
        }
    }
}

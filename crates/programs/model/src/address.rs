//! Where a table is.

use std::ffi::OsString;
use std::fmt::{self, Display, Formatter};
use std::path::PathBuf;

/// Where a table is: a file, whose path need not be UTF-8, or standard input, which is written `-`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// A file, packed or not.
    File(PathBuf),
    /// What another program writes.
    StandardInput,
}

impl From<OsString> for Address {
    fn from(text: OsString) -> Self {
        match text == "-" {
            true => Self::StandardInput,
            false => Self::File(text.into()),
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

//! Where a table is.

use std::convert::Infallible;
use std::fmt::{self, Display, Formatter};
use std::path::PathBuf;
use std::str::FromStr;

/// Where a table is: a file, or standard input, which is written `-`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// A file, packed or not.
    File(PathBuf),
    /// What another program writes.
    StandardInput,
}

impl FromStr for Address {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match text {
            "-" => Self::StandardInput,
            path => Self::File(path.into()),
        })
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

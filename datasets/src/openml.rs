//! Data sets of OpenML by number: `openml:61`, or `openml:61@1` to state its version.
//!
//! A set lies in `<data folder>/openml/<number>/`: its description as OpenML's server has it, and the ARFF file that the description names, with
//! the checksum of the description. What is not there is downloaded (feature `fetch`), from the server that the variable `OPENML_SERVER` names, if
//! it is set.

mod description;

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use thiserror::Error;

use crate::readers::{ReadError, find_digest};
use crate::{TableOptions, TargetColumn};
use description::Description;

const PREFIX: &str = "openml:";
const DESCRIPTION: &str = "description.json";
const FILE: &str = "dataset.arff";

/// A data set of OpenML that cannot be opened.
#[derive(Debug, Error)]
pub enum OpenmlError {
    /// An address that is not a number.
    #[error(
        "`{0}` is not a data set of OpenML; write openml:ID or openml:ID@VERSION, with its number"
    )]
    Address(String),
    /// A file that is not in the data folder, and cannot be downloaded by this build.
    #[error(
        "`{address}` is not in `{}`, and this program is built without downloads; build it with the feature `fetch`, or put OpenML's \
         description ({DESCRIPTION}) and the ARFF file ({FILE}) into that folder", folder.display()
    )]
    NotBuilt {
        /// The address.
        address: String,
        /// Its folder.
        folder: PathBuf,
    },
    /// A file that could not be downloaded.
    #[cfg(feature = "fetch")]
    #[error(
        "`{address}` could not be fetched: {cause}; check the number and the connection and run the command again, or put OpenML's description \
         ({DESCRIPTION}) and the ARFF file ({FILE}) into `{}`", folder.display()
    )]
    Fetch {
        /// The address.
        address: String,
        /// Its folder.
        folder: PathBuf,
        /// What happened.
        cause: Box<crate::fetch::FetchError>,
    },
    /// A file that cannot be read.
    #[error(transparent)]
    Unreadable(Box<ReadError>),
    /// A description in another form.
    #[error("`{}` is not a description of OpenML ({cause}); move it away to fetch it again", path.display())]
    Description {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        cause: String,
    },
    /// Another version than the one that was asked for.
    #[error(
        "`{address}`: data set {id} of OpenML is version {found}; each version has a number of its own, which openml.org shows"
    )]
    Version {
        /// The address.
        address: String,
        /// The number.
        id: u64,
        /// The version.
        found: String,
    },
    /// A file with another checksum than that of the description.
    #[error("`{}` does not have the checksum of its description; move it away to fetch it again", .0.display())]
    Different(PathBuf),
    /// A data set without one default target.
    #[error("`{address}` has {targets} by default; choose one column with --target")]
    Target {
        /// The address.
        address: String,
        /// The targets in words.
        targets: String,
    },
}

/// The number of a data set, perhaps with its version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Openml {
    id: u64,
    version: Option<u64>,
}

/// A data set in the data folder.
pub(crate) struct Located {
    pub path: PathBuf,
    pub target: TargetColumn,
    /// Columns that identify rows or are to be ignored.
    pub drop: Vec<String>,
}

impl Openml {
    /// Reads an address; `None` if it is of another kind.
    pub(crate) fn read(address: &str) -> Option<Result<Self, OpenmlError>> {
        let number = address.strip_prefix(PREFIX)?;
        let parsed = number.parse();
        Some(parsed.map_err(|_| OpenmlError::Address(address.to_owned())))
    }

    /// Finds the file of the data set, which is downloaded if it is not there.
    pub(crate) fn locate(
        self,
        data_dir: &Path,
        target: Option<&TargetColumn>,
    ) -> Result<Located, OpenmlError> {
        let folder = data_dir.join("openml").join(self.id.to_string());
        let path = folder.join(DESCRIPTION);
        if !path.exists() {
            self.fetch_description(&folder)?;
        }
        let description = Description::load(&path)?;
        self.check_version(&description)?;
        let target = match target {
            Some(target) => target.clone(),
            None => TargetColumn::Named(self.default_target(&description)?),
        };
        let digest = description.digest(&path)?;
        let file = folder.join(FILE);
        if file.exists() {
            let found = find_digest(&file, &[&digest]);
            if found
                .map_err(|error| OpenmlError::Unreadable(Box::new(error)))?
                .is_none()
            {
                return Err(OpenmlError::Different(file));
            }
        } else {
            self.fetch_file(&folder, &description.url, &digest)?;
        }
        Ok(Located {
            path: file,
            drop: description.unused(&target),
            target,
        })
    }

    fn check_version(self, description: &Description) -> Result<(), OpenmlError> {
        let asked = self.version.map(|version| version.to_string());
        if asked.is_none_or(|asked| asked == description.version) {
            return Ok(());
        }
        Err(OpenmlError::Version {
            address: self.to_string(),
            id: self.id,
            found: description.version.clone(),
        })
    }

    fn default_target(self, description: &Description) -> Result<String, OpenmlError> {
        match &description.targets()[..] {
            [one] => Ok((*one).to_owned()),
            targets => Err(OpenmlError::Target {
                address: self.to_string(),
                targets: match targets {
                    [] => "no target".to_owned(),
                    several => format!("the targets {}", several.join(", ")),
                },
            }),
        }
    }

    #[cfg(not(feature = "fetch"))]
    fn fetch_description(self, folder: &Path) -> Result<(), OpenmlError> {
        Err(self.not_built(folder))
    }

    #[cfg(not(feature = "fetch"))]
    fn fetch_file(self, folder: &Path, _: &str, _: &crate::Digest) -> Result<(), OpenmlError> {
        Err(self.not_built(folder))
    }

    #[cfg(not(feature = "fetch"))]
    fn not_built(self, folder: &Path) -> OpenmlError {
        OpenmlError::NotBuilt {
            address: self.to_string(),
            folder: folder.to_owned(),
        }
    }
}

#[cfg(feature = "fetch")]
impl Openml {
    fn fetch_description(self, folder: &Path) -> Result<(), OpenmlError> {
        let server = std::env::var("OPENML_SERVER");
        let server = server.unwrap_or_else(|_| "https://www.openml.org".to_owned());
        let url = format!(
            "{}/api/v1/json/data/{}",
            server.trim_end_matches('/'),
            self.id
        );
        let fetched = crate::fetch::text(&url, &folder.join(DESCRIPTION));
        fetched.map_err(|cause| self.not_fetched(folder, cause))
    }

    fn fetch_file(
        self,
        folder: &Path,
        url: &str,
        digest: &crate::Digest,
    ) -> Result<(), OpenmlError> {
        let progress = crate::fetch::progress_bar(&self.to_string());
        let fetched = crate::fetch::download(url, &folder.join(FILE), &[digest], &progress);
        fetched.map_err(|cause| self.not_fetched(folder, cause))
    }

    fn not_fetched(self, folder: &Path, cause: crate::fetch::FetchError) -> OpenmlError {
        OpenmlError::Fetch {
            address: self.to_string(),
            folder: folder.to_owned(),
            cause: Box::new(cause),
        }
    }
}

impl Located {
    /// Adds the columns that are not features to the options; columns that the caller chose stay.
    pub(crate) fn options(&self, asked: &TableOptions) -> TableOptions {
        let mut options = asked.clone();
        if options.columns.is_empty() {
            options.drop.extend(self.drop.iter().cloned());
        }
        options
    }
}

impl FromStr for Openml {
    type Err = std::num::ParseIntError;

    fn from_str(number: &str) -> Result<Self, Self::Err> {
        let (id, version) = match number.split_once('@') {
            None => (number, None),
            Some((id, version)) => (id, Some(version.parse()?)),
        };
        Ok(Self {
            id: id.parse()?,
            version,
        })
    }
}

impl fmt::Display for Openml {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}", self.id)?;
        self.version
            .map_or(Ok(()), |version| write!(f, "@{version}"))
    }
}

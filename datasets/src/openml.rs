//! Data sets of OpenML by number: `openml:61`, or `openml:61@1` to state its version.
//!
//! A set lies in `<data folder>/openml/<number>/`: its description as OpenML's server has it, and the ARFF file that the description names, with
//! the checksum of the description. What is not there is downloaded (feature `fetch`), from the server that the variable `OPENML_SERVER` names, if
//! it is set.

mod description;

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::readers::find_digest;
use crate::{DataError, Digest, TargetColumn, Warning};
use description::Description;

const PREFIX: &str = "openml:";
const DESCRIPTION: &str = "description.json";
const FILE: &str = "dataset.arff";

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
    pub unused: Vec<String>,
    /// What is said about a set that OpenML has withdrawn.
    pub warning: Option<Warning>,
}

impl Openml {
    /// Reads an address; `None` if it is of another kind.
    pub(crate) fn read(address: &str) -> Option<Result<Self, DataError>> {
        let number = address.strip_prefix(PREFIX)?;
        let parsed = number.parse();
        Some(parsed.map_err(|_| {
            DataError::new(format!(
                "`{address}` is not a data set of OpenML; write openml:ID or openml:ID@VERSION, with its number"
            ))
        }))
    }

    /// Finds the file of the data set, which is downloaded if it is not there.
    pub(crate) fn locate(
        self,
        data_dir: &Path,
        target: Option<&TargetColumn>,
    ) -> Result<Located, DataError> {
        let folder = data_dir.join("openml").join(self.id.to_string());
        let path = folder.join(DESCRIPTION);
        if !path.exists() {
            self.fetch(&folder, DESCRIPTION, &self.description_url(), &[])?;
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
            if find_digest(&file, &[&digest])?.is_none() {
                return Err(DataError::new(format!(
                    "`{}` does not have the checksum of its description; move it away to fetch it again",
                    file.display()
                )));
            }
        } else {
            self.fetch(&folder, FILE, &description.url, &[&digest])?;
        }
        Ok(Located {
            path: file,
            unused: description.unused(&target),
            warning: self.warning(&description),
            target,
        })
    }

    fn check_version(self, description: &Description) -> Result<(), DataError> {
        if self
            .version
            .is_none_or(|asked| asked == description.version)
        {
            return Ok(());
        }
        Err(DataError::new(format!(
            "`{self}`: data set {} of OpenML is version {}; each version has a number of its own, which openml.org shows",
            self.id, description.version
        )))
    }

    fn warning(self, description: &Description) -> Option<Warning> {
        let status = description.status.as_deref()?;
        (status != "active").then(|| {
            Warning::new(format!(
                "`{self}` is {status} on OpenML; its page says why, and newer versions have numbers of their own"
            ))
        })
    }

    fn default_target(self, description: &Description) -> Result<String, DataError> {
        match &description.targets()[..] {
            [one] => Ok((*one).to_owned()),
            [] => Err(DataError::new(format!(
                "`{self}` has no target by default; choose one column with --target"
            ))),
            several => Err(DataError::new(format!(
                "`{self}` has the targets {} by default; choose one column with --target",
                several.join(", ")
            ))),
        }
    }

    fn description_url(self) -> String {
        let server = std::env::var("OPENML_SERVER");
        let server = server.unwrap_or_else(|_| "https://www.openml.org".to_owned());
        format!(
            "{}/api/v1/json/data/{}",
            server.trim_end_matches('/'),
            self.id
        )
    }

    #[cfg(feature = "fetch")]
    fn fetch(
        self,
        folder: &Path,
        name: &str,
        url: &str,
        accepted: &[&Digest],
    ) -> Result<(), DataError> {
        let fetched = crate::fetch::download(url, &folder.join(name), accepted);
        fetched.map_err(|error| {
            DataError::new(format!(
                "`{self}` could not be fetched: {error}; check the number and the connection and run the command again, or {}",
                by_hand(folder)
            ))
        })
    }

    #[cfg(not(feature = "fetch"))]
    fn fetch(self, folder: &Path, _: &str, _: &str, _: &[&Digest]) -> Result<(), DataError> {
        let text = format!(
            "`{self}` is not in `{}`, and this program is built without downloads; build it with the feature `fetch`, or {}",
            folder.display(),
            by_hand(folder)
        );
        Err(DataError::new(text))
    }
}

fn by_hand(folder: &Path) -> String {
    format!(
        "put OpenML's description ({DESCRIPTION}) and the ARFF file ({FILE}) into `{}`",
        folder.display()
    )
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

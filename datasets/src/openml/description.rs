//! The description of a data set, as OpenML's server has it.

use std::fs;
use std::path::Path;

use serde::de::Error;
use serde::{Deserialize, Deserializer};

use crate::{DataError, Digest, TargetColumn};

#[derive(Deserialize)]
struct Response {
    data_set_description: Description,
}

/// What is needed of a description.
#[derive(Debug, Deserialize)]
pub(super) struct Description {
    #[serde(deserialize_with = "number")]
    pub version: u64,
    pub status: Option<String>,
    pub url: String,
    md5_checksum: Option<String>,
    #[serde(default)]
    default_target_attribute: Names,
    #[serde(default)]
    row_id_attribute: Names,
    #[serde(default)]
    ignore_attribute: Names,
}

/// Reads a number that may be written as text.
fn number<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    let value = serde_json::Value::deserialize(from)?;
    let number = value
        .as_str()
        .map_or(value.as_u64(), |text| text.parse().ok());
    number.ok_or_else(|| D::Error::custom(format!("the version `{value}` is not a number")))
}

/// Names of columns: one text, separated by commas, or a list.
#[derive(Debug, Default, Deserialize)]
#[serde(untagged)]
enum Names {
    #[default]
    Nothing,
    Text(String),
    List(Vec<String>),
}

impl Names {
    fn iter(&self) -> Box<dyn Iterator<Item = &str> + '_> {
        match self {
            Self::Nothing => Box::new(std::iter::empty()),
            Self::Text(names) => Box::new(
                names
                    .split(',')
                    .map(str::trim)
                    .filter(|name| !name.is_empty()),
            ),
            Self::List(names) => Box::new(names.iter().map(String::as_str)),
        }
    }
}

impl Description {
    pub(super) fn load(path: &Path) -> Result<Self, DataError> {
        let wrong = |cause: &dyn std::fmt::Display| wrong(path, cause);
        let text = fs::read(path).map_err(|error| wrong(&error))?;
        let response: Response = serde_json::from_slice(&text).map_err(|error| wrong(&error))?;
        Ok(response.data_set_description)
    }

    pub(super) fn digest(&self, path: &Path) -> Result<Digest, DataError> {
        let digest = self.md5_checksum.as_ref();
        let digest = digest.and_then(|md5| format!("md5:{}", md5.to_lowercase()).parse().ok());
        digest.ok_or_else(|| wrong(path, &"it has no MD5 checksum of the file"))
    }

    pub(super) fn targets(&self) -> Vec<&str> {
        self.default_target_attribute.iter().collect()
    }

    /// Returns the columns that are not features, but for the target.
    pub(super) fn unused(&self, target: &TargetColumn) -> Vec<String> {
        let unused = self
            .row_id_attribute
            .iter()
            .chain(self.ignore_attribute.iter());
        let unused = unused.filter(|name| *target != TargetColumn::Named((*name).to_owned()));
        unused.map(str::to_owned).collect()
    }
}

fn wrong(path: &Path, cause: &dyn std::fmt::Display) -> DataError {
    DataError::new(format!(
        "`{}` is not a description of OpenML ({cause}); move it away to fetch it again",
        path.display()
    ))
}

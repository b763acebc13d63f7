//! The named data sets: what `manifest.toml`, built into the library, states about each.
//!
//! A set lies in `<data folder>/<name>/`, one file per entry, packed or not.

mod locate;
mod recipe;
mod verify;

use std::sync::LazyLock;

use serde::Deserialize;

pub use verify::{FileState, Known, verify};

use crate::readers::Format;
use crate::{DataError, Digest, TargetColumn, TaskKind};

static MANIFEST: LazyLock<Manifest> = LazyLock::new(|| {
    toml::from_str(include_str!("../manifest.toml"))
        .expect("the manifest is part of the source and a test parses it")
});

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    set: Vec<NamedSet>,
}

/// Returns every named set, in the manifest's order.
///
/// ```
/// let names: Vec<&str> = datasets::manifest::all().iter().map(|set| set.name.as_str()).collect();
/// assert!(names.contains(&"letter"));
/// ```
pub fn all() -> &'static [NamedSet] {
    &MANIFEST.set
}

/// Returns the set of this name, if it exists.
pub fn find(name: &str) -> Option<&'static NamedSet> {
    all().iter().find(|set| set.name == name)
}

pub(crate) fn names() -> Vec<&'static str> {
    all().iter().map(|set| set.name.as_str()).collect()
}

/// Returns the set of this name.
///
/// # Errors
/// Returns an error with the nearest names.
pub fn named(name: &str) -> Result<&'static NamedSet, DataError> {
    find(name).ok_or_else(|| {
        let nearest = forest_core::parameters::did_you_mean(name, names());
        let sets = names().join(", ");
        DataError::new(format!(
            "unknown data set `{name}`{nearest}; available: {sets}"
        ))
    })
}

/// One named data set: facts for people, and what is needed to fetch, check and read it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedSet {
    /// Its address.
    pub name: String,
    /// Its folder inside the data folder, if that is not its name: another set has the same files.
    pub folder: Option<String>,
    /// What it is, in one line.
    pub title: String,
    /// The task it is used for.
    pub task: TaskKind,
    /// Number of rows, train and test together.
    pub rows: usize,
    /// The standard split: this many rows, from the first, are for training. `None` where no standard exists.
    pub train: Option<usize>,
    /// Number of features after encoding.
    pub n_features: usize,
    /// Number of classes; `None` for regression.
    pub n_classes: Option<usize>,
    /// The licence, or what is known about it.
    pub licence: String,
    /// Where the data come from and who published them.
    pub source: String,
    /// What a reader of results has to know: order, preprocessing, open questions.
    pub note: String,
    pub(crate) format: Format,
    pub(crate) target: Option<TargetColumn>,
    #[serde(default)]
    pub(crate) target_transform: TargetTransform,
    pub(crate) features: Option<Vec<String>>,
    pub(crate) order_by: Option<String>,
    /// The files, training part first; for IDX images before their labels.
    pub files: Vec<SetFile>,
}

/// What is done to a regression target after reading.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum TargetTransform {
    #[default]
    None,
    /// The natural logarithm.
    Log,
}

/// One file of a set.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetFile {
    /// Its name in the set's folder, where `fetch` puts it. A packed copy may carry a further
    /// `.gz`, `.bz2`, `.xz` or `.zst`.
    pub name: String,
    /// Another name, under which a stand-in for the published file is known.
    pub stand_in: Option<String>,
    /// Addresses to fetch it from, best first; empty when it cannot be downloaded in this form.
    #[serde(default)]
    pub urls: Vec<String>,
    /// Checksum of the published file, packed or unpacked, where one is pinned anywhere.
    pub upstream: Option<Digest>,
    /// Checksum of the copy that the numbers of this project were measured on, packed or unpacked.
    pub copy: Option<Digest>,
}

impl SetFile {
    /// Returns the checksums that make this file acceptable.
    pub(crate) fn digests(&self) -> Vec<&Digest> {
        self.upstream.iter().chain(&self.copy).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_can_be_checked_and_every_name_is_its_own() {
        let mut names: Vec<&str> = all().iter().map(|set| set.name.as_str()).collect();
        assert_eq!(names.len(), 11);
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), 11);
        for file in all().iter().flat_map(|set| &set.files) {
            assert!(!file.digests().is_empty(), "{}", file.name);
            assert!(
                file.urls.iter().all(|url| url.starts_with("http")),
                "{}",
                file.name
            );
        }
    }

    #[test]
    fn facts_agree_with_each_other() {
        for set in all() {
            assert_eq!(
                set.task == TaskKind::Classification,
                set.n_classes.is_some(),
                "{}",
                set.name
            );
            assert!(
                set.train.is_none_or(|train| train < set.rows),
                "{}",
                set.name
            );
            assert!(
                set.features
                    .as_ref()
                    .is_none_or(|names| names.len() == set.n_features),
                "{}",
                set.name
            );
        }
    }
}

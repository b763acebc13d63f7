//! The named data sets: what `manifest.toml`, built into the library, states about each.
//!
//! A set lies in `<data folder>/<name>/`, one file per entry, packed or not.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use serde::Deserialize;
use tables::TableOptions;

use crate::error::{Result, refuse};
use crate::readers::{PACKED, find_digest};
use crate::{Dataset, Digest, OpenOptions, Target, TaskKind};

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
pub fn named(name: &str) -> Result<&'static NamedSet> {
    let Some(set) = find(name) else {
        let nearest = forest_core::parameters::did_you_mean(name, names());
        let known = names().join(", ");
        refuse!("unknown data set `{name}`{nearest}; available: {known}");
    };
    Ok(set)
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
    target: Option<String>,
    /// Whether the natural logarithm of the target is learned.
    #[serde(default)]
    log_target: bool,
    features: Option<Vec<String>>,
    pub(crate) order_by: Option<String>,
    /// The files, training part first; for IDX images before their labels.
    pub files: Vec<SetFile>,
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

impl NamedSet {
    /// Returns the set's own folder.
    pub(crate) fn folder_in(&self, data_dir: &Path) -> PathBuf {
        data_dir.join(self.folder.as_ref().unwrap_or(&self.name))
    }

    /// Returns the file under its own name, plain or packed, or under the name of its stand-in.
    fn find(&self, data_dir: &Path, file: &SetFile) -> Option<PathBuf> {
        let ends = [""].into_iter().chain(PACKED);
        let names = ends.map(|end| format!("{}{end}", file.name));
        let names = names.chain(file.stand_in.clone());
        let mut paths = names.map(|name| self.folder_in(data_dir).join(name));
        paths.find(|path| path.exists())
    }

    /// Returns whether every file exists; their content is not checked.
    pub fn is_present(&self, data_dir: &Path) -> bool {
        let mut paths = self.files.iter().map(|file| self.find(data_dir, file));
        paths.all(|path| path.is_some())
    }

    /// Returns the paths of all files, in the manifest's order.
    pub(crate) fn locate(&self, data_dir: &Path) -> Result<Vec<PathBuf>> {
        let name = &self.name;
        if !data_dir.is_dir() {
            refuse!(
                "the data folder `{}` does not exist; set FOREST_DATA or --data-dir to the folder that holds \
                 `{name}/`, or run `cargo xtask-all data fetch {name}`",
                data_dir.display()
            );
        }
        let mut paths = Vec::new();
        for file in &self.files {
            let Some(path) = self.find(data_dir, file) else {
                refuse!(
                    "`{name}` needs `{}` in `{}`, which does not exist; run `cargo xtask-all data fetch {name}`, or \
                     point FOREST_DATA or --data-dir at the folder that holds `{name}/`",
                    file.name,
                    self.folder_in(data_dir).display()
                );
            };
            paths.push(path);
        }
        Ok(paths)
    }

    /// Returns the options for reading its files. The user's target, task and columns take precedence; options about
    /// the format of tables are ignored.
    pub(crate) fn options(&self, options: &OpenOptions) -> OpenOptions {
        let mut table = TableOptions {
            delimiter: None,
            header: None,
            comment: None,
            indices: None,
            decimal: None,
            thousands: None,
            encoding: None,
            ..options.table.clone()
        };
        if table.columns.is_empty() {
            table.columns = self.features.clone().unwrap_or_default();
        }
        let own_task = options.target.is_none().then_some(self.task);
        OpenOptions {
            data_dir: None,
            target: options.target.clone().or(self.target.clone()),
            task: options.task.or(own_task),
            table,
        }
    }

    /// Splits the rows as the manifest states, and transforms the set's own target; one that was chosen is left alone.
    pub(crate) fn finish(&self, data: &mut Dataset, is_own_target: bool) -> Result {
        let rows = data.rows();
        if rows != self.rows {
            refuse!(
                "{rows} rows instead of {}; run `cargo xtask data verify`",
                self.rows
            );
        }
        data.split = self.train;
        if is_own_target
            && self.log_target
            && let Target::Values { values, .. } = &mut data.target
        {
            for (row, value) in (1..).zip(values) {
                if *value <= 0.0 {
                    refuse!("row {row}: the target {value} has no logarithm");
                }
                *value = value.ln();
            }
        }
        Ok(())
    }
}

/// A file of a named set, compared with the manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileState {
    /// Not in the set's folder.
    Missing,
    /// Present, with the checksum of the published file.
    Published(PathBuf),
    /// Present, with the checksum of the copy that this project's numbers were measured on.
    Copy(PathBuf),
    /// Present, with a checksum the manifest does not know.
    Different(PathBuf),
}

/// Compares every file of a set with the manifest's checksums, in the manifest's order.
///
/// # Errors
/// Returns an error for a file that exists but cannot be read.
pub fn verify<'a>(set: &'a NamedSet, data_dir: &Path) -> Result<Vec<(&'a SetFile, FileState)>> {
    let mut states = Vec::new();
    for file in &set.files {
        let state = match set.find(data_dir, file) {
            None => FileState::Missing,
            Some(path) => match find_digest(&path, &file.digests())? {
                None => FileState::Different(path),
                digest if digest == file.upstream.as_ref() => FileState::Published(path),
                Some(_) => FileState::Copy(path),
            },
        };
        states.push((file, state));
    }
    Ok(states)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_can_be_checked_and_its_facts_agree_with_each_other() {
        let mut names: Vec<&str> = all().iter().map(|set| set.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!((names.len(), all().len()), (11, 11));
        for set in all() {
            let name = &set.name;
            let features = set.features.as_ref();
            assert_eq!(
                set.task == TaskKind::Classification,
                set.n_classes.is_some(),
                "{name}"
            );
            assert!(set.train.is_none_or(|train| train < set.rows), "{name}");
            assert!(
                features.is_none_or(|names| names.len() == set.n_features),
                "{name}"
            );
            for file in &set.files {
                assert!(!file.digests().is_empty(), "{}", file.name);
                assert!(
                    file.urls.iter().all(|url| url.starts_with("http")),
                    "{}",
                    file.name
                );
            }
        }
    }
}

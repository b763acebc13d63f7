//! Where the files of a named set lie.

use std::fs;
use std::path::{Path, PathBuf};

use super::{NamedSet, SetFile};
use crate::DataError;
use crate::readers::PACKED;

impl NamedSet {
    /// Returns the paths of all files, in the manifest's order.
    pub(crate) fn locate(&self, data_dir: &Path) -> Result<Vec<PathBuf>, DataError> {
        let name = &self.name;
        if !data_dir.is_dir() {
            return Err(DataError::new(format!(
                "the data folder `{}` does not exist; set FOREST_DATA or --data-dir to the folder that holds `{name}/`, or run \
                 `cargo xtask data fetch {name}`",
                data_dir.display()
            )));
        }
        let missing = |file: &SetFile| {
            DataError::new(format!(
                "`{name}` needs `{}` in `{}`, which does not exist; run `cargo xtask data fetch {name}`, or point FOREST_DATA or \
                 --data-dir at the folder that holds `{name}/`",
                file.name,
                self.folder(data_dir).display()
            ))
        };
        let find = |file| self.find(data_dir, file).ok_or_else(|| missing(file));
        self.files.iter().map(find).collect()
    }

    /// Returns whether every file exists; their content is not checked.
    pub fn is_present(&self, data_dir: &Path) -> bool {
        self.files
            .iter()
            .all(|file| self.find(data_dir, file).is_some())
    }

    /// Returns the set's own folder.
    pub(crate) fn folder(&self, data_dir: &Path) -> PathBuf {
        data_dir.join(self.folder.as_ref().unwrap_or(&self.name))
    }

    /// Returns the file under its own name, plain or packed, or under the name of its stand-in.
    pub(crate) fn find(&self, data_dir: &Path, file: &SetFile) -> Option<PathBuf> {
        let ends = [""].into_iter().chain(PACKED);
        let packed = ends.map(|end| format!("{}{end}", file.name));
        let names = packed.chain(file.stand_in.clone());
        let mut paths = names.map(|name| self.folder(data_dir).join(name));
        paths.find(|path| fs::exists(path).unwrap_or(false))
    }
}

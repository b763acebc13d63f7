//! Snapshots of shards, and markers of complete checkpoints.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use registry::NewFile;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::CheckpointError;

/// The checkpoints in a folder: a snapshot of each shard, named by the rows that were read before it, and a marker once all
/// shards have saved theirs and everything else is on disk.
///
/// The protocol: every shard saves its snapshot at [`path`](Self::path) after the same row (by a file that appears when it is
/// complete); then the first process flushes what else it has written, such as predictions, and
/// [commits](Self::commit) the rows, with a note of how much that was. A resumed run takes the newest rows that are
/// committed and of which all shards have a snapshot; the other output is truncated to the note.
///
/// The folder may be shared by all processes, or be one on each machine: markers are in that of the first process.
#[derive(Clone, Debug)]
pub struct Checkpoints {
    folder: PathBuf,
    shard: usize,
    of: usize,
}

/// A marker: everything before it is on disk.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Committed<N> {
    /// The number of rows that were read.
    pub rows: u64,
    /// Number of shards.
    pub shards: usize,
    /// What was written besides.
    pub note: N,
}

impl Checkpoints {
    /// Opens those of shard number `shard` of `of` in a folder, which is created if it is missing.
    ///
    /// # Errors
    /// Returns an error of the file system.
    pub fn open(
        folder: impl AsRef<Path>,
        shard: usize,
        of: usize,
    ) -> Result<Self, CheckpointError> {
        let folder = folder.as_ref();
        fs::create_dir_all(folder).map_err(CheckpointError::new("make", folder))?;
        Ok(Self {
            folder: folder.to_owned(),
            shard,
            of,
        })
    }

    /// Returns the folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the number of this shard.
    pub fn shard(&self) -> usize {
        self.shard
    }

    /// Returns the number of shards.
    pub fn of(&self) -> usize {
        self.of
    }

    /// Returns the file of this shard's snapshot after `rows` rows.
    pub fn path(&self, rows: u64) -> PathBuf {
        self.path_of(self.shard, rows)
    }

    /// Returns the file of the snapshot of shard `shard`.
    pub fn path_of(&self, shard: usize, rows: u64) -> PathBuf {
        let of = self.of;
        self.folder
            .join(format!("rows-{rows:015}-shard-{shard}-of-{of}.model"))
    }

    fn marker(&self, rows: u64) -> PathBuf {
        let of = self.of;
        self.folder
            .join(format!("rows-{rows:015}-of-{of}.committed"))
    }

    /// Commits: all shards have their snapshot after `rows` rows, and `note` describes what else is on disk.
    ///
    /// # Errors
    /// Returns an error of the file system.
    pub fn commit(&self, rows: u64, note: impl Serialize) -> Result<(), CheckpointError> {
        let (path, shards) = (self.marker(rows), self.of);
        let committed = Committed { rows, shards, note };
        let write = || {
            let mut file = NewFile::create(&path)?;
            file.write_all(&serde_json::to_vec(&committed)?)?;
            file.commit()
        };
        write().map_err(CheckpointError::new("write", &path))
    }

    /// Returns the checkpoints that as many shards committed, the newest first. A marker that cannot be read is skipped.
    ///
    /// # Errors
    /// Returns an error of the file system.
    pub fn committed<N: DeserializeOwned>(&self) -> Result<Vec<Committed<N>>, CheckpointError> {
        let all = Self::all_committed(&self.folder)?;
        Ok(all
            .into_iter()
            .filter(|found| found.shards == self.of)
            .collect())
    }

    /// Returns the checkpoints that any number of shards committed in a folder, the newest first.
    ///
    /// # Errors
    /// Returns an error of the file system.
    pub fn all_committed<N: DeserializeOwned>(
        folder: &Path,
    ) -> Result<Vec<Committed<N>>, CheckpointError> {
        let of_markers = files(folder, ".committed")?.into_iter();
        let read = |path: PathBuf| serde_json::from_reader(File::open(path).ok()?).ok();
        let mut committed: Vec<Committed<N>> = of_markers.filter_map(read).collect();
        committed.sort_by_key(|found| std::cmp::Reverse(found.rows));
        Ok(committed)
    }

    /// Removes this shard's snapshots before `rows`, their markers, and what a killed process has left there.
    ///
    /// # Errors
    /// Returns an error of the file system.
    pub fn remove_before(&self, rows: u64) -> Result<(), CheckpointError> {
        let own = format!("-shard-{}-of-{}.model", self.shard, self.of);
        let markers = format!("-of-{}.committed", self.of);
        // Markers first, so that a marker never outlives its snapshots.
        let markers = (self.shard == 0)
            .then(|| files(&self.folder, &markers))
            .transpose()?;
        let models = files(&self.folder, &own)?.into_iter();
        let paths = markers.into_iter().flatten().chain(models);
        let old = paths.filter(|path| rows_of(path).is_some_and(|found| found < rows));
        old.chain(self.unfinished(&own)?)
            .try_for_each(|path| remove(&path))
    }

    /// Removes snapshots that this shard has not completed.
    fn unfinished(&self, own: &str) -> Result<Vec<PathBuf>, CheckpointError> {
        let mut paths = files(&self.folder, ".unfinished")?;
        paths.retain(|path| path.to_str().is_some_and(|name| name.contains(own)));
        Ok(paths)
    }
}

/// Returns the rows in the name of a file.
fn rows_of(path: &Path) -> Option<u64> {
    let name = path.file_name()?.to_str()?.strip_prefix("rows-")?;
    name.split('-').next()?.parse().ok()
}

fn files(folder: &Path, end: &str) -> Result<Vec<PathBuf>, CheckpointError> {
    let read = || {
        let entries = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
        entries.collect::<io::Result<Vec<_>>>()
    };
    let mut paths = read().map_err(CheckpointError::new("read", folder))?;
    paths.retain(|path| path.to_str().is_some_and(|name| name.ends_with(end)));
    Ok(paths)
}

/// Removes a file, which another shard may have removed already.
fn remove(path: &Path) -> Result<(), CheckpointError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(CheckpointError::new("remove", path)(error))
        }
        _ => Ok(()),
    }
}

//! The folder of a comparison: a new or a resumed one, whose runs are never lost.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, ensure};
use evaluation::files::make_folder;
use evaluation::notice::print_line;
use evaluation::record::{Host, Record};
use evaluation::{RunLog, host, read_records};
use file_lock::{Lock, LockError};

use super::args::Args;

const RUNS: &str = "runs.jsonl";

/// Folders of comparisons without `--out`.
const RESULTS: &str = "results";

/// The folder of runs and report, with its earlier runs. It is locked while this lives.
pub(super) struct Folder {
    pub path: PathBuf,
    pub finished: Vec<Record>,
    _lock: Lock,
}

impl Folder {
    /// Opens the named folder, which must not contain runs unless it is resumed; else makes a dated one.
    pub(super) fn choose(args: &Args) -> Result<Self> {
        let path = match &args.out {
            Some(path) => path.clone(),
            None => new_dated(Path::new(RESULTS))?,
        };
        let lock = lock(&path)?;
        let runs = runs(&path);
        let finished = if runs.is_file() {
            read_records(&runs)?
        } else {
            Vec::new()
        };
        ensure!(
            args.resume || finished.is_empty(),
            "{} has {} runs already; add --resume to run only what is missing, name another --out, or leave \
             --out away for a folder with the date (such as {})",
            path.display(),
            finished.len(),
            dated(Path::new(RESULTS)).display()
        );
        Ok(Self {
            path,
            finished,
            _lock: lock,
        })
    }

    /// Returns the path of the file of runs.
    pub(super) fn open_log(&self) -> Result<RunLog> {
        Ok(RunLog::open(&runs(&self.path))?)
    }

    /// Warns if some earlier runs do not record which rows they learned.
    pub(super) fn remark_unknown_rows(&self) {
        let known = |record: &&Record| record.setting.names_its_rows();
        let unknown = self.finished.len() - self.finished.iter().filter(known).count();
        if unknown > 0 {
            print_line(&format!(
                "{unknown} of the earlier runs are of an older version, which did not record the rows that were learned: \
                 they are not continued, and have tables of their own"
            ));
        }
    }

    /// Warns if the earlier runs are of another revision.
    pub(super) fn remark_revision(&self, host: &Host) {
        let others = self.finished.iter();
        let others = others.filter(|record| record.host.revision != host.revision);
        let Some(other) = others.clone().next() else {
            return;
        };
        let (count, theirs, ours) = (others.count(), &other.host.revision, &host.revision);
        print_line(&format!(
            "{count} of the earlier runs are of revision {theirs}, new ones are of {ours}"
        ));
    }
}

pub(super) fn runs(folder: &Path) -> PathBuf {
    folder.join(RUNS)
}

/// Makes the folder if it does not exist, and locks it against other comparisons.
pub(super) fn lock(folder: &Path) -> Result<Lock> {
    make_folder(folder)?;
    Lock::beside(&runs(folder)).map_err(|error| match error {
        LockError::Held(holder) => anyhow!(
            "{holder} writes a comparison to {}; wait until it has ended, or name another --out",
            folder.display()
        ),
        other => anyhow!(other).context(format!("cannot write to {}", folder.display())),
    })
}

fn dated(results: &Path) -> PathBuf {
    results.join(format!("compare-{}", host::stamp()))
}

/// Makes a folder with the date; the second within a second ends in `-2`.
fn new_dated(results: &Path) -> Result<PathBuf> {
    make_folder(results)?;
    let path = dated(results);
    let (mut free, mut number) = (path.clone(), 1);
    loop {
        match fs::create_dir(&free) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
            made => {
                made.with_context(|| format!("cannot make the folder {}", free.display()))?;
                return Ok(free);
            }
        }
        free = PathBuf::from(format!("{}-{number}", path.display()));
    }
}

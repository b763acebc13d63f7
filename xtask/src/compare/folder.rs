//! The folder of a comparison: a new one, or one that is resumed. No run that is in it is lost.

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use evaluation::record::{Host, Record};
use evaluation::{RunLog, host, read_records};

use super::args::Args;
use evaluation::notice::print_line;

const RUNS: &str = "runs.jsonl";

/// Where runs and report go, and the runs that are there already.
pub struct Folder {
    pub path: PathBuf,
    pub finished: Vec<Record>,
}

impl Folder {
    /// The one that is named, which must be without runs unless it is resumed; else a dated one.
    pub fn choose(args: &Args) -> Result<Self> {
        let dated = || PathBuf::from(format!("results/compare-{}", host::stamp()));
        let path = args.out.clone().unwrap_or_else(dated);
        let runs = path.join(RUNS);
        let finished = match runs.is_file() {
            true => read_records(&runs)?,
            false => Vec::new(),
        };
        ensure!(
            args.resume || finished.is_empty(),
            "{} has {} runs already; add --resume to run only what is missing, name another --out, or leave \
             --out away for a folder with the date (such as {})",
            path.display(),
            finished.len(),
            dated().display()
        );
        Ok(Self { path, finished })
    }

    /// The file of runs, in a folder that is made now.
    pub fn open_log(&self) -> Result<RunLog> {
        Ok(RunLog::open(&runs(&self.path))?)
    }

    /// Says so if some runs of before do not say which rows they learned.
    pub fn remark_unknown_rows(&self) {
        let known = |record: &&Record| record.setting.names_its_rows();
        let unknown = self.finished.len() - self.finished.iter().filter(known).count();
        if unknown > 0 {
            print_line(&format!(
                "{unknown} of the runs of before are of an older version, which did not record the rows that were learned: \
                 they are not continued, and have tables of their own"
            ));
        }
    }

    /// Says so if the runs of before are of another revision.
    pub fn remark_revision(&self, host: &Host) {
        let others = self.finished.iter();
        let others = others.filter(|record| record.host.revision != host.revision);
        let Some(other) = others.clone().next() else {
            return;
        };
        let (count, theirs, ours) = (others.count(), &other.host.revision, &host.revision);
        print_line(&format!(
            "{count} of the runs of before are of revision {theirs}, those to come of {ours}"
        ));
    }
}

pub fn runs(folder: &Path) -> PathBuf {
    folder.join(RUNS)
}

//! Records of an item: `<out>/<paper>/<item>/runs.jsonl`, and beside the pages a copy of those that they are made of, all of a
//! paper in one file.

use std::path::{Path, PathBuf};

use comparison::files::FileError;
use comparison::{RunLog, read_records, write_packed};

use crate::item::Item;
use crate::record::{Outcome, Record, Scale, Task};

/// The records of a paper's pages, beside them.
pub(crate) const OF_PAGES: &str = "runs.jsonl.gz";

/// Finished runs, which survive if the program is killed.
#[derive(Debug)]
pub(crate) struct Log {
    path: PathBuf,
    file: Option<RunLog>,
    pub records: Vec<Record>,
}

impl Log {
    /// Opens the log of finished runs.
    pub(crate) fn open_runs(out: &Path, item: &Item) -> Result<Self, FileError> {
        Self::read(out.join(&item.paper).join(&item.name).join("runs.jsonl"))
    }

    /// Opens the records that the page of an item was made of.
    pub(crate) fn open_page(pages: &Path, item: &Item) -> Result<Self, FileError> {
        let mut log = Self::read(pages.join(&item.paper).join(OF_PAGES))?;
        let address = item.address();
        log.records.retain(|record| record.task.item == address);
        Ok(log)
    }

    /// Replaces the records that the page of an item is made of. Those of the other scale, and of the paper's other pages, stay.
    pub(crate) fn write_of_page(
        pages: &Path,
        item: &Item,
        scale: Scale,
        records: &[&Record],
    ) -> Result<(), FileError> {
        let log = Self::read(pages.join(&item.paper).join(OF_PAGES))?;
        let address = item.address();
        let is_other = |record: &&Record| record.task.item != address || record.task.scale != scale;
        let others = log.records.iter().filter(is_other);
        let mut all: Vec<&Record> = others.chain(records.iter().copied()).collect();
        let place = |record: &Record| (record.task.item.clone(), record.task.scale);
        all.sort_by_cached_key(|record| place(record));
        write_packed(&log.path, all)
    }

    fn read(path: PathBuf) -> Result<Self, FileError> {
        let records = if path.is_file() {
            read_records(&path)?
        } else {
            Vec::new()
        };
        let file = None;
        Ok(Self {
            path,
            file,
            records,
        })
    }

    /// Returns the record of a successful run.
    pub(crate) fn find(&self, task: &Task) -> Option<&Record> {
        let finished = |record: &&Record| matches!(record.outcome, Outcome::Rows(_));
        let mut records = self.records.iter().filter(finished);
        records.find(|record| record.task == *task)
    }

    /// Returns the last record of a run, failed or not.
    pub(crate) fn latest(&self, task: &Task) -> Option<&Record> {
        let last = || self.records.iter().rev().find(|r| r.task == *task);
        self.find(task).or_else(last)
    }

    /// Appends a record. The first call creates or repairs the file.
    pub(crate) fn append(&mut self, record: Record) -> Result<(), FileError> {
        let file = match self.file.take() {
            Some(file) => file,
            None => RunLog::open(&self.path)?,
        };
        self.file.insert(file).append(&record)?;
        self.records.push(record);
        Ok(())
    }
}

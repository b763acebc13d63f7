//! The records of an item: `<out>/<paper>/<item>/runs.jsonl`, and a copy of those that a page is made of beside the page.

use std::path::{Path, PathBuf};

use results::files::FileError;
use results::{RunLog, read_records};

use crate::item::Item;
use crate::record::{Outcome, Record, Task};

/// What has been run, and stays so when the program is killed.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    file: Option<RunLog>,
    pub records: Vec<Record>,
}

impl Log {
    /// What has been run.
    pub fn of_runs(out: &Path, item: &Item) -> Result<Self, FileError> {
        Self::read(out.join(&item.paper).join(&item.name).join("runs.jsonl"))
    }

    /// What the page of an item was made of, whoever ran it.
    pub fn of_page(pages: &Path, item: &Item) -> Result<Self, FileError> {
        let file = format!("{}.jsonl", item.name);
        Self::read(pages.join(&item.paper).join(file))
    }

    fn read(path: PathBuf) -> Result<Self, FileError> {
        let records = match path.is_file() {
            true => read_records(&path)?,
            false => Vec::new(),
        };
        let file = None;
        Ok(Self {
            path,
            file,
            records,
        })
    }

    /// The record of a run that ended well.
    pub fn find(&self, task: &Task) -> Option<&Record> {
        let finished = |record: &&Record| matches!(record.outcome, Outcome::Rows(_));
        let mut records = self.records.iter().filter(finished);
        records.find(|record| record.task == *task)
    }

    /// The last record of a run, failed or not.
    pub fn latest(&self, task: &Task) -> Option<&Record> {
        let last = || self.records.iter().rev().find(|r| r.task == *task);
        self.find(task).or_else(last)
    }

    /// Writes a record down. The file is made, or repaired, for the first one.
    pub fn append(&mut self, record: Record) -> Result<(), FileError> {
        let file = match self.file.take() {
            Some(file) => file,
            None => RunLog::open(&self.path)?,
        };
        self.file.insert(file).append(&record)?;
        self.records.push(record);
        Ok(())
    }
}

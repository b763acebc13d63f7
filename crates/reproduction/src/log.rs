//! `<out>/<paper>/<item>/runs.jsonl`: what has been run, and stays so when the program is killed. A page has a copy
//! of the records it is made of.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::item::Item;
use crate::record::{Outcome, Record, Task};
use evaluation::files;

/// The records of an item.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    pub records: Vec<Record>,
}

impl Log {
    /// What has been run.
    pub fn open(out: &Path, item: &Item) -> Result<Self> {
        Self::read(out.join(&item.paper).join(&item.name).join("runs.jsonl"))
    }

    /// What the page of an item was made of, whoever ran it.
    pub fn of_page(pages: &Path, item: &Item) -> Result<Self> {
        let file = format!("{}.jsonl", item.name);
        Self::read(pages.join(&item.paper).join(file))
    }

    /// Reads what is there. A last line without an end is that of a program that was killed: it is cut off.
    fn read(path: PathBuf) -> Result<Self> {
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            text => text.with_context(|| format!("cannot read {}", path.display()))?,
        };
        let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
        if whole.len() < text.len() {
            files::write_atomically(&path, whole.as_bytes())?;
        }
        let records = whole.lines().enumerate().map(|(number, line)| {
            let place = || format!("{}, line {}", path.display(), number + 1);
            let help = "move the file away to run the item anew";
            serde_json::from_str(line).with_context(|| format!("{}; {help}", place()))
        });
        let records = records.collect::<Result<_>>()?;
        Ok(Self { path, records })
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

    /// Writes a line with one call, so that an interruption leaves whole lines.
    pub fn append(&mut self, record: Record) -> Result<()> {
        if let Some(folder) = self.path.parent() {
            files::make_folder(folder)?;
        }
        let line = format!("{}\n", serde_json::to_string(&record)?);
        let file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&self.path);
        let written = file.and_then(|mut file| file.write_all(line.as_bytes()));
        written.with_context(|| format!("cannot write {}", self.path.display()))?;
        self.records.push(record);
        Ok(())
    }
}

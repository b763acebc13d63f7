//! Tables on standard output and files in the folder, from finished runs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, ensure};
use comparison::folder::{Folder, lock, runs};
use comparison::metric::Metric;
use comparison::record::Record;
use comparison::report::{self, Index};
use comparison::{Completion, SetupError, host, read_records};
use datasets::TaskKind;

use super::args::Args;
use super::folder::in_options;
use super::missing;
use crate::terminal::print;
use comparison::notice::print_line;

/// A lock that the writer of the report holds until the program ends, so that it is written once.
static WRITING: Mutex<()> = Mutex::new(());

/// The noun for the runs of an interrupted comparison.
const BEFORE: &str = "runs before the interruption";

/// The folder to write, and the context of the runs.
#[derive(Clone)]
pub(super) struct Output {
    folder: PathBuf,
    metrics: Vec<Metric>,
    prints_tables: bool,
    index: Index,
}

impl Output {
    pub(super) fn new(args: &Args, folder: &Folder, index: Index) -> Self {
        Self {
            folder: folder.path.clone(),
            metrics: args.metrics.clone(),
            prints_tables: !args.json,
            index,
        }
    }

    /// Writes the report of the finished runs, whether or not these are all. It is the last output.
    pub(super) fn finish(&self, records: &[Record], completion: Completion) -> Result<()> {
        let writing = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
        match completion {
            Completion::Complete => self.write(records, true, "runs")?,
            Completion::Interrupted => self.write(records, false, BEFORE)?,
        }
        // The second Ctrl-C waits for this lock, so it does not write the report again.
        std::mem::forget(writing);
        Ok(())
    }

    /// Writes the same from the file of runs, while a run continues.
    pub(super) fn write_what_is_there(&self) -> Result<()> {
        let _writing = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
        let records = read_records(&runs(&self.folder))?;
        self.write(&records, false, BEFORE)
    }

    /// Prints the summary; `runs` is the noun for the runs.
    fn write(&self, records: &[Record], complete: bool, runs: &str) -> Result<()> {
        let sections = report::sections_by(records, &self.metrics);
        if self.prints_tables && !sections.is_empty() {
            print(&report::tables(&sections))?;
        }
        let seeds: BTreeSet<u64> = records.iter().map(|record| record.seed).collect();
        let index = Index {
            runs: records.len(),
            seeds: seeds.len() as u64,
            complete,
            ..self.index.clone()
        };
        for warning in report::write(&self.folder, index, &sections)? {
            print_line(&format!("warning: {warning}"));
        }
        let page = self.folder.join("report.html");
        print_line(&format!(
            "{} {runs}; report: {}",
            records.len(),
            page.display()
        ));
        Ok(())
    }
}

/// Implements `--report-from`: writes tables and report from files of runs, next to the first unless `--out` is set. Runs nothing.
///
/// The exit code is 1 if a part of the grid, or the end of a file, is missing: the report covers the rest, and states it.
pub(super) fn draw_again(files: &[PathBuf], args: &Args) -> Result<ExitCode> {
    let records = merged(files)?;
    let tasks: Vec<TaskKind> = records.iter().map(|record| record.setting.task).collect();
    SetupError::check_metrics(&args.metrics, &tasks).context("--metric")?;
    let beside = || files[0].parent().unwrap_or(Path::new("")).to_owned();
    let command = host::command(&["cargo", "xtask"]);
    let output = Output {
        folder: args.out.clone().unwrap_or_else(beside),
        metrics: args.metrics.clone(),
        prints_tables: !args.json,
        index: Index::of(&records, command).context("the file of runs is empty")?,
    };
    let _lock = lock(&output.folder).map_err(in_options)?;
    let damage = missing::damage(files, &records)?;
    let uneven = missing::seeds(&records);
    let remarks: Vec<&String> = damage.iter().chain(&uneven).collect();
    output.write(&records, remarks.is_empty(), "runs")?;
    for remark in remarks {
        print_line(&format!("warning: {remark}"));
    }
    Ok(ExitCode::from(u8::from(!damage.is_empty())))
}

/// Reads the runs of all files. A run that is in several files counts once.
fn merged(files: &[PathBuf]) -> Result<Vec<Record>> {
    let read = |file: &PathBuf| {
        let found: Vec<Record> = read_records(file)?;
        ensure!(!found.is_empty(), "{} has no runs", file.display());
        Ok(found)
    };
    let mut lists: Vec<Vec<Record>> = files.iter().map(read).collect::<Result<_>>()?;
    Ok(match lists.len() {
        1 => lists.remove(0),
        _ => in_order(&lists),
    })
}

/// Sorts the runs as a single comparison has them: sets, seeds and algorithms in the order of the parts, which alternate.
fn in_order(lists: &[Vec<Record>]) -> Vec<Record> {
    let longest = lists.iter().map(Vec::len).max().unwrap_or(0);
    let in_turn = (0..longest).flat_map(|turn| lists.iter().filter_map(move |list| list.get(turn)));
    let (mut records, mut settings, mut labels) = (Vec::new(), Vec::new(), Vec::new());
    for record in in_turn {
        if !records.contains(record) {
            records.push(record.clone());
        }
        if !settings.contains(&record.setting) {
            settings.push(record.setting.clone());
        }
        if !labels.contains(&record.label) {
            labels.push(record.label.clone());
        }
    }
    records.sort_by_cached_key(|record| {
        let setting = settings
            .iter()
            .position(|setting| *setting == record.setting);
        let label = labels.iter().position(|label| *label == record.label);
        (setting, record.seed, label)
    });
    records
}

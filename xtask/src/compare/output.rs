//! Tables on standard output and files in the folder, from finished runs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context as _, Result, ensure};
use comparison::files::{lock, runs};
use comparison::host::print_line;
use comparison::metric::Metric;
use comparison::record::Record;
use comparison::{Completion, GridPart, has_unfinished_line, read_records, report};

use super::args::Args;
use crate::terminal::{command_line, print};

/// A lock that the writer of the report holds until the program ends, so that it is written once.
static WRITING: Mutex<()> = Mutex::new(());

/// Where the report is written, and what its tables show.
#[derive(Clone)]
pub(super) struct Output {
    pub folder: PathBuf,
    pub metrics: Vec<Metric>,
    pub is_json: bool,
}

impl Output {
    /// Writes the report of the finished runs, whether or not these are all. It is the last output.
    pub(super) fn finish(&self, records: &[Record], completion: Completion) -> Result<()> {
        let writing = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
        self.write(records, completion)?;
        // The second Ctrl-C waits for this lock, so it does not write the report again.
        std::mem::forget(writing);
        Ok(())
    }

    /// Writes the same from the file of runs, while a run continues.
    pub(super) fn write_what_is_there(&self) -> Result<()> {
        let _writing = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
        self.write(&read_records(&runs(&self.folder))?, Completion::Interrupted)
    }

    fn write(&self, records: &[Record], completion: Completion) -> Result<()> {
        let sections = report::sections_by(records, &self.metrics);
        if !self.is_json && !sections.is_empty() {
            print(&report::tables(&sections))?;
        }
        let command = command_line();
        let warnings = report::write(&self.folder, records, &self.metrics, &command, completion)?;
        for warning in warnings {
            print_line(&format!("warning: {warning}"));
        }
        let (count, page) = (records.len(), self.folder.join("report.html"));
        let finished = match completion {
            Completion::Complete => "",
            Completion::Interrupted => "finished ",
        };
        print_line(&format!(
            "{count} {finished}runs; report: {}",
            page.display()
        ));
        Ok(())
    }
}

/// Implements `--report-from`: writes tables and report from files of runs, next to the first unless `--out` is set.
/// Runs nothing.
///
/// The exit code is 1 if a part of the grid, or the end of a file, is missing: the report covers the rest, and states
/// it.
pub(super) fn draw_again(args: Args) -> Result<ExitCode> {
    let files = &args.report_from;
    let (mut lists, mut damage): (Vec<Vec<Record>>, _) = (Vec::new(), Vec::new());
    for file in files {
        let (list, name) = (read_records(file)?, file.display());
        ensure!(!list.is_empty(), "{name} has no runs; leave it out");
        lists.push(list);
        if has_unfinished_line(file)? {
            damage.push(format!(
                "the last line of {name} is cut off: its run is left out; --resume repeats it"
            ));
        }
    }
    // Algorithms go to the parts of a grid in turn, and tables show them in that order. A run that is in several files
    // counts once.
    let (mut records, longest): (Vec<Record>, _) = (Vec::new(), lists.iter().map(Vec::len).max());
    for turn in 0..longest.unwrap_or(0) {
        for record in lists.iter().filter_map(|list| list.get(turn)) {
            if lists.len() == 1 || !records.contains(record) {
                records.push(record.clone());
            }
        }
    }
    if lists.len() > 1 {
        let mut places = BTreeMap::new();
        for record in &records {
            let next = places.len();
            places.entry(record.label.clone()).or_insert(next);
        }
        records.sort_by_key(|record| places[&record.label]);
    }
    let parts: Option<BTreeSet<GridPart>> = records.iter().map(|record| record.part).collect();
    let missing = parts.map_or(Vec::new(), |parts| GridPart::missing(&parts));
    if !missing.is_empty() {
        let names: Vec<String> = missing.iter().map(GridPart::to_string).collect();
        damage.push(format!(
            "no run is of part {}: the report is of the other parts; name all files",
            names.join(", ")
        ));
    }
    let tasks: Vec<_> = records.iter().map(|record| record.setting.task).collect();
    args.request.check_metrics(&tasks).context("--metric")?;
    let beside = || files[0].parent().unwrap_or(Path::new("")).to_owned();
    let output = Output {
        folder: args.request.out.unwrap_or_else(beside),
        metrics: args.request.metrics,
        is_json: args.json,
    };
    let _lock = lock(&output.folder)?;
    let mut completion = Completion::Complete;
    if !damage.is_empty() {
        completion = Completion::Interrupted;
    }
    output.write(&records, completion)?;
    for remark in &damage {
        print_line(&format!("warning: {remark}"));
    }
    Ok(u8::from(!damage.is_empty()).into())
}

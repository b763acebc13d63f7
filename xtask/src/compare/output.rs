//! Tables on standard output and files in the folder, from finished runs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context as _, Result, ensure};
use comparison::files::{lock, merged, runs};
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
        let count = records.len();
        let page = self.folder.join("report.html");
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
///
/// The exit code is 1 if a part of the grid, or the end of a file, is missing, which the report states.
pub(super) fn draw_again(args: Args) -> Result<ExitCode> {
    let files = &args.report_from;
    let mut lists = Vec::new();
    let mut damage = Vec::new();
    for file in files {
        let name = file.display();
        let list: Vec<Record> = read_records(file)?;
        ensure!(!list.is_empty(), "{name} has no runs; leave it out");
        lists.push(list);
        if has_unfinished_line(file)? {
            damage.push(format!(
                "the last line of {name} is cut off: its run is left out; --resume repeats it"
            ));
        }
    }
    let records = merged(&lists);
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
    if damage.is_empty() {
        output.write(&records, Completion::Complete)?;
        return Ok(ExitCode::SUCCESS);
    }
    output.write(&records, Completion::Interrupted)?;
    for remark in damage {
        print_line(&format!("warning: {remark}"));
    }
    Ok(ExitCode::FAILURE)
}

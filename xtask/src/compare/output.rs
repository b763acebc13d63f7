//! Tables on standard output and files in the folder, from finished runs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, ensure};
use comparison::folder::{lock, runs};
use comparison::host::print_line;
use comparison::number::counted;
use comparison::record::Record;
use comparison::report::{self, Index};
use comparison::{Completion, GridPart, SetupError, has_unfinished_line, host, read_records};
use datasets::TaskKind;

use super::args::{Args, in_options};
use crate::terminal::print;

/// A lock that the writer of the report holds until the program ends, so that it is written once.
static WRITING: Mutex<()> = Mutex::new(());

/// The noun for the runs of an interrupted comparison.
const BEFORE: &str = "runs before the interruption";

/// The folder to write, and the context of the runs.
#[derive(Clone)]
pub(super) struct Output {
    pub folder: PathBuf,
    pub args: Args,
    pub index: Index,
}

impl Output {
    /// Writes the report of the finished runs, whether or not these are all. It is the last output.
    pub(super) fn finish(&self, records: &[Record], completion: Completion) -> Result<()> {
        let writing = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
        let complete = completion == Completion::Complete;
        self.write(records, complete, if complete { "runs" } else { BEFORE })?;
        // The second Ctrl-C waits for this lock, so it does not write the report again.
        std::mem::forget(writing);
        Ok(())
    }

    /// Writes the same from the file of runs, while a run continues.
    pub(super) fn write_what_is_there(&self) -> Result<()> {
        let _writing = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
        self.write(&read_records(&runs(&self.folder))?, false, BEFORE)
    }

    /// Prints the summary; `runs` is the noun for the runs.
    fn write(&self, records: &[Record], complete: bool, runs: &str) -> Result<()> {
        let sections = report::sections_by(records, &self.args.metrics);
        if !self.args.json && !sections.is_empty() {
            print(&report::tables(&sections))?;
        }
        let seeds: BTreeSet<u64> = records.iter().map(|record| record.seed).collect();
        let (count, seeds) = (records.len(), seeds.len() as u64);
        let index = Index {
            runs: count,
            seeds,
            complete,
            ..self.index.clone()
        };
        for warning in report::write(&self.folder, index, &sections)? {
            print_line(&format!("warning: {warning}"));
        }
        let page = self.folder.join("report.html");
        print_line(&format!("{count} {runs}; report: {}", page.display()));
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
        args: args.clone(),
        index: Index::of(&records, command).context("the file of runs is empty")?,
    };
    let _lock = lock(&output.folder).map_err(in_options)?;
    let damage = damage(files, &records)?;
    let missing = missing_seeds(&records);
    output.write(&records, damage.is_empty() && missing.is_none(), "runs")?;
    for remark in damage.iter().chain(&missing) {
        print_line(&format!("warning: {remark}"));
    }
    Ok(ExitCode::from(u8::from(!damage.is_empty())))
}

/// Reads the runs of all files. A run that is in several files counts once.
///
/// They are sorted as a single comparison has them: sets, seeds and algorithms in the order of the parts, which alternate.
fn merged(files: &[PathBuf]) -> Result<Vec<Record>> {
    let mut lists: Vec<Vec<Record>> = Vec::new();
    for file in files {
        lists.push(read_records(file)?);
        let has_runs = lists.iter().all(|list| !list.is_empty());
        ensure!(has_runs, "{} has no runs", file.display());
    }
    if lists.len() == 1 {
        return Ok(lists.remove(0));
    }
    let longest = lists.iter().map(Vec::len).max().unwrap_or(0);
    let in_turn = (0..longest).flat_map(|turn| lists.iter().filter_map(move |list| list.get(turn)));
    let (mut found, mut settings, mut labels) = (Vec::new(), Vec::new(), Vec::new());
    for record in in_turn {
        if !found.iter().any(|(_, known)| *known == record) {
            let setting = place(&mut settings, &record.setting);
            let label = place(&mut labels, &record.label);
            found.push(((setting, record.seed, label), record));
        }
    }
    found.sort_by_key(|(key, _)| *key);
    Ok(found
        .into_iter()
        .map(|(_, record)| record.clone())
        .collect())
}

/// Returns the place of a value, which is added if it is new.
fn place<'a, T: PartialEq>(known: &mut Vec<&'a T>, value: &'a T) -> usize {
    let found = known.iter().position(|one| *one == value);
    found.unwrap_or_else(|| {
        known.push(value);
        known.len() - 1
    })
}

/// Describes files that are cut off, and missing parts of a grid.
fn damage(files: &[PathBuf], records: &[Record]) -> Result<Vec<String>> {
    let mut damage = Vec::new();
    for file in files {
        if has_unfinished_line(file)? {
            let file = file.display();
            damage.push(format!(
                "the last line of {file} is cut off: its run is left out; --resume repeats it"
            ));
        }
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
    Ok(damage)
}

/// Describes seeds that some algorithms of a setting lack.
fn missing_seeds(records: &[Record]) -> Option<String> {
    let (mut settings, mut found) = (Vec::new(), BTreeSet::new());
    for record in records {
        found.insert((
            place(&mut settings, &record.setting),
            &record.key,
            record.seed,
        ));
    }
    let mut expected = 0;
    for setting in 0..settings.len() {
        let own = found.iter().filter(|run| run.0 == setting);
        let (keys, seeds): (BTreeSet<_>, BTreeSet<_>) = own.map(|run| (run.1, run.2)).unzip();
        expected += keys.len() * seeds.len();
    }
    let missing = expected - found.len();
    (missing > 0).then(|| {
        let runs = counted(missing, "run");
        format!("{runs} missing: some algorithms lack seeds that others of the same set have; column n has the numbers")
    })
}

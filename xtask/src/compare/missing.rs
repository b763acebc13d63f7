//! Finds missing records for `--report-from`.

use std::collections::BTreeSet;
use std::path::PathBuf;

use anyhow::Result;
use comparison::number::counted;
use comparison::record::Record;
use comparison::{Part, has_unfinished_line};

/// Describes files that are cut off, and missing parts of a grid.
pub(super) fn damage(files: &[PathBuf], records: &[Record]) -> Result<Vec<String>> {
    let mut damage = Vec::new();
    for file in files {
        if has_unfinished_line(file)? {
            damage.push(format!(
                "the last line of {} is cut off: its run is left out; --resume repeats it",
                file.display()
            ));
        }
    }
    damage.extend(parts(records));
    Ok(damage)
}

/// Returns the parts without a run, if all runs are of parts.
fn parts(records: &[Record]) -> Option<String> {
    let parts: Option<BTreeSet<Part>> = records.iter().map(|record| record.part).collect();
    let missing = Part::missing(&parts?);
    let names: Vec<String> = missing.iter().map(ToString::to_string).collect();
    (!names.is_empty()).then(|| {
        let names = names.join(", ");
        format!("no run is of part {names}: the report is of the other parts; name all files")
    })
}

/// Describes seeds that some algorithms of a setting lack.
pub(super) fn seeds(records: &[Record]) -> Option<String> {
    let missing: usize = grouped(records, |one, other| one.setting == other.setting)
        .iter()
        .map(|setting| {
            let seeds =
                |runs: &[&Record]| -> BTreeSet<u64> { runs.iter().map(|run| run.seed).collect() };
            let all = seeds(setting).len();
            let algorithms = grouped(setting.iter().copied(), |one, other| {
                (&one.label, &one.params, one.trees) == (&other.label, &other.params, other.trees)
            });
            algorithms
                .iter()
                .map(|runs| all - seeds(runs).len())
                .sum::<usize>()
        })
        .sum();
    (missing > 0).then(|| {
        let runs = counted(missing, "run");
        format!("{runs} missing: some algorithms lack seeds that others of the same set have; column n has the numbers")
    })
}

/// Groups records that are alike, in the order in which they appear.
fn grouped<'a>(
    records: impl IntoIterator<Item = &'a Record>,
    alike: impl Fn(&Record, &Record) -> bool,
) -> Vec<Vec<&'a Record>> {
    let mut groups: Vec<Vec<&Record>> = Vec::new();
    for record in records {
        match groups.iter_mut().find(|group| alike(group[0], record)) {
            Some(group) => group.push(record),
            None => groups.push(vec![record]),
        }
    }
    groups
}

//! Finds missing records for `--report-from`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use anyhow::Result;
use comparison::number::counted;
use comparison::record::{Record, Setting};
use comparison::{GridPart, has_unfinished_line};

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
    let parts: Option<BTreeSet<GridPart>> = records.iter().map(|record| record.part).collect();
    let missing = GridPart::missing(&parts?);
    let names: Vec<String> = missing.iter().map(ToString::to_string).collect();
    (!names.is_empty()).then(|| {
        let names = names.join(", ");
        format!("no run is of part {names}: the report is of the other parts; name all files")
    })
}

/// Describes seeds that some algorithms of a setting lack.
pub(super) fn seeds(records: &[Record]) -> Option<String> {
    let mut seeds: Vec<(&Setting, BTreeMap<&str, BTreeSet<u64>>)> = Vec::new();
    for record in records {
        let known = seeds
            .iter()
            .position(|(setting, _)| **setting == record.setting);
        let place = known.unwrap_or_else(|| {
            seeds.push((&record.setting, BTreeMap::new()));
            seeds.len() - 1
        });
        seeds[place]
            .1
            .entry(&record.key)
            .or_default()
            .insert(record.seed);
    }
    let mut missing = 0;
    for (_, by_key) in &seeds {
        let all: BTreeSet<&u64> = by_key.values().flatten().collect();
        missing += by_key
            .values()
            .map(|own| all.len() - own.len())
            .sum::<usize>();
    }
    (missing > 0).then(|| {
        let runs = counted(missing, "run");
        format!("{runs} missing: some algorithms lack seeds that others of the same set have; column n has the numbers")
    })
}

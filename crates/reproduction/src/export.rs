//! Writes the rows of runs as files, so that learners of other programs learn and are tested on the same ones.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::path::Path;

use anyhow::Result;
use comparison::files::{make_folder, write_atomically};
use comparison::protocol::{Fold, Part};
use datasets::Target;

use crate::data::Library;
use crate::plan::Plan;
use crate::record::{LearnTask, Task, Work};

/// Writes `PANEL-SEED.train.csv` and `PANEL-SEED.test.csv` for each data set and seed of the plan; rows that do not depend on the
/// seed only for seed 0. The target is last, in a column named `class` (numbered from 0) or `number`.
pub(crate) fn rows(plan: &Plan, library: &Library, folder: &Path) -> Result<()> {
    make_folder(folder)?;
    let mut written = BTreeSet::new();
    for task in &plan.tasks {
        let Work::Learn(learn) = &task.work else {
            continue;
        };
        let seed = learn.data.split.draws().then_some(task.seed);
        if written.insert((&task.panel, &learn.data.address, seed)) {
            let stem = format!("{}-{}", task.panel, task.seed);
            write(task, learn, library, &folder.join(stem))?;
        }
        library.keep_only(|address| address == learn.data.address);
    }
    Ok(())
}

fn write(task: &Task, learn: &LearnTask, library: &Library, stem: &Path) -> Result<()> {
    let dataset = library.open(&learn.data.address)?;
    match &dataset.target {
        Target::Classes { labels, .. } => {
            let fold = learn.data.fold(&dataset, labels, labels, task.seed)?;
            write_fold(&fold, "class", stem)
        }
        Target::Values { .. } => {
            let (observed, truth) = learn.data.values(&dataset)?;
            let fold = learn.data.fold(&dataset, &observed, &truth, task.seed)?;
            write_fold(&fold, "number", stem)
        }
    }
}

fn write_fold<V: Copy + Display>(fold: &Fold<V>, target: &str, stem: &Path) -> Result<()> {
    let test = fold.test.truth.as_ref().unwrap_or(&fold.test.observed);
    let parts = [
        ("train", table(&fold.train, &fold.train.observed, target)?),
        ("test", table(&fold.test, test, target)?),
    ];
    for (part, table) in parts {
        write_atomically(
            &stem.with_added_extension(part).with_added_extension("csv"),
            &table,
        )?;
    }
    Ok(())
}

fn table<V: Display>(part: &Part<V>, targets: &[V], target: &str) -> Result<Vec<u8>> {
    let mut table = csv::Writer::from_writer(Vec::new());
    let names = (0..part.features.ncols()).map(|feature| format!("x{feature}"));
    table.write_record(names.chain([target.to_owned()]))?;
    for (row, target) in part.features.rows().into_iter().zip(targets) {
        let cells = row.iter().map(f32::to_string);
        table.write_record(cells.chain([target.to_string()]))?;
    }
    Ok(table.into_inner()?)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::item::Item;
    use crate::record::Scale;

    const ITEM: &str = r#"
        title = ""
        source = ""
        caption = ""
        metrics = ["rmse"]
        claim = []
        quick = { seeds = 2 }
        full = { seeds = 2 }
        data = [
            { name = "kept", address = "sine-product:n=8,test=2", scale = "none" },
            { name = "drawn", address = "sea:n=10,every=20", split = "random", train = 0.8, scale = "none" },
        ]
        algorithm = [{ name = "a", use = "mean" }, { name = "b", use = "mean" }]
    "#;

    #[test]
    fn rows_are_written_once_or_for_each_seed_that_draws_them_and_tests_are_without_noise() {
        let item: Item = toml::from_str(ITEM).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let plan = Plan::new(&item, Scale::Quick, None, folder.path()).unwrap();
        rows(&plan, &Library::new(folder.path()), folder.path()).unwrap();
        let read = |name: &str| fs::read_to_string(folder.path().join(name)).ok();
        assert_eq!(read("kept-1.test.csv"), None);
        assert_ne!(read("drawn-0.train.csv"), read("drawn-1.train.csv"));
        let drawn = read("drawn-1.train.csv").unwrap();
        assert!(drawn.starts_with("x0,x1,x2,class\n") && drawn.lines().count() == 9);
        let (train, test) = (read("kept-0.train.csv"), read("kept-0.test.csv"));
        let is_noisy = |part: Option<String>| {
            let part = part.unwrap();
            let noise = part.lines().skip(1).map(|line| {
                let numbers: Vec<f64> = line.split(',').map(|x| x.parse().unwrap()).collect();
                let truth = 10.0 * (std::f64::consts::PI * numbers[0] * numbers[1]).sin();
                (numbers.last().unwrap() - truth).abs()
            });
            noise.fold(0.0, f64::max) > 1e-5
        };
        assert!(is_noisy(train) && !is_noisy(test));
    }
}

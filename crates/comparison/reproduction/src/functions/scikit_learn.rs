//! Forests and neighbours of scikit-learn, by a script beside this file; left out where Python or the pinned packages are absent.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use ndarray::ArrayView2;

use super::{Arguments, Function, mean};
use crate::record::Row;

/// The accuracy on the standard test part, after the first `train` rows.
pub const SCIKIT_LEARN: Function = Function {
    name: "scikit-learn",
    parameters: &["panel", "series", "data", "train", "trees"],
    run: |arguments| {
        let data = arguments.classes()?;
        let folder = tempfile::tempdir()?;
        write(&folder.path().join("train.csv"), data.train())?;
        write(&folder.path().join("test.csv"), data.test())?;
        let answers = answers(arguments, folder.path())?;
        let truth = data.test().1;
        ensure!(
            answers.len() == truth.len(),
            "{} answers to {} rows",
            answers.len(),
            truth.len()
        );
        let right = answers.iter().zip(truth);
        let right = right.map(|(answer, label)| f64::from(u8::from(answer == label)));
        let row = Row::new(&arguments.text("panel")?, &arguments.text("series")?, None);
        Ok(vec![row.with("accuracy", mean(right))])
    },
};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/functions/scikit_learn.py");
const REQUIREMENTS: &str = "crates/comparison/reproduction/src/functions/scikit_learn.txt";

/// Why it cannot be run here, in a sentence.
pub fn missing() -> Option<String> {
    let found = python().arg("versions").output();
    match found {
        Ok(output) if output.status.success() => None,
        Ok(_) => Some(format!(
            "Python has not the packages of {REQUIREMENTS}: `python3 -m pip install -r {REQUIREMENTS}`"
        )),
        Err(_) => Some("Python is not there: `python3` cannot be started".to_owned()),
    }
}

fn python() -> Command {
    let mut python = Command::new("python3");
    python.arg(SCRIPT);
    python
}

/// A line for each row: the class, then the features.
fn write(path: &Path, (features, labels): (ArrayView2<'_, f32>, &[u32])) -> Result<()> {
    let mut table = csv::WriterBuilder::new()
        .has_headers(false)
        .from_path(path)?;
    for (row, label) in features.rows().into_iter().zip(labels) {
        table.write_field(label.to_string())?;
        for value in row {
            table.write_field(value.to_string())?;
        }
        table.write_record(None::<&[u8]>)?;
    }
    Ok(table.flush()?)
}

/// What the script has predicted for the rows of `test.csv`.
fn answers(arguments: &Arguments<'_>, folder: &Path) -> Result<Vec<u32>> {
    let output = python()
        .arg(arguments.text("series")?)
        .args([arguments.count("trees")? as u64, arguments.seed].map(|number| number.to_string()))
        .arg(folder)
        .output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(
        output.status.success(),
        "the script of scikit-learn has failed: {}",
        said.trim()
    );
    let text = fs::read_to_string(folder.join("answers.csv"))?;
    let answers = text.lines().map(|line| line.parse().context("answers.csv"));
    answers.collect()
}

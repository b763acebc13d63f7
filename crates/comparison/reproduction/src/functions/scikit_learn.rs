//! Runs forests and neighbours of scikit-learn by a script beside this file; left out where Python or the pinned packages are missing.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use ndarray::ArrayView2;

use super::{Arguments, Function, mean};
use crate::record::Row;

/// Measures the accuracy on the standard test part, after the first `train` rows.
pub(super) const SCIKIT_LEARN: Function = Function {
    name: "scikit-learn",
    parameters: &["panel", "series", "data", "train", "trees"],
    run: |arguments| {
        let data = arguments.classes()?;
        let folder = tempfile::tempdir()?;
        for (name, (rows, labels)) in [("train.csv", data.train()), ("test.csv", data.test())] {
            write(&folder.path().join(name), rows, labels)?;
        }
        let predictions = predict(arguments, folder.path())?;
        let truth = data.test().1;
        ensure!(
            predictions.len() == truth.len(),
            "expected {1} predictions, got {0}",
            predictions.len(),
            truth.len()
        );
        let right = predictions.iter().zip(truth);
        let right = right.map(|(prediction, label)| f64::from(u8::from(prediction == label)));
        let row = Row::new(&arguments.text("panel")?, &arguments.text("series")?, None);
        Ok(vec![row.with("accuracy", mean(right))])
    },
};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/functions/scikit_learn.py");
const REQUIREMENTS: &str = "crates/comparison/reproduction/src/functions/scikit_learn.txt";

/// Returns why it cannot be run here, in a sentence.
pub(super) fn missing() -> Option<String> {
    let found = python().arg("versions").output();
    match found {
        Ok(output) if output.status.success() => None,
        Ok(_) => Some(format!(
            "Python lacks the packages of {REQUIREMENTS}; run `python3 -m pip install -r {REQUIREMENTS}`"
        )),
        Err(_) => Some("Python is missing: `python3` cannot be started".to_owned()),
    }
}

fn python() -> Command {
    let mut python = Command::new("python3");
    python.arg(SCRIPT);
    python
}

/// Writes a line for each row: the class, then the features.
fn write(path: &Path, features: ArrayView2<'_, f32>, labels: &[u32]) -> Result<()> {
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

/// Runs the script and returns its predictions for the rows of `test.csv`.
fn predict(arguments: &Arguments<'_>, folder: &Path) -> Result<Vec<u32>> {
    let output = python()
        .arg(arguments.text("series")?)
        .args([arguments.count("trees")? as u64, arguments.seed].map(|number| number.to_string()))
        .arg(folder)
        .output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(
        output.status.success(),
        "the scikit-learn script failed: {}",
        said.trim()
    );
    let text = fs::read_to_string(folder.join("predictions.csv"))?;
    let predictions = text
        .lines()
        .map(|line| line.parse().context("predictions.csv"));
    predictions.collect()
}

//! Records of a table: rows of a CSV file, or objects of a JSON lines file such as `runs.jsonl`.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use serde_json::Value;

/// Cells by column; what an object holds inside another is `outer.inner`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record(BTreeMap<String, String>);

impl Record {
    /// A cell.
    ///
    /// # Errors
    /// If there is no such column.
    pub fn text(&self, column: &str) -> Result<String> {
        let known = || self.0.keys().cloned().collect::<Vec<_>>().join(", ");
        let cell = self.0.get(column).cloned();
        cell.ok_or_else(|| anyhow!("no column `{column}`; columns: {}", known()))
    }

    /// A cell as a number.
    ///
    /// # Errors
    /// If there is no such column, or no number in it.
    pub fn number(&self, column: &str) -> Result<f64> {
        let cell = self.text(column)?;
        cell.parse()
            .with_context(|| format!("`{cell}`, in column `{column}`, is no number"))
    }

    fn add(&mut self, name: String, value: &Value) {
        match value {
            Value::Object(inner) => {
                for (key, value) in inner {
                    self.add(format!("{name}.{key}"), value);
                }
            }
            Value::String(text) => drop(self.0.insert(name, text.clone())),
            other => drop(self.0.insert(name, other.to_string())),
        }
    }
}

/// Reads a table: JSON lines if its name ends in `.jsonl`, else CSV with a header, in which lines
/// that start with # are comments.
///
/// # Errors
/// A file that cannot be read.
pub fn read(path: &Path) -> Result<Vec<Record>> {
    let json = path.extension().is_some_and(|ending| ending == "jsonl");
    let records = if json {
        read_objects(path)
    } else {
        read_rows(path)
    };
    records.with_context(|| path.display().to_string())
}

fn read_objects(path: &Path) -> Result<Vec<Record>> {
    let lines = BufReader::new(File::open(path)?).lines();
    let object = |line: std::io::Result<String>| {
        let fields: serde_json::Map<String, Value> = serde_json::from_str(&line?)?;
        let mut record = Record::default();
        fields
            .into_iter()
            .for_each(|(name, value)| record.add(name, &value));
        Ok(record)
    };
    lines.map(object).collect()
}

fn read_rows(path: &Path) -> Result<Vec<Record>> {
    let mut reader = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_path(path)?;
    let rows = reader.deserialize::<BTreeMap<String, String>>();
    rows.map(|row| Ok(Record(row?))).collect()
}

//! The rows of a table as lines: one per name; rows that repeat a point are averaged.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, anyhow, ensure};
use serde_json::{Map, Value};
use statrs::statistics::Statistics as _;

/// Which columns of a table are drawn.
#[derive(Clone, Debug, clap::Args)]
pub struct Columns {
    /// A column that names the line a row belongs to; may be repeated
    #[arg(long, value_name = "COLUMN", required = true)]
    pub series: Vec<String>,

    /// The column drawn across, or one divided by another (`nodes/trees`)
    #[arg(long, value_name = "COLUMN[/COLUMN]")]
    pub x: String,

    /// The column drawn upwards, likewise
    #[arg(long, value_name = "COLUMN[/COLUMN]")]
    pub y: String,

    /// The column that rows which repeat a point agree in, such as `label` for seeds; they are
    /// averaged [default: rows with the same x]
    #[arg(long, value_name = "COLUMN")]
    pub point: Option<String>,

    /// Draw only rows with this value; may be repeated
    #[arg(long, value_name = "COLUMN=VALUE")]
    pub only: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    pub name: String,
    /// By x.
    pub points: Vec<(f64, f64)>,
}

/// Cells by column; a key of an object within an object is the column `outer.inner`.
#[derive(Clone, Debug, Default)]
pub struct Row(BTreeMap<String, String>);

impl Row {
    fn text(&self, column: &str) -> Result<&str> {
        let known = || self.0.keys().cloned().collect::<Vec<_>>().join(", ");
        let cell = self.0.get(column).map(String::as_str);
        cell.ok_or_else(|| anyhow!("no column `{column}`; columns: {}", known()))
    }

    fn number(&self, column: &str) -> Result<f64> {
        let cell = self.text(column)?;
        cell.parse()
            .with_context(|| format!("`{cell}`, in column `{column}`, is not a number"))
    }

    /// A column, or one divided by another.
    fn ratio(&self, columns: &str) -> Result<f64> {
        match columns.split_once('/') {
            None => self.number(columns),
            Some((above, below)) => Ok(self.number(above)? / self.number(below)?),
        }
    }

    fn meets(&self, condition: &str) -> Result<bool> {
        let parts = condition.split_once('=');
        let (column, value) = parts.ok_or_else(|| anyhow!("`{condition}` is not COLUMN=VALUE"))?;
        Ok(self.text(column)? == value)
    }

    fn insert(&mut self, column: String, value: &Value) {
        match value {
            Value::Object(inner) => {
                for (key, value) in inner {
                    self.insert(format!("{column}.{key}"), value);
                }
            }
            Value::String(text) => drop(self.0.insert(column, text.clone())),
            other => drop(self.0.insert(column, other.to_string())),
        }
    }
}

/// Reads JSON lines if the file's name ends in `.jsonl`, else CSV with a header, in which lines that
/// start with # are comments.
pub fn read(path: &Path) -> Result<Vec<Row>> {
    if path.extension().is_some_and(|ending| ending == "jsonl") {
        return fs::read_to_string(path)?.lines().map(from_json).collect();
    }
    let mut reader = csv::ReaderBuilder::new();
    let mut reader = reader.comment(Some(b'#')).from_path(path)?;
    reader.deserialize().map(|row| Ok(Row(row?))).collect()
}

fn from_json(line: &str) -> Result<Row> {
    let object: Map<String, Value> = serde_json::from_str(line)?;
    let mut row = Row::default();
    for (column, value) in object {
        row.insert(column, &value);
    }
    Ok(row)
}

/// The lines, in the order in which their names appear.
pub fn lines(rows: &[Row], columns: &Columns) -> Result<Vec<Line>> {
    for column in &columns.series {
        let known = rows.is_empty() || rows.iter().any(|row| row.text(column).is_ok());
        ensure!(known, "no row has a column `{column}`");
    }
    let mut points = Vec::new();
    for row in rows {
        if is_drawn(row, columns)? {
            points.push(point(row, columns)?);
        }
    }
    ensure!(!points.is_empty(), "no rows to draw");
    let lines = group(points, |point| point.line.clone());
    Ok(lines.into_iter().map(line).collect())
}

fn is_drawn(row: &Row, columns: &Columns) -> Result<bool> {
    for condition in &columns.only {
        if !row.meets(condition)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A row's point, the line that it belongs to, and what it shares with rows that repeat it.
struct Point {
    line: String,
    key: String,
    x: f64,
    y: f64,
}

fn point(row: &Row, columns: &Columns) -> Result<Point> {
    let (x, y) = (row.ratio(&columns.x)?, row.ratio(&columns.y)?);
    let key = columns.point.as_ref();
    let key = key.map_or(Ok(x.to_string()), |column| {
        row.text(column).map(str::to_owned)
    })?;
    // An object that lacks a column has a shorter name.
    let names = columns.series.iter().flat_map(|column| row.text(column));
    let line = names.collect::<Vec<_>>().join(" ");
    Ok(Point { line, key, x, y })
}

fn line((name, points): (String, Vec<Point>)) -> Line {
    let average = |(_, points): (String, Vec<Point>)| {
        let x = points.iter().map(|point| point.x).mean();
        (x, points.iter().map(|point| point.y).mean())
    };
    let points = group(points, |point| point.key.clone()).into_iter();
    let mut points: Vec<(f64, f64)> = points.map(average).collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    Line { name, points }
}

/// Items with the same key, in the order in which the keys appear.
fn group<T>(items: Vec<T>, key: impl Fn(&T) -> String) -> Vec<(String, Vec<T>)> {
    let mut groups: Vec<(String, Vec<T>)> = Vec::new();
    for item in items {
        let key = key(&item);
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, group)) => group.push(item),
            None => groups.push((key, vec![item])),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(name: &str, text: &str) -> Vec<Row> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        read(&path).unwrap()
    }

    fn table(text: &str, only: &[&str]) -> Result<Vec<Line>> {
        let columns = Columns {
            series: vec!["who".to_owned()],
            x: "n".to_owned(),
            y: "v/w".to_owned(),
            only: only.iter().map(|text| (*text).to_owned()).collect(),
            point: None,
        };
        lines(&rows("t.csv", text), &columns)
    }

    #[test]
    fn rows_are_grouped_by_name_and_averaged_by_x() {
        let lines = table("who,n,v,w\nb,2,4,2\na,1,3,1\nb,1,2,2\nb,1,4,2\n", &[]).unwrap();
        let name = "b".to_owned();
        let points = vec![(1.0, 1.5), (2.0, 2.0)];
        assert_eq!(lines[0], Line { name, points });
        assert_eq!(lines[1].name, "a");
    }

    #[test]
    fn keys_within_objects_are_columns() {
        let text = "{\"who\":{\"first\":\"a\"},\"n\":1,\"v\":2,\"w\":1}\n";
        assert_eq!(rows("t.jsonl", text)[0].text("who.first").unwrap(), "a");
    }

    #[test]
    fn conditions_leave_rows_out() {
        let lines = table("who,n,v,w\nb,2,4,2\na,1,3,1\n", &["who=a"]).unwrap();
        assert_eq!(lines.len(), 1);
    }

    #[test]
    fn what_is_missing_is_named() {
        let error = |text, only: &[&str]| format!("{:#}", table(text, only).unwrap_err());
        assert!(error("who,n,v\na,1,2\n", &[]).contains("no column `w`; columns: n, v, who"));
        assert!(error("who,n,v,w\na,1,2,two\n", &[]).contains("`two`, in column `w`, is not a"));
        assert!(error("who,n,v,w\n", &[]).contains("no rows"));
        assert!(error("who,n,v,w\na,1,2,3\n", &["who"]).contains("is not COLUMN=VALUE"));
    }
}

//! Makes lines of the rows of a table: one per name; rows that repeat a point are averaged.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, anyhow, ensure};
use indexmap::IndexMap;
use serde_json::{Map, Value};
use statrs::statistics::Statistics as _;

/// The columns of a table that are drawn.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Columns {
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
pub(super) struct Line {
    pub name: String,
    /// By x.
    pub points: Vec<(f64, f64)>,
    /// The number of rows left out, since one of their numbers is not finite: a quotient by 0, or `NaN` in the table.
    pub left_out: usize,
}

/// Cells by column; a key of an object within an object is the column `outer.inner`.
#[derive(Clone, Debug, Default)]
pub(super) struct Row(BTreeMap<String, String>);

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

    /// Returns a column, or one divided by another.
    fn ratio(&self, columns: &str) -> Result<f64> {
        match columns.split_once('/') {
            None => self.number(columns),
            Some((above, below)) => Ok(self.number(above)? / self.number(below)?),
        }
    }

    fn meets_all(&self, conditions: &[String]) -> Result<bool> {
        for condition in conditions {
            let parts = condition.split_once('=');
            let parts = parts.ok_or_else(|| anyhow!("`{condition}` is not COLUMN=VALUE"));
            let (column, value) = parts?;
            if self.text(column)? != value {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the cells of these columns; an object that lacks one has a shorter name.
    fn name(&self, columns: &[String]) -> String {
        let cells = columns.iter().flat_map(|column| self.text(column));
        cells.collect::<Vec<_>>().join(" ")
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
pub(super) fn read(path: &Path) -> Result<Vec<Row>> {
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

/// Groups the rows by the values of a column, in the order in which the values appear.
pub(super) fn panels(rows: Vec<Row>, column: &str) -> Result<IndexMap<String, Vec<Row>>> {
    let mut panels: IndexMap<String, Vec<Row>> = IndexMap::new();
    for row in rows {
        let value = row.text(column)?.to_owned();
        panels.entry(value).or_default().push(row);
    }
    Ok(panels)
}

/// Returns the lines, in the order in which their names appear.
pub(super) fn lines(rows: &[Row], columns: &Columns) -> Result<Vec<Line>> {
    for column in &columns.series {
        let known = rows.is_empty() || rows.iter().any(|row| row.text(column).is_ok());
        ensure!(known, "no row has a column `{column}`");
    }
    let mut lines: IndexMap<String, IndexMap<String, Vec<(f64, f64)>>> = IndexMap::new();
    for row in rows {
        if row.meets_all(&columns.only)? {
            let (x, y) = (row.ratio(&columns.x)?, row.ratio(&columns.y)?);
            let point = match &columns.point {
                None => x.to_string(),
                Some(column) => row.text(column)?.to_owned(),
            };
            let line = lines.entry(row.name(&columns.series)).or_default();
            line.entry(point).or_default().push((x, y));
        }
    }
    ensure!(!lines.is_empty(), "no rows to draw");
    let lines = lines.into_iter();
    Ok(lines.map(|(name, rows)| mean_line(name, rows)).collect())
}

/// Returns a line through the means of the rows that repeat a point.
fn mean_line(name: String, mut rows: IndexMap<String, Vec<(f64, f64)>>) -> Line {
    let count =
        |rows: &IndexMap<String, Vec<(f64, f64)>>| rows.values().map(Vec::len).sum::<usize>();
    let all = count(&rows);
    for rows in rows.values_mut() {
        rows.retain(|(x, y)| x.is_finite() && y.is_finite());
    }
    let left_out = all - count(&rows);
    let mean = |rows: &Vec<(f64, f64)>| {
        let x = rows.iter().map(|row| row.0).mean();
        (x, rows.iter().map(|row| row.1).mean())
    };
    let rows = rows.values().filter(|rows| !rows.is_empty());
    let mut points: Vec<(f64, f64)> = rows.map(mean).collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    Line {
        name,
        points,
        left_out,
    }
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
        let left_out = 0;
        let b = Line {
            name,
            points,
            left_out,
        };
        assert_eq!(lines[0], b);
        assert_eq!(lines[1].name, "a");
    }

    /// The quotient of the third row is by 0; the mean of the others stays.
    #[test]
    fn rows_that_are_not_finite_are_left_out_and_counted() {
        let text = "who,n,v,w\na,1,3,1\na,1,5,1\na,1,1,0\na,2,0,0\na,NaN,1,1\n";
        let lines = table(text, &[]).unwrap();
        assert_eq!(
            (lines[0].points.as_slice(), lines[0].left_out),
            (&[(1.0, 4.0)][..], 3)
        );
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

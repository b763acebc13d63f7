//! A table as lines: one a value of the series columns; rows that repeat a point are averaged.

use std::path::Path;

use anyhow::{Result, anyhow, ensure};

use super::record::Record;

/// A line of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its name.
    pub name: String,
    /// Its points, by x.
    pub points: Vec<(f64, f64)>,
}

/// What is read of a record.
#[derive(Clone, Copy, Debug)]
pub struct Columns<'a> {
    /// Columns that together name the line a record belongs to.
    pub series: &'a [String],
    /// Across: a column, or one divided by another (`nodes/trees`).
    pub x: &'a str,
    /// Upwards, likewise.
    pub y: &'a str,
    /// The column that rows which repeat a point agree in; without one they agree in x.
    pub point: Option<&'a str>,
    /// `COLUMN=VALUE`: other records are left out.
    pub only: &'a [String],
}

/// The lines of `records`, in order of their first ones.
///
/// # Errors
/// A column that is not there, a cell that is no number, or nothing left to draw.
pub fn lines(path: &Path, records: &[Record], columns: Columns<'_>) -> Result<Vec<Series>> {
    for column in columns.series {
        let known = records.is_empty() || records.iter().any(|record| record.text(column).is_ok());
        ensure!(known, "{}: no row has a column `{column}`", path.display());
    }
    let mut gathered: Vec<Gathered> = Vec::new();
    for record in records {
        if is_kept(record, columns.only)? {
            let (x, y) = (number(record, columns.x)?, number(record, columns.y)?);
            let key = columns
                .point
                .map_or(Ok(x.to_string()), |column| record.text(column))?;
            line(&mut gathered, name(record, columns.series)).add(key, (x, y));
        }
    }
    ensure!(!gathered.is_empty(), "{}: no rows to draw", path.display());
    Ok(gathered.into_iter().map(Gathered::averaged).collect())
}

/// A line before rows that repeat a point are averaged.
struct Gathered {
    name: String,
    points: Vec<(String, Vec<(f64, f64)>)>,
}

impl Gathered {
    fn add(&mut self, key: String, point: (f64, f64)) {
        match self.points.iter_mut().find(|(known, _)| *known == key) {
            Some((_, points)) => points.push(point),
            None => self.points.push((key, vec![point])),
        }
    }

    fn averaged(self) -> Series {
        let mean = |points: &[(f64, f64)], get: fn(&(f64, f64)) -> f64| {
            points.iter().map(get).sum::<f64>() / points.len() as f64
        };
        let points = self.points.iter();
        let points = points.map(|(_, points)| (mean(points, |p| p.0), mean(points, |p| p.1)));
        let mut points: Vec<(f64, f64)> = points.collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        Series {
            name: self.name,
            points,
        }
    }
}

fn line(lines: &mut Vec<Gathered>, name: String) -> &mut Gathered {
    let known = lines.iter().position(|line| line.name == name);
    let place = known.unwrap_or_else(|| {
        lines.push(Gathered {
            name,
            points: Vec::new(),
        });
        lines.len() - 1
    });
    &mut lines[place]
}

/// The cells that name a line; an object that lacks one has a shorter name.
fn name(record: &Record, columns: &[String]) -> String {
    let cells = columns.iter().filter_map(|column| record.text(column).ok());
    cells.collect::<Vec<_>>().join(" ")
}

fn is_kept(record: &Record, only: &[String]) -> Result<bool> {
    for condition in only {
        let parts = condition.split_once('=');
        let (column, value) = parts.ok_or_else(|| anyhow!("`{condition}` is not COLUMN=VALUE"))?;
        if record.text(column)? != value {
            return Ok(false);
        }
    }
    Ok(true)
}

fn number(record: &Record, column: &str) -> Result<f64> {
    match column.split_once('/') {
        None => record.number(column),
        Some((above, below)) => Ok(record.number(above)? / record.number(below)?),
    }
}

#[cfg(test)]
mod tests {
    use super::super::record;
    use super::*;

    fn table(name: &str, text: &str, only: &[&str]) -> Result<Vec<Series>> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        let only: Vec<String> = only.iter().map(|text| (*text).to_owned()).collect();
        let series = ["who".to_owned()];
        let columns = Columns {
            series: &series,
            x: "n",
            y: "v/w",
            only: &only,
            point: None,
        };
        lines(&path, &record::read(&path)?, columns)
    }

    #[test]
    fn rows_are_gathered_by_name_and_averaged_by_x() {
        let lines = table(
            "t.csv",
            "who,n,v,w\nb,2,4,2\na,1,3,1\nb,1,2,2\nb,1,4,2\n",
            &[],
        )
        .unwrap();
        assert_eq!(
            lines[0],
            Series {
                name: "b".into(),
                points: vec![(1.0, 1.5), (2.0, 2.0)]
            }
        );
        assert_eq!(lines[1].name, "a");
    }

    #[test]
    fn objects_are_read_with_what_they_hold() {
        let text = "{\"who\":{\"first\":\"a\"},\"n\":1,\"v\":2,\"w\":1}\n";
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.jsonl");
        std::fs::write(&path, text).unwrap();
        let records = record::read(&path).unwrap();
        assert_eq!(records[0].text("who.first").unwrap(), "a");
    }

    #[test]
    fn conditions_leave_rows_out() {
        let lines = table("t.csv", "who,n,v,w\nb,2,4,2\na,1,3,1\n", &["who=a"]).unwrap();
        assert_eq!(lines.len(), 1);
    }

    #[test]
    fn what_is_missing_is_named() {
        let error = |text, only: &[&str]| format!("{:#}", table("t.csv", text, only).unwrap_err());
        assert!(error("who,n,v\na,1,2\n", &[]).contains("no column `w`; columns: n, v, who"));
        assert!(
            error("who,n,v,w\na,1,2,two\n", &[]).contains("`two`, in column `w`, is no number")
        );
        assert!(error("who,n,v,w\n", &[]).contains("no rows"));
        assert!(error("who,n,v,w\na,1,2,3\n", &["who"]).contains("is not COLUMN=VALUE"));
    }
}

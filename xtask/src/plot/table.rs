//! A CSV table as lines: one a value of the series column, its points in the order of the rows.

use std::path::Path;

use anyhow::{Context, Result, anyhow, ensure};

/// A line of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its name.
    pub name: String,
    /// Its points.
    pub points: Vec<(f64, f64)>,
}

/// The columns to read.
#[derive(Clone, Copy, Debug)]
pub struct Columns<'a> {
    /// Names the line a row belongs to.
    pub series: &'a str,
    /// Across.
    pub x: &'a str,
    /// Upwards.
    pub y: &'a str,
}

/// Reads the lines of a table, in order of their first rows.
///
/// # Errors
/// A file that cannot be read, a column that is not there, or a cell that is no number.
pub fn read(path: &Path, columns: Columns<'_>) -> Result<Vec<Series>> {
    let file = || path.display().to_string();
    let mut reader = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_path(path)
        .with_context(file)?;
    let header = reader.headers().with_context(file)?.clone();
    let column = |name: &str| {
        let place = header.iter().position(|known| known == name);
        let known = header.iter().collect::<Vec<_>>().join(", ");
        place.ok_or_else(|| anyhow!("{}: no column `{name}`; columns: {known}", path.display()))
    };
    let (series, x, y) = (
        column(columns.series)?,
        column(columns.x)?,
        column(columns.y)?,
    );
    let mut lines: Vec<Series> = Vec::new();
    for record in reader.records() {
        let record = record.with_context(file)?;
        let number = |place: usize| {
            let cell = &record[place];
            cell.parse::<f64>()
                .with_context(|| format!("{}: `{cell}` is no number", path.display()))
        };
        line(&mut lines, &record[series])
            .points
            .push((number(x)?, number(y)?));
    }
    ensure!(!lines.is_empty(), "{}: no rows", path.display());
    Ok(lines)
}

fn line<'a>(lines: &'a mut Vec<Series>, name: &str) -> &'a mut Series {
    let known = lines.iter().position(|line| line.name == name);
    let place = known.unwrap_or_else(|| {
        lines.push(Series {
            name: name.to_owned(),
            points: Vec::new(),
        });
        lines.len() - 1
    });
    &mut lines[place]
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: Columns<'_> = Columns {
        series: "who",
        x: "n",
        y: "v",
    };

    fn table(text: &str) -> Result<Vec<Series>> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.csv");
        std::fs::write(&path, text).unwrap();
        read(&path, COLUMNS)
    }

    #[test]
    fn rows_are_gathered_by_name() {
        let lines = table("who,n,v\nb,1,2\na,1,3\nb,2,4\n").unwrap();
        assert_eq!(
            lines[0],
            Series {
                name: "b".into(),
                points: vec![(1.0, 2.0), (2.0, 4.0)]
            }
        );
        assert_eq!(lines[1].name, "a");
    }

    #[test]
    fn what_is_missing_is_named() {
        let error = |text| format!("{:#}", table(text).unwrap_err());
        assert!(error("who,n,w\na,1,2\n").contains("no column `v`; columns: who, n, w"));
        assert!(error("who,n,v\na,1,two\n").contains("`two` is no number"));
        assert!(error("who,n,v\n").contains("no rows"));
    }
}

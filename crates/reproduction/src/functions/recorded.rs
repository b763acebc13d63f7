//! Values that programs of other languages measured.

use std::path::Path;

use anyhow::{Context, Result, ensure};

use super::Function;
use crate::runs::Row;

/// Reads the lines of this seed from a CSV file of the repository: `panel`, `series` and `seed`, then a column for each metric, empty where there is no value.
/// Where there is a column `x`, only lines of this x are read.
pub(super) const RECORDED: Function = Function {
    name: "recorded",
    parameters: &["file"],
    run: |arguments| {
        let file = arguments.text("file")?;
        let file_path = Path::new(REPOSITORY).join(&file);
        let rows = rows(&file_path, arguments.seed, arguments.x);
        let rows = rows.with_context(|| format!("cannot read the records in {file}"))?;
        ensure!(
            !rows.is_empty(),
            "{file} has no record of the seed {}",
            arguments.seed
        );
        Ok(rows)
    },
};

const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn rows(file: &Path, seed: u64, x: Option<f64>) -> Result<Vec<Row>> {
    let mut table = csv::Reader::from_path(file)?;
    let metrics: Vec<String> = table.headers()?.iter().skip(3).map(str::to_owned).collect();
    let mut rows = Vec::new();
    for line in table.deserialize() {
        let (panel, series, of_seed, values): (String, String, u64, Vec<Option<f64>>) = line?;
        let mut row = Row::new(&panel, &series, None);
        for (metric, value) in metrics.iter().zip(values) {
            match value {
                Some(x) if metric == "x" => row.x = Some(x),
                Some(value) => row = row.with(metric, value),
                None => {}
            }
        }
        if of_seed == seed && (row.x.is_none() || row.x == x) {
            rows.push(row);
        }
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_of_its_seed_and_has_the_values_that_are_there() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        let text = "panel,series,seed,log_loss,rmse\np,a,0,0.5,\np,a,1,0.25,\nq,a,1,,3\n";
        std::io::Write::write_all(&mut file, text.as_bytes()).unwrap();
        let expected = [
            Row::new("p", "a", None).with("log_loss", 0.25),
            Row::new("q", "a", None).with("rmse", 3.0),
        ];
        assert_eq!(rows(file.path(), 1, Some(5.0)).unwrap(), expected);
        assert_eq!(rows(file.path(), 2, None).unwrap(), []);
        let mut file = tempfile::NamedTempFile::new().unwrap();
        let text = "panel,series,seed,x,rmse\np,a,0,10,0.5\np,a,0,20,0.25\n";
        std::io::Write::write_all(&mut file, text.as_bytes()).unwrap();
        let expected = [Row::new("p", "a", Some(20.0)).with("rmse", 0.25)];
        assert_eq!(rows(file.path(), 0, Some(20.0)).unwrap(), expected);
    }
}

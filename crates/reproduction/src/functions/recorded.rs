//! Values that programs of other languages measured.

use std::path::Path;

use anyhow::{Context, Result, ensure};

use super::Function;
use crate::record::Row;

/// Reads the lines of this seed from a CSV file of the repository: `panel`, `series` and `seed`, then a column for each metric, empty where there is no value.
pub(super) const RECORDED: Function = Function {
    name: "recorded",
    parameters: &["file"],
    run: |arguments| {
        let file = arguments.text("file")?;
        let rows = rows(&Path::new(REPOSITORY).join(&file), arguments.seed);
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

fn rows(file: &Path, seed: u64) -> Result<Vec<Row>> {
    let mut table = csv::Reader::from_path(file)?;
    let metrics: Vec<String> = table.headers()?.iter().skip(3).map(str::to_owned).collect();
    let mut rows = Vec::new();
    for line in table.deserialize() {
        let (panel, series, of_seed, values): (String, String, u64, Vec<Option<f64>>) = line?;
        if of_seed == seed {
            let mut row = Row::new(&panel, &series, None);
            let measured = metrics.iter().cloned().zip(values);
            row.values = measured
                .filter_map(|(metric, value)| Some((metric, value?)))
                .collect();
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
        assert_eq!(rows(file.path(), 1).unwrap(), expected);
        assert_eq!(rows(file.path(), 2).unwrap(), []);
    }
}

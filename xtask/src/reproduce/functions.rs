//! What a run calls: a hold-out, or by name an experiment of the papers that is not a comparison.

mod bodies;
mod boundary;
mod cube;

use std::path::Path;

use anyhow::{Context as _, Result, bail, ensure};
use comparison::read_records;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::{Table, Value};

use crate::reproduce::function::{Function, Library};
use crate::reproduce::hold_out::HoldOut;
use crate::reproduce::record::{RecordRow, text};

pub(crate) fn read(call: &Table) -> Result<Box<dyn Function>> {
    fn of<F: Function + DeserializeOwned + 'static>(call: Value) -> Result<Box<dyn Function>> {
        Ok(Box::new(call.try_into::<F>()?))
    }
    let name = text(call, "name");
    if name.is_empty() {
        return Ok(Box::new(HoldOut::parse(call)?));
    }
    let value = Value::Table(call.clone());
    let function = match name {
        "bodies" => of::<bodies::Bodies>(value),
        "cuts" => of::<cube::Cuts>(value),
        "offline-boundary-forest" => of::<boundary::OfflineBoundaryForest>(value),
        "recorded" => of::<Recorded>(value),
        "comparisons" | "cover-tree" | "dimensions" | "equidistant" | "ranks" => {
            of::<boundary::Search>(value)
        }
        _ => bail!("unknown function `{name}`; xtask/src/reproduce/functions.rs lists them"),
    };
    function.with_context(|| format!("function {name}"))
}

/// Reads the rows of a seed (and of x, if they have one) from a file of the repository, whose lines have seed and row.
#[derive(Deserialize)]
struct Recorded {
    file: String,
}

impl Function for Recorded {
    fn rows(&self, seed: u64, x: Option<f64>, _: &Library) -> Result<Vec<RecordRow>> {
        let file = &self.file;
        let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join(file);
        let mut lines: Vec<(u64, RecordRow)> = read_records(&path)?;
        lines.retain(|(of_seed, row)| *of_seed == seed && (row.x.is_none() || row.x == x));
        ensure!(
            !lines.is_empty(),
            "{file} has no record of the seed {seed}; reduce `seeds`"
        );
        Ok(lines.into_iter().map(|(_, row)| row).collect())
    }
}

//! Runs of items, and their records.

use std::collections::BTreeMap;
use std::fmt;

use comparison::record::Host;
use comparison::to_line;
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

/// The records that the page of a paper is made of.
pub(crate) const PACKED: &str = "runs.jsonl.gz";

/// How much is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Scale {
    /// Minutes for all items.
    Quick,
    /// As large as the papers.
    Full,
}

/// A run. The names of fields are the JSON keys of its record.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Run {
    pub item: String,
    pub scale: Scale,
    pub x: Option<f64>,
    pub seed: u64,
    /// A hold-out, or a function by `name`, with all parameters.
    pub call: Table,
}

#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Record {
    #[serde(flatten)]
    pub run: Run,
    pub host: Host,
    pub rows: Vec<RecordRow>,
    /// Why rows are missing.
    pub error: Option<String>,
}

/// Measured values of one line at one place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RecordRow {
    pub panel: String,
    pub series: String,
    pub x: Option<f64>,
    pub values: BTreeMap<String, f64>,
}

/// A panel, a line, and a value of x.
pub(crate) type Place<'a> = (&'a str, &'a str, Option<f64>);

/// Records by run.
pub(crate) type Records = IndexMap<String, Record>;

/// Adds a record, unless there is one of the same run that did not fail.
pub(crate) fn add(records: &mut Records, record: Record) {
    let key = to_line(&record.run);
    if records.get(&key).is_none_or(|known| known.error.is_some()) {
        records.insert(key, record);
    }
}

impl RecordRow {
    pub(crate) fn new(place: Place<'_>, values: &[(&str, f64)]) -> Self {
        let owned = |(name, value): &(&str, f64)| ((*name).to_owned(), *value);
        Self {
            panel: place.0.to_owned(),
            series: place.1.to_owned(),
            x: place.2,
            values: values.iter().map(owned).collect(),
        }
    }
}

impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Quick => "quick",
            Self::Full => "full",
        })
    }
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.item)?;
        let names = ["name", "panel", "series"].map(|key| text(&self.call, key));
        for name in names.iter().filter(|name| !name.is_empty()) {
            write!(f, " · {name}")?;
        }
        self.x.map_or(Ok(()), |x| write!(f, " · {x}"))?;
        write!(f, " · seed {}", self.seed)
    }
}

/// Returns a text of a table, or an empty one.
pub(crate) fn text<'a>(table: &'a Table, key: &str) -> &'a str {
    table.get(key).and_then(Value::as_str).unwrap_or_default()
}

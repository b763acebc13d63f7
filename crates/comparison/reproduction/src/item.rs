//! A table or figure of a paper as a file: `xtask/experiments/<paper>/<item>.toml`.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Value;

use crate::claim::Claim;
use crate::data::DataSpec;
use crate::record::Scale;

/// What is run, what the paper shows, and what is claimed. The keys of the file are the names of the fields.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Item {
    /// The folder of the file.
    #[serde(skip)]
    pub paper: String,
    /// The file's name without its ending.
    #[serde(skip)]
    pub name: String,
    pub title: String,
    /// Where it stands: paper and figure or table.
    pub source: String,
    /// What is shown, and every deviation from the paper.
    pub caption: String,
    /// Where we differ: what was tried to explain it.
    pub note: Option<String>,
    /// What is shown of each run; claims are about the first unless they say otherwise.
    pub metrics: Vec<String>,
    #[serde(default)]
    pub chart: ChartSpec,
    /// What training errors cost is only paid where they are shown.
    #[serde(default)]
    pub training: TrainingError,
    #[serde(default)]
    pub data: Vec<DataSpec>,
    #[serde(default)]
    pub algorithm: Vec<AlgorithmSpec>,
    #[serde(default)]
    pub function: Vec<FunctionSpec>,
    pub quick: Size,
    pub full: Size,
    #[serde(default)]
    pub published: Vec<Published>,
    pub claim: Vec<Claim>,
}

/// An algorithm as a line of the figure, or a column of the table.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AlgorithmSpec {
    /// What the figure calls it.
    pub name: String,
    /// Algorithm and parameters, as `compare --algorithm` takes them; `{x}` and other variables are replaced.
    #[serde(rename = "use")]
    pub text: String,
    /// Instead of the item's number.
    pub trees: Option<usize>,
    /// How often the training rows are learned, each time in another order: a number, or a variable.
    pub passes: Option<Value>,
    /// The panels it is run on; all by default.
    pub on: Option<Vec<String>>,
    /// No more seeds than these: 1 for what draws nothing.
    pub seeds: Option<u64>,
}

/// A function of the table in `functions.rs`; `{x}` and other variables are replaced in text.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FunctionSpec {
    pub name: String,
    #[serde(default)]
    pub parameters: BTreeMap<String, Value>,
}

/// How much is run.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Size {
    #[serde(default = "one_tree")]
    pub trees: usize,
    pub seeds: u64,
    /// Values of `{x}`.
    #[serde(default)]
    pub x: Vec<f64>,
    /// Other variables.
    #[serde(default)]
    pub set: BTreeMap<String, Value>,
}

fn one_tree() -> usize {
    1
}

/// Whether errors on the training rows are measured, too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TrainingError {
    #[default]
    Ignored,
    Measured,
}

/// How the chart looks.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChartSpec {
    /// What `x` is, in words.
    #[serde(default)]
    pub x: String,
    /// What the vertical axis is, in words, for each metric; the metric's name by default.
    #[serde(default)]
    pub y: Vec<String>,
    /// Axes with logarithms.
    #[serde(default)]
    pub log: Vec<AxisName>,
    /// A metric to show the first one against, in place of `x`.
    pub against: Option<String>,
    #[serde(default)]
    pub kind: ChartKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AxisName {
    X,
    Y,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ChartKind {
    /// Means against `x`, or beside each other where there is no `x`.
    #[default]
    Means,
    /// Line segments from (`x0`, `y0`) to (`x1`, `y1`).
    Segments,
    /// Points at (`across`, `up`), coloured by `value`.
    Map,
}

/// Numbers of the paper, by the name of the line.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// Where the numbers stand.
    pub source: String,
    /// The panel; the only one by default.
    pub on: Option<String>,
    pub x: Option<f64>,
    /// The first metric by default.
    pub metric: Option<String>,
    pub values: BTreeMap<String, Number>,
}

/// A number of the paper, perhaps with what it states after ±.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Number {
    Alone(f64),
    WithInterval([f64; 2]),
}

impl Number {
    pub fn value(self) -> f64 {
        match self {
            Self::Alone(value) | Self::WithInterval([value, _]) => value,
        }
    }
}

impl Item {
    /// `paper/item`.
    pub fn address(&self) -> String {
        format!("{}/{}", self.paper, self.name)
    }

    pub fn size(&self, scale: Scale) -> &Size {
        match scale {
            Scale::Quick => &self.quick,
            Scale::Full => &self.full,
        }
    }

    /// What is measured where nothing else is said.
    pub fn main_metric(&self) -> &str {
        self.metrics.first().map_or("", String::as_str)
    }
}

impl Size {
    /// Values of `{x}`: one of no value if none is given.
    pub fn xs(&self) -> Vec<Option<f64>> {
        match self.x.is_empty() {
            true => vec![None],
            false => self.x.iter().copied().map(Some).collect(),
        }
    }
}

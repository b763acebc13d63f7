//! A table or figure of a paper, described by the file `xtask/experiments/<paper>/<item>.toml`.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Value;

use crate::claim::Claim;
use crate::data::DataSpec;
use crate::record::Scale;

/// The runs of a table or figure, its published numbers and its claims. The keys of the file are the names of the fields.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Item {
    /// The folder of the file.
    #[serde(skip)]
    pub paper: String,
    /// The file's name without its ending.
    #[serde(skip)]
    pub name: String,
    pub title: String,
    /// Its source: paper and figure or table.
    pub source: String,
    /// A caption that states every deviation from the paper.
    pub caption: String,
    /// Explanations tried for results that differ.
    pub note: Option<String>,
    /// The metrics shown; claims are about the first unless they name another.
    pub metrics: Vec<String>,
    #[serde(default)]
    pub chart: ChartSpec,
    /// Whether training errors are measured, which costs time.
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
pub(crate) struct AlgorithmSpec {
    /// Its name in the figure.
    pub name: String,
    /// Algorithm and parameters, as `compare --algorithm` takes them; `{x}` and other variables are replaced.
    #[serde(rename = "use")]
    pub text: String,
    /// Replaces the item's number of trees.
    pub trees: Option<usize>,
    /// The number of passes over the training rows, each in another order: a number, or a variable.
    pub passes: Option<Value>,
    /// The panels it is run on; all by default.
    pub on: Option<Vec<String>>,
    /// Maximum number of seeds: 1 for an algorithm without random draws.
    pub seeds: Option<u64>,
}

/// A function of the table in `functions.rs`; `{x}` and other variables are replaced in text.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FunctionSpec {
    pub name: String,
    #[serde(default)]
    pub parameters: BTreeMap<String, Value>,
}

/// The scale of the runs.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Size {
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
pub(crate) enum TrainingError {
    #[default]
    Ignored,
    Measured,
}

/// The layout of the chart.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChartSpec {
    /// The title of the horizontal axis.
    #[serde(default)]
    pub x: String,
    /// The title of the vertical axis, for each metric; the metric's name by default.
    #[serde(default)]
    pub y: Vec<String>,
    /// Logarithmic axes.
    #[serde(default)]
    pub log: Vec<AxisName>,
    /// A metric for the horizontal axis, in place of `x`.
    pub against: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum AxisName {
    X,
    Y,
}

/// Published numbers, by the name of the line.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Published {
    /// The source of the numbers.
    pub source: String,
    /// The panel; the only one by default.
    pub on: Option<String>,
    pub x: Option<f64>,
    /// The first metric by default.
    pub metric: Option<String>,
    pub values: BTreeMap<String, Number>,
}

/// A published number, perhaps with an interval after ±.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub(crate) enum Number {
    Alone(f64),
    WithInterval([f64; 2]),
}

impl Number {
    pub(crate) fn value(self) -> f64 {
        match self {
            Self::Alone(value) | Self::WithInterval([value, _]) => value,
        }
    }
}

impl Item {
    /// Returns `paper/item`.
    pub(crate) fn address(&self) -> String {
        format!("{}/{}", self.paper, self.name)
    }

    pub(crate) fn size(&self, scale: Scale) -> &Size {
        match scale {
            Scale::Quick => &self.quick,
            Scale::Full => &self.full,
        }
    }

    /// Returns the metric of claims and numbers that do not name one.
    pub(crate) fn main_metric(&self) -> &str {
        self.metrics.first().map_or("", String::as_str)
    }
}

impl Size {
    /// Returns the values of `{x}`: a single `None` if the file has none.
    pub(crate) fn xs(&self) -> Vec<Option<f64>> {
        if self.x.is_empty() {
            vec![None]
        } else {
            self.x.iter().copied().map(Some).collect()
        }
    }
}

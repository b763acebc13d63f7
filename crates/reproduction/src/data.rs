//! Data sets of items, and the rows that a run learns and is tested on.

mod library;
mod rows;

use std::path::Path;

use datasets::manifest;
use serde::{Deserialize, Serialize};
use toml::Value;

pub(crate) use library::Library;

/// A data set of an item: a panel of its figure, or a row of its table.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct DataSpec {
    /// Its name in the figure.
    pub name: String,
    /// As `compare --data` takes it; `{x}`, `{seed}` and other variables are replaced.
    pub address: String,
    /// Where to get data that cannot be fetched by a command. `address` is then a path in the data folder.
    pub get: Option<String>,
    #[serde(default)]
    pub split: SplitKind,
    /// Rows to learn: a number, or a share below 1.
    pub train: Option<Value>,
    /// Maximum number of rows to test.
    pub test: Option<Value>,
    pub pca: Option<usize>,
    #[serde(default)]
    pub scale: ScaleKind,
    #[serde(default)]
    pub columns: Columns,
    #[serde(default)]
    pub target: Vec<TargetStep>,
    #[serde(default)]
    pub weights: WeightKind,
}

/// The features that are used.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Columns {
    /// Counted from 1, both ends included.
    Range {
        from: usize,
        to: usize,
    },
    Named(Vec<String>),
    #[default]
    All,
}

/// The same with all variables replaced; part of a run's identity.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct DataTask {
    pub address: String,
    pub split: SplitKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub train: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pca: Option<usize>,
    pub scale: ScaleKind,
    #[serde(default)]
    pub columns: Columns,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub target: Vec<TargetStep>,
    pub weights: WeightKind,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum SplitKind {
    /// The standard parts, learned in file order.
    #[default]
    Standard,
    /// The standard parts, learned in an order that the seed decides.
    StandardShuffled,
    /// The standard parts, learned one class after another, each in an order that the seed decides.
    StandardByClass,
    /// All rows, divided by the seed.
    Random,
    /// The standard training part alone, divided by the seed.
    RandomOfTraining,
    /// The first rows, and those after them.
    Ordered,
}

impl SplitKind {
    /// Returns whether the rows, or their order, depend on the seed.
    pub(crate) fn draws(self) -> bool {
        !matches!(self, Self::Standard | Self::Ordered)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ScaleKind {
    /// Each feature to [0, 1], fitted to the rows that are learned.
    #[default]
    Minmax,
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum TargetStep {
    /// The natural logarithm.
    Log,
    /// Mean 0 and variance 1, by all rows.
    Standard,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum WeightKind {
    #[default]
    Equal,
    /// The variance of each feature before scaling, for algorithms that take weights.
    Variances,
}

impl DataSpec {
    /// Returns why the data are missing, and what to do; `None` if their files exist.
    pub(crate) fn missing(&self, folder: &Path) -> Option<String> {
        let name = self.address.split([':', '+']).next().unwrap_or_default();
        if let Some(get) = &self.get {
            return (!folder.join(name).exists()).then(|| format!("{name} is missing. {get}"));
        }
        let set = manifest::named(name).ok()?;
        (!set.is_present(folder)).then(|| {
            format!("`{name}` is not in the data folder: `cargo xtask-all data fetch {name}`")
        })
    }
}

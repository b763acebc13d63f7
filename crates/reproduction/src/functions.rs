//! Experiments that need their own code, by name: figures of the papers that are not comparisons.

mod bodies;
mod cube;
mod lemmas;
mod retrieval;
mod streams;

use anyhow::{Context as _, Result, bail};
use datasets::{Dataset, Target};
use forest_core::ForestSettings;
use serde::Deserialize;
use toml::Value;

use crate::learn::Library;
use crate::runs::{Parameters, Row, Task};

/// A function with its parameters.
#[derive(Deserialize)]
#[serde(tag = "name", rename_all = "kebab-case")]
pub(crate) enum Function {
    Bodies(bodies::Bodies),
    Comparisons(retrieval::Search),
    CoverTree(retrieval::Search),
    Curve(streams::Curve),
    Cuts(cube::Cuts),
    Dimensions(retrieval::Search),
    Equidistant(retrieval::Search),
    Hulls(lemmas::Hulls),
    ObliqueLine(lemmas::ObliqueLine),
    OfflineBoundaryForest(streams::OfflineBoundaryForest),
    Ranks(retrieval::Search),
    Recorded(streams::Recorded),
    Separation(lemmas::Separation),
}

/// Reads a function, which has all of its parameters and no others.
pub(crate) fn read(name: &str, parameters: &Parameters) -> Result<Function> {
    let mut table: toml::Table = parameters.clone().into_iter().collect();
    table.insert("name".to_owned(), name.into());
    Value::Table(table)
        .try_into()
        .with_context(|| format!("function {name}"))
}

impl Function {
    /// Runs it.
    pub(crate) fn rows(&self, task: &Task, library: &Library) -> Result<Vec<Row>> {
        let (seed, x) = (task.seed, task.x);
        match self {
            Self::Bodies(bodies) => bodies.rows(seed),
            Self::Comparisons(search) => search.comparisons(seed, library),
            Self::CoverTree(search) => search.cover_tree(seed, library),
            Self::Curve(curve) => curve.rows(seed, library),
            Self::Cuts(cuts) => cuts.rows(seed, library),
            Self::Dimensions(search) => search.dimensions(seed, x, library),
            Self::Equidistant(search) => search.equidistant(seed),
            Self::Hulls(hulls) => hulls.rows(seed, x, library),
            Self::ObliqueLine(line) => line.rows(seed, x),
            Self::OfflineBoundaryForest(forest) => forest.rows(seed, library),
            Self::Ranks(search) => search.ranks(seed, library),
            Self::Recorded(recorded) => recorded.rows(seed, x),
            Self::Separation(separation) => separation.rows(seed),
        }
    }
}

/// Returns settings of a forest.
pub(crate) fn forest(trees: usize, seed: u64) -> ForestSettings {
    ForestSettings::default().with_trees(trees).with_seed(seed)
}

fn labels(data: &Dataset) -> Result<&[u32]> {
    match &data.target {
        Target::Classes { labels, .. } => Ok(labels),
        Target::Values { .. } => bail!("`{}` is not a classification data set", data.name),
    }
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    sum / count
}

//! Arguments of functions, and their common conversions.

use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail, ensure};
use datasets::{Dataset, Target};
use forest_core::ForestSettings;
use ndarray::{ArrayView2, s};
use online_forests::Algorithm;
use toml::Value;

use crate::data::Library;
use crate::record::CallTask;

/// The parameters of a call, and the context that all calls share.
pub(super) struct Arguments<'a> {
    pub call: &'a CallTask,
    pub seed: u64,
    pub x: Option<f64>,
    pub library: &'a Library,
}

impl Arguments<'_> {
    fn value(&self, name: &str) -> Result<&Value> {
        let value = self.call.parameters.get(name);
        value.with_context(|| format!("the parameter `{name}` is missing"))
    }

    pub(super) fn number(&self, name: &str) -> Result<f64> {
        match self.value(name)? {
            Value::Integer(number) => Ok(*number as f64),
            Value::Float(number) => Ok(*number),
            other => Err(anyhow!("`{name}`: {other} is not a number")),
        }
    }

    pub(super) fn count(&self, name: &str) -> Result<usize> {
        let number = self.number(name)?;
        ensure!(
            number >= 1.0 && number.fract() == 0.0,
            "`{name}`: {number} is not an integer of at least 1"
        );
        Ok(number as usize)
    }

    pub(super) fn text(&self, name: &str) -> Result<String> {
        match self.value(name)? {
            Value::String(text) => Ok(text.clone()),
            other => Ok(other.to_string()),
        }
    }

    /// Returns the algorithm of the parameter `algorithm`.
    pub(super) fn algorithm(&self) -> Result<Algorithm> {
        Ok(self.text("algorithm")?.parse()?)
    }

    /// Returns settings of the parameter `trees` and the seed.
    pub(super) fn forest(&self) -> Result<ForestSettings> {
        Ok(self.forest_of(self.count("trees")?))
    }

    /// Returns settings of this number of trees and the seed.
    pub(super) fn forest_of(&self, trees: usize) -> ForestSettings {
        ForestSettings::default()
            .with_trees(trees)
            .with_seed(self.seed)
    }

    /// Opens the data set of the parameter `data`.
    pub(super) fn dataset(&self) -> Result<Arc<Dataset>> {
        self.library.open(&self.text("data")?)
    }

    /// Opens the classification data set of the parameter `data`, with the first `train` rows of the standard training part.
    pub(super) fn classes(&self) -> Result<Classes> {
        let data = self.dataset()?;
        labels(&data)?;
        let test = data.split.unwrap_or(data.rows());
        let train = self.count("train")?.min(test);
        Ok(Classes { data, train, test })
    }
}

/// Returns the labels of a classification data set.
pub(super) fn labels(data: &Dataset) -> Result<&[u32]> {
    match &data.target {
        Target::Classes { labels, .. } => Ok(labels),
        Target::Values { .. } => bail!("`{}` is not a classification data set", data.name),
    }
}

/// The rows to learn, and those of the standard test part.
pub(super) struct Classes {
    data: Arc<Dataset>,
    train: usize,
    test: usize,
}

impl Classes {
    pub(super) fn train(&self) -> (ArrayView2<'_, f32>, &[u32]) {
        self.part(0, self.train)
    }

    pub(super) fn test(&self) -> (ArrayView2<'_, f32>, &[u32]) {
        self.part(self.test, self.data.rows())
    }

    fn part(&self, from: usize, to: usize) -> (ArrayView2<'_, f32>, &[u32]) {
        let labels = labels(&self.data).expect("it has classes");
        (
            self.data.features.slice(s![from..to, ..]),
            &labels[from..to],
        )
    }
}

//! Options of a comparison by the names that `cargo xtask compare` has.

use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;
use comparison::Limits;
use comparison::metric::Metric;
use comparison::protocol::{Design, Preprocessing, TrainSize};
use comparison::record::Protocol;
use pyo3::prelude::*;
use tables::preprocessing::FeatureScaling;

use crate::error::{refused, wrong_value};

/// Options as Python has them.
#[derive(FromPyObject)]
pub struct Options {
    protocol: String,
    pub seeds: u64,
    pub trees: usize,
    pub metrics: Vec<String>,
    pub out: Option<PathBuf>,
    pub resume: bool,
    order: Option<String>,
    train: Option<String>,
    split: Option<String>,
    folds: Option<usize>,
    validation: Option<String>,
    delay: Option<usize>,
    scale: String,
    weights: String,
    components: Option<usize>,
    pub threads: usize,
    pub data_dir: Option<PathBuf>,
    max_memory: Option<u64>,
    time_limit: Option<f64>,
    pub command: String,
}

fn named<V: ValueEnum>(option: &str, text: &str) -> PyResult<V> {
    V::from_str(text, false).map_err(|_| {
        let variants = V::value_variants().iter();
        let known: Vec<String> = variants
            .filter_map(ValueEnum::to_possible_value)
            .map(|value| format!("{:?}", value.get_name()))
            .collect();
        wrong_value(format!(
            "{option} must be one of {}, but is {text:?}",
            known.join(", ")
        ))
    })
}

impl Options {
    /// Returns the protocols.
    ///
    /// # Errors
    /// Returns an error for another name.
    pub fn protocols(&self) -> PyResult<&'static [Protocol]> {
        Ok(match self.protocol.as_str() {
            "holdout" => &[Protocol::Holdout],
            "prequential" => &[Protocol::Prequential],
            "both" => &[Protocol::Holdout, Protocol::Prequential],
            "kfold" => &[Protocol::KFold],
            "prequential-kfold" => &[Protocol::PrequentialKFold],
            "delayed" => &[Protocol::Delayed],
            other => {
                return Err(wrong_value(format!(
                    "protocol must be one of \"holdout\", \"prequential\", \"both\", \"kfold\", \"prequential-kfold\", \"delayed\", but is {other:?}"
                )));
            }
        })
    }

    /// Returns the design.
    ///
    /// # Errors
    /// Returns an error for a name or number that is not possible.
    pub fn design(&self) -> PyResult<Design> {
        let default = Design::default();
        let order = self.order.as_deref().map(|text| named("order", text));
        let split = self.split.as_deref().map(|text| named("split", text));
        let validation = self
            .validation
            .as_deref()
            .map(|text| named("validation", text));
        let train = self.train.as_deref().map(str::parse::<TrainSize>);
        Ok(Design {
            order: order.transpose()?,
            train: train.transpose().map_err(refused)?,
            splitting: split.transpose()?.unwrap_or(default.splitting),
            folds: self.folds.unwrap_or(default.folds),
            validation: validation.transpose()?.unwrap_or(default.validation),
            delay: self.delay.unwrap_or(default.delay),
            preprocessing: Preprocessing {
                scaling: named::<FeatureScaling>("scale", &self.scale)?,
                weights: named("weights", &self.weights)?,
                components: self.components,
            },
        })
    }

    /// Returns the limits of a run.
    ///
    /// # Errors
    /// Returns an error for a time that is not positive.
    pub fn limits(&self) -> PyResult<Limits> {
        let time = self.time_limit.map(Duration::try_from_secs_f64);
        let time = time
            .transpose()
            .ok()
            .filter(|time| *time != Some(Duration::ZERO));
        let time = time.ok_or_else(|| {
            wrong_value("time_limit must be a number of seconds above 0".to_owned())
        })?;
        Ok(Limits {
            bytes: self.max_memory,
            time,
        })
    }
}

/// Returns metrics by their names.
///
/// # Errors
/// Returns an error for an unknown name.
pub fn metrics(names: &[String]) -> PyResult<Vec<Metric>> {
    let metrics = names.iter().map(|name| name.parse().map_err(refused));
    metrics.collect()
}

//! Named learners on data sets: which rows a run learns and is tested on, and what it measures.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result, bail, ensure};
use comparison::protocol::{Preprocessing, Samples, Table, Weights, shuffled};
use comparison::record::Measured;
use comparison::{BatchTask, measure};
use datasets::{Dataset, OpenOptions, Target};
use forest_core::{Classification, Regression};
use ndarray::{Array2, Axis, s};
use serde::{Deserialize, Serialize};
use tables::preprocessing::FeatureScaling;

use crate::functions::forest;

/// A named learner on a data set. The names of fields are keys of records.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Learn {
    pub data: Data,
    pub algorithm: String,
    pub trees: usize,
    pub passes: usize,
    pub training_error: bool,
}

/// Data of an item, and the rows of it that are used. The names of fields are keys of items and of records.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Data {
    /// The panel; not a part of runs.
    #[serde(default, skip_serializing)]
    pub name: String,
    /// As `compare --data` takes it, or a file in the data folder.
    pub address: String,
    /// Where to get what no command can fetch; not a part of runs.
    #[serde(default, skip_serializing)]
    pub get: Option<String>,
    #[serde(default)]
    split: Split,
    /// Rows that are learned, or their share if below 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    train: Option<f64>,
    /// The most rows that are tested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    test: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pca: Option<usize>,
    #[serde(default = "minmax")]
    scale: FeatureScaling,
    #[serde(default)]
    columns: Columns,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    target: Vec<TargetStep>,
    #[serde(default)]
    weights: Weights,
}

fn minmax() -> FeatureScaling {
    FeatureScaling::Minmax
}

/// The columns that are features.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Columns {
    /// From one to another, counted from 1.
    Range {
        from: usize,
        to: usize,
    },
    Named(Vec<String>),
    #[default]
    All,
}

/// How rows are divided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Split {
    /// The standard split, in the order of the file.
    #[default]
    Standard,
    /// The standard split, its training part shuffled.
    StandardShuffled,
    /// All rows shuffled: the first are learned.
    Random,
    /// The standard training part shuffled: the first are learned, the rest of it is tested.
    RandomOfTraining,
    /// The first rows are learned.
    Ordered,
}

/// What is done to numbers to be predicted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum TargetStep {
    /// The natural logarithm.
    Log,
    /// Mean 0 and variance 1.
    Standard,
}

type Values = BTreeMap<String, f64>;

impl Learn {
    /// Learns and tests.
    pub(crate) fn measure(&self, seed: u64, library: &Library) -> Result<Values> {
        let dataset = &*library.open(&self.data.address)?;
        match &dataset.target {
            Target::Classes { labels, .. } => {
                self.run::<Classification>(seed, dataset, labels, labels)
            }
            Target::Values { .. } => {
                let [observed, truth] = self.data.numbers(dataset)?;
                self.run::<Regression>(seed, dataset, &observed, &truth)
            }
        }
    }

    fn run<T: BatchTask>(
        &self,
        seed: u64,
        dataset: &Dataset,
        observed: &[T::Target],
        truth: &[T::Target],
    ) -> Result<Values> {
        let (train, test) = self.data.split(dataset, seed)?;
        let mut order = train.clone();
        // Every pass has another order.
        for pass in 1..self.passes as u64 {
            let pass = shuffled(train.len(), (seed << 16) + pass);
            order.extend(pass.into_iter().map(|row| train[row]));
        }
        let learned = order.len();
        order.extend(&test);
        let (targets, fitted) = ([observed, truth], train.len());
        let samples = self
            .data
            .samples(dataset, targets, &order, learned, fitted)?;
        let settings = forest(self.trees, seed);
        let tests = [learned..order.len(), 0..train.len()];
        let tests = &tests[..1 + usize::from(self.training_error)];
        let (measured, trees) = measure::<T>(&self.algorithm.parse()?, settings, &samples, tests)?;
        let mut values = values(&measured[0], trees);
        if let Some(training) = measured.get(1) {
            values.insert("training_error".to_owned(), percent_wrong(training));
        }
        Ok(values)
    }
}

impl Data {
    /// Takes rows of the observed targets and of those without noise, in this order.
    fn samples<V: Copy>(
        &self,
        dataset: &Dataset,
        [observed, truth]: [&[V]; 2],
        order: &[usize],
        learned: usize,
        fitted: usize,
    ) -> Result<Samples<V>> {
        let (features, target) = (&self.features(dataset)?, &dataset.target);
        let truth = Some(truth);
        let table = Table {
            features,
            target,
            observed,
            truth,
        };
        let (components, scaling, weights) = (self.pca, self.scale, self.weights);
        let preprocessing = Preprocessing {
            components,
            scaling,
            weights,
        };
        Ok(table.samples(&preprocessing, order, learned, fitted)?)
    }

    /// Returns numbers as observed and without noise.
    pub(crate) fn numbers(&self, dataset: &Dataset) -> Result<[Vec<f64>; 2]> {
        let Target::Values { values, noise_free } = &dataset.target else {
            bail!("`{}` has classes, not numbers", self.address);
        };
        let truth = noise_free.as_ref().unwrap_or(values);
        let mut numbers = [values.clone(), truth.clone()];
        for step in &self.target {
            let positive = numbers.iter().flatten().all(|&value| value > 0.0);
            let n = numbers[0].len() as f64;
            let mean = numbers[0].iter().sum::<f64>() / n;
            let squares = numbers[0].iter().map(|value| (value - mean).powi(2));
            let deviation = (squares.sum::<f64>() / n).sqrt();
            for value in numbers.iter_mut().flatten() {
                match step {
                    TargetStep::Log => *value = value.ln(),
                    TargetStep::Standard => *value = (*value - mean) / deviation,
                }
            }
            ensure!(
                positive || *step != TargetStep::Log,
                "a target is not positive, so it has no logarithm"
            );
        }
        Ok(numbers)
    }

    fn features(&self, dataset: &Dataset) -> Result<Array2<f32>> {
        let (address, width, known) = (&self.address, dataset.n_features(), &dataset.feature_names);
        match &self.columns {
            Columns::All => Ok(dataset.features.clone()),
            &Columns::Range { from, to } => {
                ensure!(
                    1 <= from && from <= to && to <= width,
                    "`{address}` has the columns 1 to {width}, not {from} to {to}"
                );
                Ok(dataset.features.slice(s![.., from - 1..to]).to_owned())
            }
            Columns::Named(names) => {
                let mut columns = Vec::new();
                for name in names {
                    let place = known.iter().position(|other| other == name);
                    columns.push(place.with_context(|| {
                        format!(
                            "`{address}` has no column `{name}`; available: {}",
                            known.join(", ")
                        )
                    })?);
                }
                Ok(dataset.features.select(Axis(1), &columns))
            }
        }
    }

    /// Returns the rows that are learned, and those that are tested.
    pub(crate) fn split(&self, dataset: &Dataset, seed: u64) -> Result<(Vec<usize>, Vec<usize>)> {
        let (address, all) = (&self.address, dataset.rows());
        let none = || format!("`{address}` has no standard split");
        let standard = dataset.split.with_context(none);
        // Of the order, the first `part` rows may be learned.
        let (order, part) = match self.split {
            Split::Standard => ((0..all).collect(), standard?),
            Split::StandardShuffled => {
                let standard = standard?;
                let mut order = shuffled(standard, seed);
                order.extend(standard..all);
                (order, standard)
            }
            Split::Random => (shuffled(all, seed), all),
            Split::RandomOfTraining => {
                let standard = standard?;
                (shuffled(standard, seed), standard)
            }
            Split::Ordered => ((0..all).collect(), all),
        };
        let train = match self.train {
            Some(share) if share < 1.0 => ((share * part as f64).round() as usize).max(1),
            Some(rows) => (rows as usize).min(part),
            None => part,
        };
        let test = &order[if part < order.len() { part } else { train }..];
        let most = self
            .test
            .map_or(usize::MAX, |most| most as usize)
            .min(test.len());
        ensure!(
            most > 0,
            "`{address}`: no row is left to test on; lower `train`, or choose another `split`"
        );
        Ok((order[..train].to_vec(), test[..most].to_vec()))
    }
}

/// Returns the metrics and costs of a run.
fn values(measured: &Measured, trees: usize) -> Values {
    let mut values = measured.metrics.clone();
    let is_of_classes = values.contains_key("accuracy");
    // Every inner node has two children.
    let leaves = |nodes: usize| (nodes as f64 / trees as f64 + 1.0) / 2.0;
    let nodes = measured.nodes.filter(|nodes| *nodes > 0 && trees > 0);
    for (name, value) in [
        ("error", is_of_classes.then(|| percent_wrong(measured))),
        ("mse", values.get("rmse").map(|rmse| rmse * rmse)),
        ("learn_seconds", Some(measured.learn_seconds)),
        ("predict_seconds", measured.predict_seconds),
        ("bytes", measured.model_bytes.map(|bytes| bytes as f64)),
        ("leaves", nodes.map(leaves)),
    ] {
        values.extend(value.map(|value| (name.to_owned(), value)));
    }
    values
}

fn percent_wrong(measured: &Measured) -> f64 {
    100.0 * (1.0 - measured.value)
}

/// The data sets that were opened last.
pub(crate) struct Library {
    folder: PathBuf,
    open: Mutex<VecDeque<(String, Arc<Dataset>)>>,
}

/// Items take sets in turn, seed by seed.
const OPEN: usize = 10;

impl Library {
    pub(crate) fn new(folder: &Path) -> Self {
        let (folder, open) = (folder.to_owned(), Mutex::default());
        Self { folder, open }
    }

    pub(crate) fn open(&self, address: &str) -> Result<Arc<Dataset>> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, dataset)) = open.iter().find(|(known, _)| known == address) {
            return Ok(dataset.clone());
        }
        let data_dir = Some(self.folder.clone());
        let options = OpenOptions {
            data_dir,
            ..OpenOptions::default()
        };
        let path = self.folder.join(address);
        let dataset = if path.is_file() {
            datasets::open(&path, &options)
        } else {
            datasets::open(address, &options)
        };
        let dataset = Arc::new(dataset?);
        open.truncate(OPEN - 1);
        open.push_front((address.to_owned(), dataset.clone()));
        Ok(dataset)
    }
}

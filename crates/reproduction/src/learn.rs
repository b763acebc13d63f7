//! Named learners on data sets: which rows a run learns and is tested on, and what it measures.

use std::collections::{BTreeMap, VecDeque};
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result, bail};
use comparison::protocol::{Preprocessing, Table, Weights, shuffled};
use comparison::record::Measured;
use comparison::{BatchTask, Contender, measure};
use datasets::{Dataset, OpenOptions, Target};
use forest_core::{Classification, Regression};
use ndarray::Axis;
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use tables::preprocessing::FeatureScaling;

use crate::functions::{Function, forest, mean};
use crate::runs::Row;

/// A named learner on a data set. The names of fields are keys of items and of records.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Learn {
    panel: String,
    series: String,
    /// As `compare --data` takes it, or a file in the data folder.
    address: String,
    /// `standard` (in the order of the file), `standard-shuffled` (its training part), `random` (all rows are shuffled, the first are learned),
    /// `random-of-training` (the same, of its training part) or `ordered` (the first are learned).
    split: Option<String>,
    /// Rows that are learned, or their share if below 1.
    train: Option<f64>,
    /// The most rows that are tested.
    test: Option<f64>,
    pca: Option<usize>,
    /// `minmax` by default.
    scale: Option<FeatureScaling>,
    weights: Option<Weights>,
    /// The columns that are features, from one to another, counted from 1; downwards if the first is the greater.
    columns: Option<[usize; 2]>,
    /// Whether numbers to be predicted are logarithms.
    log_target: Option<bool>,
    /// Whether they have mean 0 and variance 1.
    standard_target: Option<bool>,
    /// As `compare --algorithm` takes it.
    #[serde(rename = "use", deserialize_with = "parsed")]
    contender: Contender,
    trees: usize,
    /// How often the rows are learned, each time but the first in another order.
    passes: Option<NonZeroU64>,
    /// Whether it is also tested on the rows that it has learned.
    training_error: Option<bool>,
}

fn parsed<'de, D: Deserializer<'de>>(text: D) -> Result<Contender, D::Error> {
    String::deserialize(text)?.parse().map_err(D::Error::custom)
}

impl Function for Learn {
    fn rows(&self, seed: u64, x: Option<f64>, library: &Library) -> Result<Vec<Row>> {
        let data = &*library.open(&self.address)?;
        let mut row = Row::new((&self.panel, &self.series, x), &[]);
        row.values = match &data.target {
            Target::Classes { labels, .. } => {
                self.run::<Classification>(seed, data, labels, labels)?
            }
            Target::Values { values, noise_free } => {
                let mut targets = [values, noise_free.as_ref().unwrap_or(values)].map(Vec::clone);
                if self.log_target == Some(true) {
                    targets.iter_mut().flatten().for_each(|it| *it = it.ln());
                }
                if self.standard_target == Some(true) {
                    let center = mean(&targets[0]);
                    let squares = targets[0].iter().map(|it| (it - center).powi(2));
                    let deviation = mean(&squares.collect::<Vec<_>>()).sqrt();
                    for value in targets.iter_mut().flatten() {
                        *value = (*value - center) / deviation;
                    }
                }
                self.run::<Regression>(seed, data, &targets[0], &targets[1])?
            }
        };
        Ok(vec![row])
    }
}

impl Learn {
    /// Learns and tests.
    fn run<T: BatchTask>(
        &self,
        seed: u64,
        data: &Dataset,
        observed: &[T::Target],
        truth: &[T::Target],
    ) -> Result<BTreeMap<String, f64>> {
        let (train, test) = self.divide(data, seed)?;
        let mut order = train.clone();
        for pass in 1..self.passes.map_or(1, NonZeroU64::get) {
            let pass = shuffled(train.len(), (seed << 16) + pass);
            order.extend(pass.into_iter().map(|row| train[row]));
        }
        let learned = order.len();
        order.extend(&test);
        let chosen = self.columns.map(|[from, to]| {
            let mut columns: Vec<usize> = (from.min(to) - 1..from.max(to)).collect();
            columns.sort_by_key(|column| column.abs_diff(from - 1));
            data.features.select(Axis(1), &columns)
        });
        let features = chosen.as_ref().unwrap_or(&data.features);
        let preprocessing = Preprocessing {
            components: self.pca,
            scaling: self.scale.unwrap_or(FeatureScaling::Minmax),
            weights: self.weights.unwrap_or_default(),
        };
        let table = Table {
            features,
            target: &data.target,
            observed,
            truth: Some(truth),
        };
        let samples = table.samples(&preprocessing, &order, learned, train.len())?;
        let tests = [learned..order.len(), 0..train.len()];
        let tests = &tests[..1 + usize::from(self.training_error == Some(true))];
        let settings = forest(self.trees, seed);
        let (measured, trees) = measure::<T>(&self.contender, settings, &samples, tests)?;
        let mut values = measured[0].metrics.clone();
        let wrong = |it: &Measured| Some(100.0 * (1.0 - it.metrics.get("accuracy")?));
        let nodes = measured[0].nodes.filter(|nodes| *nodes > 0 && trees > 0);
        // Every inner node has two children.
        let leaves = nodes.map(|nodes| (nodes as f64 / trees as f64 + 1.0) / 2.0);
        for (name, value) in [
            ("error", wrong(&measured[0])),
            ("training_error", measured.get(1).and_then(wrong)),
            ("mse", values.get("rmse").map(|rmse| rmse * rmse)),
            ("learn_seconds", Some(measured[0].learn_seconds)),
            ("predict_seconds", measured[0].predict_seconds),
            ("bytes", measured[0].model_bytes.map(|bytes| bytes as f64)),
            ("leaves", leaves),
        ] {
            values.extend(value.map(|value| (name.to_owned(), value)));
        }
        Ok(values)
    }

    /// Returns the rows that are learned, and those that are tested.
    pub(crate) fn divide(&self, data: &Dataset, seed: u64) -> Result<(Vec<usize>, Vec<usize>)> {
        let (address, all) = (&self.address, data.rows());
        let standard = || {
            data.split
                .with_context(|| format!("`{address}` has no standard split"))
        };
        // Of so many rows, the first `part` may be learned.
        let (rows, part, is_shuffled) = match self.split.as_deref() {
            None | Some("standard") => (all, standard()?, false),
            Some("standard-shuffled") => (all, standard()?, true),
            Some("random") => (all, all, true),
            Some("random-of-training") => (standard()?, standard()?, true),
            Some("ordered") => (all, all, false),
            Some(other) => bail!("unknown split `{other}`"),
        };
        let mut order = if is_shuffled {
            shuffled(part, seed)
        } else {
            (0..part).collect()
        };
        order.extend(part..rows);
        let train = match self.train {
            Some(share) if share < 1.0 => ((share * part as f64).round() as usize).max(1),
            Some(rows) => (rows as usize).min(part),
            None => part,
        };
        let mut test = order.split_off(if part < order.len() { part } else { train });
        order.truncate(train);
        test.truncate(self.test.map_or(usize::MAX, |most| most as usize));
        if test.is_empty() {
            bail!("no row of `{address}` is left to test on");
        }
        Ok((order, test))
    }
}

/// The data sets that were opened last.
pub(crate) struct Library {
    folder: PathBuf,
    open: Mutex<VecDeque<(String, Arc<Dataset>)>>,
}

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
        let (path, data_dir) = (self.folder.join(address), Some(self.folder.clone()));
        let options = OpenOptions {
            data_dir,
            ..OpenOptions::default()
        };
        let source = if path.is_file() { path } else { address.into() };
        let dataset = Arc::new(datasets::open(source, &options)?);
        // Items take sets in turn, seed by seed.
        open.truncate(9);
        open.push_front((address.to_owned(), dataset.clone()));
        Ok(dataset)
    }
}

//! Named learners on data sets: which rows a run learns and is tested on, and what it measures.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result, bail, ensure};
use comparison::files::{make_folder, write_atomically};
use comparison::protocol::{Preprocessing, Samples, Table, Weights, shuffled};
use comparison::record::Measured;
use comparison::{BatchTask, Contender, measure};
use datasets::{Dataset, OpenOptions, Target, manifest};
use forest_core::{Classification, ForestSettings, Regression};
use ndarray::{Array2, Axis, s};
use serde::{Deserialize, Serialize};
use tables::preprocessing::FeatureScaling;

use crate::runs::{Task, Work};

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
    pub train: Option<Number>,
    /// The most rows that are tested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<Number>,
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

/// A number, or a text with variables until they are replaced.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Number {
    Value(f64),
    Text(String),
}

impl Number {
    fn value(&self) -> Option<f64> {
        match self {
            Self::Value(value) => Some(*value),
            Self::Text(_) => None,
        }
    }
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

impl Data {
    /// Returns why the data cannot be opened, if they are known not to be there.
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

    /// Learns and tests.
    pub(crate) fn measure(&self, work: &Work, seed: u64, library: &Library) -> Result<Values> {
        let dataset: &Dataset = &*library.open(&self.address)?;
        match &dataset.target {
            Target::Classes { labels, .. } => {
                self.measure_task::<Classification>(work, seed, dataset, labels, labels)
            }
            Target::Values { .. } => {
                let (observed, truth) = self.values(dataset)?;
                self.measure_task::<Regression>(work, seed, dataset, &observed, &truth)
            }
        }
    }

    fn measure_task<T: BatchTask>(
        &self,
        work: &Work,
        seed: u64,
        dataset: &Dataset,
        observed: &[T::Target],
        truth: &[T::Target],
    ) -> Result<Values> {
        let Work::Learn {
            algorithm,
            trees,
            passes,
            training_error,
            ..
        } = work
        else {
            bail!("it is a function");
        };
        let (train, test) = self.split(dataset, seed)?;
        let mut order = train.clone();
        // Every pass has another order.
        for pass in 1..*passes as u64 {
            let pass = shuffled(train.len(), (seed << 16) + pass);
            order.extend(pass.into_iter().map(|row| train[row]));
        }
        let learned = order.len();
        order.extend(&test);
        let samples = self.samples(dataset, observed, truth, &order, learned, train.len())?;
        let contender: Contender = algorithm.parse()?;
        let settings = ForestSettings::default().with_trees(*trees).with_seed(seed);
        let tests = [learned..order.len(), 0..train.len()];
        let tests = &tests[..1 + usize::from(*training_error)];
        let (measured, trees) = measure::<T>(&contender, settings, &samples, tests)?;
        let mut values = values(&measured[0], trees);
        if let Some(training) = measured.get(1) {
            values.insert("training_error".to_owned(), percent_wrong(training));
        }
        Ok(values)
    }

    fn samples<V: Copy>(
        &self,
        dataset: &Dataset,
        observed: &[V],
        truth: &[V],
        order: &[usize],
        learned: usize,
        fitted: usize,
    ) -> Result<Samples<V>> {
        let table = Table {
            features: &self.features(dataset)?,
            target: &dataset.target,
            observed,
            truth: Some(truth),
        };
        let preprocessing = Preprocessing {
            components: self.pca,
            scaling: self.scale,
            weights: self.weights,
        };
        Ok(table.samples(&preprocessing, order, learned, fitted)?)
    }

    /// Returns numbers as observed and without noise.
    fn values(&self, dataset: &Dataset) -> Result<(Vec<f64>, Vec<f64>)> {
        let Target::Values { values, noise_free } = &dataset.target else {
            bail!("`{}` has classes, not numbers", self.address);
        };
        let mut observed = values.clone();
        let mut truth = noise_free.as_ref().unwrap_or(values).clone();
        for step in &self.target {
            step.apply(&mut observed, &mut truth)?;
        }
        Ok((observed, truth))
    }

    fn features(&self, dataset: &Dataset) -> Result<Array2<f32>> {
        let (address, width) = (&self.address, dataset.n_features());
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
                let known = &dataset.feature_names;
                let place = |name: &String| {
                    let found = known.iter().position(|other| other == name);
                    let all = || known.join(", ");
                    found.with_context(|| {
                        format!("`{address}` has no column `{name}`; available: {}", all())
                    })
                };
                let columns = names.iter().map(place).collect::<Result<Vec<_>>>()?;
                Ok(dataset.features.select(Axis(1), &columns))
            }
        }
    }

    /// Returns the rows that are learned, and those that are tested.
    fn split(&self, dataset: &Dataset, seed: u64) -> Result<(Vec<usize>, Vec<usize>)> {
        let all = dataset.rows();
        let standard = dataset
            .split
            .with_context(|| format!("`{}` has no standard split", self.address));
        let (order, learned) = match self.split {
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
        self.cut(&order, learned)
    }

    /// Divides rows of which the first `part` may be learned.
    fn cut(&self, order: &[usize], part: usize) -> Result<(Vec<usize>, Vec<usize>)> {
        let train = match self.train.as_ref().and_then(Number::value) {
            Some(share) if share < 1.0 => ((share * part as f64).round() as usize).max(1),
            Some(rows) => (rows as usize).min(part),
            None => part,
        };
        let test = &order[if part < order.len() { part } else { train }..];
        let asked = self.test.as_ref().and_then(Number::value);
        let most = asked.map_or(test.len(), |most| (most as usize).min(test.len()));
        ensure!(
            most > 0,
            "`{}`: no row is left to test on; lower `train`, or choose another `split`",
            self.address
        );
        Ok((order[..train].to_vec(), test[..most].to_vec()))
    }

    fn write_rows(&self, task: &Task, library: &Library, stem: &Path) -> Result<()> {
        let dataset: &Dataset = &*library.open(&self.address)?;
        let (train, test) = self.split(dataset, task.seed)?;
        let (order, learned) = ([&train[..], &test].concat(), train.len());
        match &dataset.target {
            Target::Classes { labels, .. } => {
                let samples = self.samples(dataset, labels, labels, &order, learned, learned)?;
                write_samples(&samples, "class", stem)
            }
            Target::Values { .. } => {
                let (observed, truth) = self.values(dataset)?;
                let samples = self.samples(dataset, &observed, &truth, &order, learned, learned)?;
                write_samples(&samples, "number", stem)
            }
        }
    }
}

impl TargetStep {
    fn apply(self, observed: &mut [f64], truth: &mut [f64]) -> Result<()> {
        match self {
            Self::Log => {
                ensure!(
                    observed.iter().chain(&*truth).all(|&value| value > 0.0),
                    "a target is not positive, so it has no logarithm"
                );
                observed
                    .iter_mut()
                    .chain(truth)
                    .for_each(|value| *value = value.ln());
            }
            Self::Standard => {
                let n = observed.len() as f64;
                let mean = observed.iter().sum::<f64>() / n;
                let squares = observed.iter().map(|value| (value - mean).powi(2));
                let deviation = (squares.sum::<f64>() / n).sqrt();
                let all = observed.iter_mut().chain(truth);
                all.for_each(|value| *value = (*value - mean) / deviation);
            }
        }
        Ok(())
    }
}

/// Returns the metrics and costs of a run.
fn values(measured: &Measured, trees: usize) -> Values {
    let mut values = measured.metrics.clone();
    let mut set = |name: &str, value: f64| values.extend([(name.to_owned(), value)]);
    if measured.metrics.contains_key("accuracy") {
        set("error", percent_wrong(measured));
    }
    if let Some(rmse) = measured.metrics.get("rmse") {
        set("mse", rmse * rmse);
    }
    set("learn_seconds", measured.learn_seconds);
    if let Some(seconds) = measured.predict_seconds {
        set("predict_seconds", seconds);
    }
    if let Some(bytes) = measured.model_bytes {
        set("bytes", bytes as f64);
    }
    if let Some(nodes) = measured.nodes.filter(|nodes| *nodes > 0 && trees > 0) {
        // Every inner node has two children.
        set("leaves", (nodes as f64 / trees as f64 + 1.0) / 2.0);
    }
    values
}

fn percent_wrong(measured: &Measured) -> f64 {
    100.0 * (1.0 - measured.value)
}

/// Writes the rows that runs learn and are tested on, for programs whose values are recorded: once, or for each seed that draws them.
pub(crate) fn write_rows(tasks: &[Task], library: &Library, folder: &Path) -> Result<()> {
    make_folder(folder)?;
    let mut written = BTreeSet::new();
    for task in tasks {
        let Work::Learn { data, .. } = &task.work else {
            continue;
        };
        let draws = !matches!(data.split, Split::Standard | Split::Ordered);
        if written.insert((&task.panel, &data.address, draws.then_some(task.seed))) {
            data.write_rows(
                task,
                library,
                &folder.join(format!("{}-{}", task.panel, task.seed)),
            )?;
        }
        library.keep_only(|address| address == data.address);
    }
    Ok(())
}

fn write_samples<V: Copy + Display>(samples: &Samples<V>, target: &str, stem: &Path) -> Result<()> {
    for (part, rows) in [
        ("train", 0..samples.learned),
        ("test", samples.learned..samples.observed.len()),
    ] {
        let mut table = csv::Writer::from_writer(Vec::new());
        let names = (0..samples.features.ncols()).map(|feature| format!("x{feature}"));
        table.write_record(names.chain([target.to_owned()]))?;
        for row in rows {
            let cells = samples.features.row(row).into_iter().map(f32::to_string);
            table.write_record(cells.chain([samples.truth(row).to_string()]))?;
        }
        let path = stem.with_added_extension(part).with_added_extension("csv");
        write_atomically(&path, &table.into_inner()?)?;
    }
    Ok(())
}

/// Open data sets.
#[derive(Debug)]
pub(crate) struct Library {
    folder: PathBuf,
    open: Mutex<BTreeMap<String, Arc<Dataset>>>,
}

impl Library {
    pub(crate) fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            open: Mutex::default(),
        }
    }

    pub(crate) fn open(&self, address: &str) -> Result<Arc<Dataset>> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(dataset) = open.get(address) {
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
        open.insert(address.to_owned(), dataset.clone());
        Ok(dataset)
    }

    /// Forgets all others.
    pub(crate) fn keep_only(&self, needed: impl Fn(&str) -> bool) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|address, _| needed(address));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(text: &str) -> Data {
        toml::from_str(&format!("address = 'data'\n{text}")).unwrap()
    }

    #[test]
    fn a_share_of_the_training_part_leaves_the_rest_of_it_to_test() {
        let order: Vec<usize> = (0..10).collect();
        let random = data("split = 'random-of-training'\ntrain = 0.25");
        let (train, test) = random.cut(&order[..8], 8).unwrap();
        assert_eq!((train.len(), test.len()), (2, 6));
        let (train, test) = data("train = 0.5\ntest = 1").cut(&order, 8).unwrap();
        assert_eq!((train, test), (vec![0, 1, 2, 3], vec![8]));
        assert!(data("split = 'random'").cut(&order, 10).is_err());
    }

    #[test]
    fn standard_targets_have_mean_0_and_variance_1_after_logarithms() {
        let (mut observed, mut truth) = (vec![1.0, 10.0, 100.0], vec![10.0, 10.0, 10.0]);
        TargetStep::Log.apply(&mut observed, &mut truth).unwrap();
        TargetStep::Standard
            .apply(&mut observed, &mut truth)
            .unwrap();
        assert!(observed.iter().sum::<f64>().abs() < 1e-12 && truth[0].abs() < 1e-12);
        assert!((observed.iter().map(|v| v * v).sum::<f64>() - 3.0).abs() < 1e-12);
        assert!(TargetStep::Log.apply(&mut [-1.0], &mut []).is_err());
    }

    #[test]
    fn data_exist_if_their_files_do() {
        let folder = tempfile::tempdir().unwrap();
        let data: Data = toml::from_str("address = 'king_county_sales'").unwrap();
        let reason = data.missing(folder.path()).unwrap();
        assert!(reason.contains("data fetch king_county_sales"), "{reason}");
        let files = folder.path().join("king_county_housing");
        std::fs::create_dir(&files).unwrap();
        assert!(data.missing(folder.path()).is_some());
        std::fs::write(files.join("kc_house_data.csv.gz"), "").unwrap();
        assert_eq!(data.missing(folder.path()), None);
    }
}

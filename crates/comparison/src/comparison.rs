//! Comparisons, planned and checked before anything runs.

mod remarks;
mod setting;

use datasets::Dataset;

use crate::protocol::online::full_algorithm;
use crate::protocol::{Design, Preprocessing, Split};
use crate::record::{Protocol, Record, Setting, task_name};
use crate::{AnyAlgorithm, Identity, SetupError};

pub use remarks::remarks;
use setting::setting;

type Result<V> = std::result::Result<V, SetupError>;

/// A data set under a protocol, and the algorithms that are compared on it: one table of the result.
#[derive(Debug)]
pub struct Comparison<'a> {
    /// The data.
    pub dataset: &'a Dataset,
    /// The description of the data and protocol that its records carry.
    pub setting: Setting,
    /// How the hold-out divides the rows.
    pub split: Split,
    /// What is done to the features.
    pub preprocessing: Preprocessing,
    /// The algorithms that support the task under the protocol.
    pub algorithms: Vec<AnyAlgorithm>,
}

/// Plans every data set under every protocol. Without `algorithms`, one of each family that learns online.
///
/// # Errors
/// Returns an error for a name given twice, or a design that does not fit these data.
pub fn comparisons<'a>(
    datasets: &'a [Dataset],
    algorithms: &[AnyAlgorithm],
    protocols: &[Protocol],
    design: &Design,
) -> Result<Vec<Comparison<'a>>> {
    check_unique(
        "data set",
        datasets.iter().map(|dataset| dataset.name.clone()),
    )?;
    check_unique("algorithm", algorithms.iter().map(AnyAlgorithm::to_string))?;
    check_every_algorithm_has_data(algorithms, datasets)?;
    let pairs = datasets
        .iter()
        .flat_map(|dataset| protocols.iter().map(move |protocol| (dataset, *protocol)));
    let pairs = pairs
        .filter(|(dataset, protocol)| !protocol.is_stream() || has_online(algorithms, dataset));
    let comparisons =
        pairs.map(|(dataset, protocol)| Comparison::new(dataset, protocol, algorithms, design));
    let comparisons: Vec<_> = comparisons.collect::<Result<_>>()?;
    if comparisons.is_empty() {
        Err(SetupError::of_option(
            "--protocol",
            "offline algorithms cannot be measured along a stream; use --protocol holdout, or add an algorithm that learns online".to_owned(),
        ))
    } else {
        Ok(comparisons)
    }
}

/// Returns whether an algorithm that supports `dataset` learns online, or no algorithm supports it (reported separately).
fn has_online(asked: &[AnyAlgorithm], dataset: &Dataset) -> bool {
    let mut able = asked
        .iter()
        .filter(|a| a.supports(dataset.task()))
        .peekable();
    able.peek().is_none() || able.any(|algorithm| !algorithm.is_offline())
}

impl<'a> Comparison<'a> {
    /// Plans one data set under one protocol. Algorithms that do not support its task or protocol are left out; without
    /// `algorithms`, one of each family that learns online.
    ///
    /// # Errors
    /// Returns an error if no algorithm is left, or the design does not fit the data.
    pub fn new(
        dataset: &'a Dataset,
        protocol: Protocol,
        algorithms: &[AnyAlgorithm],
        design: &Design,
    ) -> Result<Self> {
        let split = Split::new(dataset, design.train, design.splitting)?;
        let preprocessing = design.preprocessing;
        preprocessing.check(dataset)?;
        check_folds(dataset, protocol, design.folds)?;
        check_delay(dataset, protocol, design.delay)?;
        Ok(Self {
            dataset,
            setting: setting(dataset, protocol, &split, design),
            split,
            preprocessing,
            algorithms: able(algorithms, dataset, protocol)?,
        })
    }

    /// Returns whether the run has been recorded: with the same seed, and an [`Identity`] that agrees.
    pub fn is_recorded(
        &self,
        records: &[Record],
        algorithm: &AnyAlgorithm,
        trees: usize,
        seed: u64,
    ) -> bool {
        let label = algorithm.to_string();
        let mut same = records
            .iter()
            .filter(|record| record.seed == seed && record.label == label)
            .filter(|record| record.setting == self.setting)
            .peekable();
        if same.peek().is_none() {
            return false;
        }
        let Setting {
            task, n_features, ..
        } = self.setting;
        let params =
            full_algorithm(algorithm, task, n_features, trees).map(|stated| stated.params());
        let planned = Identity::planned(&self.setting, &label, trees, params.as_ref());
        same.any(|record| Identity::of(record).agrees(&planned))
    }

    /// Returns the number of rows that one run learns and tests.
    pub fn rows_per_run(&self) -> usize {
        let Setting {
            n_train, n_test, ..
        } = self.setting;
        match self.setting.protocol {
            Protocol::Holdout => n_train + n_test,
            Protocol::KFold => n_train * self.setting.folds.unwrap_or(1) + n_test,
            Protocol::Prequential | Protocol::Delayed => n_train,
            Protocol::PrequentialKFold => n_train * self.setting.folds.unwrap_or(1),
        }
    }
}

fn check_folds(dataset: &Dataset, protocol: Protocol, folds: usize) -> Result<()> {
    let rows = dataset.rows();
    let has_folds = [Protocol::KFold, Protocol::PrequentialKFold].contains(&protocol);
    if has_folds && !(2..=rows).contains(&folds) {
        let message = format!(
            "{folds} folds: `{}` has {rows} rows; choose from 2 to {rows}",
            dataset.name
        );
        Err(SetupError::of_option("--folds", message))
    } else {
        Ok(())
    }
}

/// Checks that at least one row is predicted after a label has arrived.
fn check_delay(dataset: &Dataset, protocol: Protocol, delay: usize) -> Result<()> {
    let rows = dataset.rows();
    if protocol == Protocol::Delayed && delay > rows - 2 {
        let message = format!(
            "labels {delay} rows late: `{}` has {rows} rows, so no row would be predicted after a label has arrived; choose from 0 to {}",
            dataset.name,
            rows - 2
        );
        Err(SetupError::of_option("--delay", message))
    } else {
        Ok(())
    }
}

/// Returns the requested algorithms (by default, [`AnyAlgorithm::defaults`]) that support the task and protocol.
fn able(
    asked: &[AnyAlgorithm],
    dataset: &Dataset,
    protocol: Protocol,
) -> Result<Vec<AnyAlgorithm>> {
    let mut algorithms = if asked.is_empty() {
        AnyAlgorithm::defaults().collect()
    } else {
        asked.to_vec()
    };
    algorithms.retain(|algorithm| algorithm.supports(dataset.task()));
    algorithms.retain(|algorithm| !(protocol.is_stream() && algorithm.is_offline()));
    if algorithms.is_empty() {
        Err(SetupError::new(format!(
            "`{}` is a {} data set, which the listed algorithms do not support; add one that does",
            dataset.name,
            task_name(dataset.task())
        )))
    } else {
        Ok(algorithms)
    }
}

fn check_every_algorithm_has_data(asked: &[AnyAlgorithm], datasets: &[Dataset]) -> Result<()> {
    let idle = |algorithm: &&AnyAlgorithm| {
        let mut datasets = datasets.iter();
        !datasets.any(|dataset| algorithm.supports(dataset.task()))
    };
    match (asked.iter().find(idle), datasets.first()) {
        (Some(algorithm), Some(dataset)) => Err(SetupError::new(format!(
            "`{algorithm}` or one of its parameters does not support {}, the task of all data; leave it out or add other data",
            task_name(dataset.task())
        ))),
        _ => Ok(()),
    }
}

fn check_unique(kind: &'static str, names: impl Iterator<Item = String>) -> Result<()> {
    let mut names: Vec<String> = names.collect();
    names.sort();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(SetupError::new(format!(
            "the {kind} `{}` is listed twice; list it once",
            pair[0]
        ))),
        None => Ok(()),
    }
}

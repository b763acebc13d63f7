//! What is compared, decided and checked before anything runs.

use datasets::{Dataset, Target};
use online_forests::Algorithm;

use crate::metric::Metric;
use crate::protocol::{Design, Order, Preprocessing, Split};
use crate::record::{Protocol, Record, Reference, Setting, task_name};
use crate::report::number;
use crate::{AnyAlgorithm, SetupError};

type Result<V> = std::result::Result<V, SetupError>;

/// A stream is divided into this many windows,
const WINDOWS: usize = 50;
/// but a window has at least this many rows.
const SMALLEST_WINDOW: usize = 20;

/// A data set under a protocol, and the algorithms that are compared on it: one table of the result.
#[derive(Debug)]
pub struct Comparison<'a> {
    /// The data.
    pub dataset: &'a Dataset,
    /// What its records say of it.
    pub setting: Setting,
    /// How the hold-out divides the rows.
    pub split: Split,
    /// The order in which the prequential protocol visits the rows.
    pub order: Order,
    /// What is done to the features.
    pub preprocessing: Preprocessing,
    /// Those that can do the task under the protocol.
    pub algorithms: Vec<AnyAlgorithm>,
}

/// Every data set under every protocol. Without `algorithms`, one of each family that learns online.
///
/// # Errors
/// What is named twice, or cannot be done with these data.
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
    match comparisons.is_empty() {
        true => Err(SetupError::OnlyOffline),
        false => Ok(comparisons),
    }
}

/// What is not done as asked, and why, in words.
pub fn remarks(
    datasets: &[Dataset],
    algorithms: &[AnyAlgorithm],
    protocols: &[Protocol],
    design: &Design,
) -> Vec<String> {
    let remarks = datasets.iter().flat_map(|dataset| {
        let (name, task) = (&dataset.name, task_name(dataset.task()));
        let unable = algorithms.iter();
        let unable = unable.filter(|algorithm| !algorithm.supports(dataset.task()));
        let left_out = unable.map(move |algorithm| {
            format!("{name}: `{algorithm}` is left out, it does not do {task}")
        });
        left_out.chain(Split::remark(dataset, design.train, design.splitting))
    });
    let streams = protocols.iter().any(|protocol| protocol.is_stream());
    let offline = algorithms.iter().filter(|a| streams && a.is_offline());
    let offline = offline.map(|algorithm| {
        format!(
            "prequential: `{algorithm}` is left out, it sees all training rows at once (offline)"
        )
    });
    remarks.chain(offline).collect()
}

/// Whether some algorithm that can do `dataset` learns online; if none can do it, that is an error of its own.
fn has_online(asked: &[AnyAlgorithm], dataset: &Dataset) -> bool {
    let mut able = asked
        .iter()
        .filter(|a| a.supports(dataset.task()))
        .peekable();
    able.peek().is_none() || able.any(|algorithm| !algorithm.is_offline())
}

impl<'a> Comparison<'a> {
    /// One data set under one protocol. Algorithms that cannot do its task or protocol are left out; without
    /// `algorithms`, one of each family that learns online.
    ///
    /// # Errors
    /// No algorithm is left, or the design does not fit the data.
    pub fn new(
        dataset: &'a Dataset,
        protocol: Protocol,
        algorithms: &[AnyAlgorithm],
        design: &Design,
    ) -> Result<Self> {
        let split = Split::new(dataset, design.train, design.splitting)?;
        let (order, preprocessing) = (design.order, design.preprocessing);
        preprocessing.check(dataset)?;
        check_folds(dataset, protocol, design.folds)?;
        Ok(Self {
            dataset,
            setting: setting(dataset, protocol, &split, design),
            split,
            order,
            preprocessing,
            algorithms: able(algorithms, dataset, protocol)?,
        })
    }

    /// Whether there is a record of this run: the same setting, algorithm, trees and seed.
    pub fn is_recorded(
        &self,
        records: &[Record],
        algorithm: &AnyAlgorithm,
        trees: usize,
        seed: u64,
    ) -> bool {
        let label = algorithm.to_string();
        records.iter().any(|record| {
            // Of what has no trees, their number is 0.
            let trees = [0, trees].contains(&record.trees);
            let run = record.seed == seed && record.label == label && trees;
            run && record.setting == self.setting
        })
    }

    /// Rows that one run learns and tests.
    pub fn rows_per_run(&self) -> usize {
        let Setting {
            n_train, n_test, ..
        } = self.setting;
        match self.setting.protocol {
            Protocol::Holdout => n_train + n_test,
            Protocol::KFold => n_train * self.setting.folds.unwrap_or(1) + n_test,
            Protocol::Prequential | Protocol::Delayed => n_train,
        }
    }
}

fn setting(dataset: &Dataset, protocol: Protocol, split: &Split, design: &Design) -> Setting {
    let Design {
        order,
        folds,
        delay,
        preprocessing,
        ..
    } = design;
    let rows = dataset.rows();
    let window = (rows / WINDOWS).max(SMALLEST_WINDOW).min(rows);
    let ((n_train, n_test), split, window) = match protocol {
        Protocol::Holdout => (split.sizes(rows), split.to_string(), None),
        Protocol::KFold => {
            let learned = rows - rows / folds;
            let words = format!("{folds} parts of a shuffle per seed, each tested once");
            ((learned, rows), words, None)
        }
        Protocol::Prequential => {
            let words = describe_stream(*order, window);
            ((rows, rows), words, Some(window))
        }
        Protocol::Delayed => {
            let late = number::count(*delay as f64);
            let words = format!(
                "{}, labels {late} rows late",
                describe_stream(*order, window)
            );
            ((rows, rows), words, Some(window))
        }
    };
    Setting {
        dataset: dataset.name.clone(),
        data_sha256: dataset.sha256.clone(),
        task: dataset.task(),
        protocol,
        split,
        preprocessing: preprocessing.describe(protocol),
        n_train,
        n_test,
        n_features: preprocessing.n_features(dataset),
        n_classes: dataset.n_classes(),
        metric: Metric::of(dataset.task()),
        reference: reference(&dataset.target, protocol),
        folds: (protocol == Protocol::KFold).then_some(*folds),
        delay: (protocol == Protocol::Delayed).then_some(*delay),
        window,
        changes: match order {
            Order::Stream if protocol.is_stream() => dataset.changes.clone(),
            _ => Vec::new(),
        },
        best_accuracy: dataset.best_accuracy,
    }
}

fn check_folds(dataset: &Dataset, protocol: Protocol, folds: usize) -> Result<()> {
    let rows = dataset.rows();
    match protocol == Protocol::KFold && !(2..=rows).contains(&folds) {
        false => Ok(()),
        true => Err(SetupError::Folds {
            folds,
            dataset: dataset.name.clone(),
            rows,
        }),
    }
}

fn describe_stream(order: Order, window: usize) -> String {
    let order = match order {
        Order::Stream => "every row in stream order",
        Order::Shuffled => "every row, shuffled per seed",
    };
    format!("{order}, windows of {} rows", number::count(window as f64))
}

/// A stream shows observed targets only; a hold-out of generated data can compare with the truth.
fn reference(target: &Target, protocol: Protocol) -> Reference {
    match (target, protocol) {
        (
            Target::Values {
                noise_free: Some(_),
                ..
            },
            Protocol::Holdout | Protocol::KFold,
        ) => Reference::NoiseFree,
        _ => Reference::Observed,
    }
}

/// Those asked for (one of each family that learns online, if none was) that support the task of `dataset`, under `protocol`.
fn able(
    asked: &[AnyAlgorithm],
    dataset: &Dataset,
    protocol: Protocol,
) -> Result<Vec<AnyAlgorithm>> {
    let mut algorithms = match asked.is_empty() {
        true => {
            let online = Algorithm::all().filter(|known| !known.is_variant());
            online.map(AnyAlgorithm::Online).collect()
        }
        false => asked.to_vec(),
    };
    algorithms.retain(|algorithm| algorithm.supports(dataset.task()));
    algorithms.retain(|algorithm| !(protocol.is_stream() && algorithm.is_offline()));
    match algorithms.is_empty() {
        true => Err(SetupError::NoAlgorithm {
            dataset: dataset.name.clone(),
            task: task_name(dataset.task()),
        }),
        false => Ok(algorithms),
    }
}

fn check_every_algorithm_has_data(asked: &[AnyAlgorithm], datasets: &[Dataset]) -> Result<()> {
    let idle = |algorithm: &&AnyAlgorithm| {
        let mut datasets = datasets.iter();
        !datasets.any(|dataset| algorithm.supports(dataset.task()))
    };
    match (asked.iter().find(idle), datasets.first()) {
        (Some(algorithm), Some(dataset)) => Err(SetupError::NoData {
            algorithm: algorithm.to_string(),
            task: task_name(dataset.task()),
        }),
        _ => Ok(()),
    }
}

fn check_unique(kind: &'static str, names: impl Iterator<Item = String>) -> Result<()> {
    let mut names: Vec<String> = names.collect();
    names.sort();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(SetupError::Twice {
            kind,
            name: pair[0].clone(),
        }),
        None => Ok(()),
    }
}

//! What is to be run, decided (and refused, if it cannot be) before anything runs.

use anyhow::{Result, bail, ensure};
use datasets::{Dataset, Target, TaskKind};
use forest_core::{Classification, Regression, Task};
use online_forests::Algorithm;

use super::args::{Args, Protocols};
use super::metric::{Metric, Scored};
use super::prepare::Preprocessing;
use super::record::{Protocol, Reference, Setting};
use super::split::Split;

/// Generated data of three kinds: classes, numbers, and numbers that no single axis explains.
const DEFAULT_DATA: [&str; 3] = [
    "gaussian-mixture:n=5000",
    "friedman:n=5000",
    "mondrian-cube:n=5000",
];

/// A stream is cut into this many windows,
const WINDOWS: usize = 50;
/// but a window has at least this many rows.
const SMALLEST_WINDOW: usize = 20;

/// A data set under a protocol, and the algorithms that meet there: one table of the result.
#[derive(Debug)]
pub struct Contest<'a> {
    /// The data.
    pub dataset: &'a Dataset,
    /// What the records of this contest share.
    pub setting: Setting,
    /// How rows are divided for the hold-out.
    pub split: Split,
    /// What is done to the features.
    pub preprocessing: Preprocessing,
    /// Who takes part.
    pub algorithms: Vec<Algorithm>,
}

/// Opens every data set that was asked for.
///
/// # Errors
/// The first that cannot be opened, or a name that occurs twice.
pub fn open(args: &Args) -> Result<Vec<Dataset>> {
    let defaults = DEFAULT_DATA.map(str::to_owned);
    let addresses = if args.data.is_empty() {
        &defaults[..]
    } else {
        &args.data[..]
    };
    let options = args.open_options();
    let opened = addresses
        .iter()
        .map(|address| Ok(datasets::open(address, &options)?));
    let datasets = opened.collect::<Result<Vec<_>>>()?;
    no_repeats(
        "data set",
        datasets.iter().map(|dataset| dataset.name.clone()),
    )?;
    Ok(datasets)
}

/// The contests of a comparison: every data set under every protocol.
///
/// # Errors
/// An algorithm that is named twice or can do none of the tasks; a split or a number of components
/// that the data cannot give.
pub fn contests<'a>(args: &Args, datasets: &'a [Dataset]) -> Result<Vec<Contest<'a>>> {
    no_repeats(
        "algorithm",
        args.algorithms.iter().map(Algorithm::to_string),
    )?;
    every_algorithm_is_of_use(&args.algorithms, datasets)?;
    let mut contests = Vec::new();
    for dataset in datasets {
        for protocol in protocols(args.protocol) {
            contests.push(contest(args, dataset, protocol)?);
        }
    }
    Ok(contests)
}

impl Contest<'_> {
    /// Rows that one run learns and tests.
    pub fn rows_per_run(&self) -> usize {
        match self.setting.protocol {
            Protocol::Holdout => self.setting.n_train + self.setting.n_test,
            Protocol::Prequential => self.setting.n_train,
        }
    }
}

fn contest<'a>(args: &Args, dataset: &'a Dataset, protocol: Protocol) -> Result<Contest<'a>> {
    let split = Split::new(dataset, args.train)?;
    let preprocessing = Preprocessing::new(args.scale, args.pca, dataset)?;
    Ok(Contest {
        dataset,
        setting: setting(dataset, protocol, &split, &preprocessing),
        split,
        preprocessing,
        algorithms: algorithms(&args.algorithms, dataset.task())?,
    })
}

fn setting(
    dataset: &Dataset,
    protocol: Protocol,
    split: &Split,
    preprocessing: &Preprocessing,
) -> Setting {
    let rows = dataset.rows();
    let (n_train, n_test) = match protocol {
        Protocol::Holdout => split.sizes(rows),
        Protocol::Prequential => (rows, rows),
    };
    let window = (rows / WINDOWS).max(SMALLEST_WINDOW).min(rows);
    Setting {
        dataset: dataset.name.clone(),
        data_sha256: dataset.sha256.clone(),
        task: task_name(dataset.task()),
        protocol,
        split: order(protocol, split),
        preprocessing: preprocessing.describe(protocol),
        n_train,
        n_test,
        n_features: preprocessing.features(dataset),
        n_classes: dataset.n_classes(),
        metric: metric(dataset.task()),
        reference: reference(&dataset.target, protocol),
        window: (protocol == Protocol::Prequential).then_some(window),
    }
}

fn order(protocol: Protocol, split: &Split) -> String {
    match protocol {
        Protocol::Holdout => split.to_string(),
        Protocol::Prequential => "every row in stream order".to_owned(),
    }
}

/// A stream shows observed targets only; a hold-out of generated data can ask for the truth.
fn reference(target: &Target, protocol: Protocol) -> Reference {
    match (target, protocol) {
        (
            Target::Values {
                noise_free: Some(_),
                ..
            },
            Protocol::Holdout,
        ) => Reference::NoiseFree,
        _ => Reference::Observed,
    }
}

fn protocols(asked: Protocols) -> Vec<Protocol> {
    match asked {
        Protocols::Holdout => vec![Protocol::Holdout],
        Protocols::Prequential => vec![Protocol::Prequential],
        Protocols::Both => vec![Protocol::Holdout, Protocol::Prequential],
    }
}

fn task_name(task: TaskKind) -> &'static str {
    match task {
        TaskKind::Classification => Classification::NAME,
        TaskKind::Regression => Regression::NAME,
    }
}

fn metric(task: TaskKind) -> Metric {
    match task {
        TaskKind::Classification => Classification::METRIC,
        TaskKind::Regression => Regression::METRIC,
    }
}

fn can_do(algorithm: &Algorithm, task: TaskKind) -> bool {
    match task {
        TaskKind::Classification => algorithm.supports::<Classification>(),
        TaskKind::Regression => algorithm.supports::<Regression>(),
    }
}

/// Those asked for (all, if none was) that can do `task`.
fn algorithms(asked: &[Algorithm], task: TaskKind) -> Result<Vec<Algorithm>> {
    let mut able = if asked.is_empty() {
        Algorithm::all().collect()
    } else {
        asked.to_vec()
    };
    able.retain(|algorithm| can_do(algorithm, task));
    ensure!(
        !able.is_empty(),
        "none of the algorithms can do {}",
        task_name(task)
    );
    Ok(able)
}

fn every_algorithm_is_of_use(asked: &[Algorithm], datasets: &[Dataset]) -> Result<()> {
    for algorithm in asked {
        let of_use = datasets
            .iter()
            .any(|dataset| can_do(algorithm, dataset.task()));
        let data: Vec<&str> = datasets
            .iter()
            .map(|dataset| dataset.name.as_str())
            .collect();
        let data = data.join("`, `");
        ensure!(
            of_use,
            "`{algorithm}`, as it is given, can do nothing with `{data}`: another task"
        );
    }
    Ok(())
}

fn no_repeats(kind: &str, names: impl Iterator<Item = String>) -> Result<()> {
    let mut names: Vec<String> = names.collect();
    names.sort();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => bail!("the {kind} `{}` is given twice; name it once", pair[0]),
        None => Ok(()),
    }
}

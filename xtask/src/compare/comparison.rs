//! What is compared, decided and checked before anything runs.

use anyhow::{Result, bail, ensure};
use datasets::{Dataset, Target, TaskKind};
use forest_core::{Classification, Regression, Task as _};
use online_forests::Algorithm;

use super::algorithm::AnyAlgorithm;
use super::args::{Args, Order, Protocols};
use super::metric::Metric;
use super::number;
use super::record::{Protocol, Reference, Setting};
use super::rows::Preprocessing;
use super::split::Split;

/// Generated data of three kinds: classes, numbers, and classes that no single axis explains.
const DEFAULT_DATA: [&str; 3] = [
    "gaussian-mixture:n=5000",
    "friedman:n=5000",
    "mondrian-cube:n=5000",
];

/// A stream is divided into this many windows,
const WINDOWS: usize = 50;
/// but a window has at least this many rows.
const SMALLEST_WINDOW: usize = 20;

/// A data set under a protocol, and the algorithms that are compared on it: one table of the result.
#[derive(Debug)]
pub struct Comparison<'a> {
    pub dataset: &'a Dataset,
    pub setting: Setting,
    /// How the hold-out divides the rows.
    pub split: Split,
    /// The order in which the prequential protocol visits the rows.
    pub order: Order,
    pub preprocessing: Preprocessing,
    pub algorithms: Vec<AnyAlgorithm>,
}

/// Opens every data set that was asked for.
pub fn open(args: &Args) -> Result<Vec<Dataset>> {
    let defaults = DEFAULT_DATA.map(str::to_owned);
    let asked = match args.data.is_empty() {
        true => &defaults[..],
        false => &args.data[..],
    };
    let options = args.open_options();
    let opened = asked
        .iter()
        .map(|address| datasets::open(address, &options));
    let datasets = opened.collect::<Result<Vec<_>, _>>()?;
    let names = datasets.iter().map(|dataset| dataset.name.clone());
    check_unique("data set", names)?;
    Ok(datasets)
}

/// Every data set under every protocol.
pub fn comparisons<'a>(args: &Args, datasets: &'a [Dataset]) -> Result<Vec<Comparison<'a>>> {
    let asked = &args.algorithms;
    check_unique("algorithm", asked.iter().map(AnyAlgorithm::to_string))?;
    check_every_algorithm_has_data(asked, datasets)?;
    let protocols: &[Protocol] = match args.protocol {
        Protocols::Holdout => &[Protocol::Holdout],
        Protocols::Prequential => &[Protocol::Prequential],
        Protocols::Both => &[Protocol::Holdout, Protocol::Prequential],
    };
    let pairs = datasets
        .iter()
        .flat_map(|dataset| protocols.iter().map(move |p| (dataset, *p)));
    let pairs = pairs
        .filter(|(dataset, protocol)| *protocol == Protocol::Holdout || has_online(asked, dataset));
    let comparisons = pairs.map(|(dataset, protocol)| Comparison::new(args, dataset, protocol));
    let comparisons: Vec<_> = comparisons.collect::<Result<_>>()?;
    ensure!(
        !comparisons.is_empty(),
        "offline algorithms cannot be measured along a stream; use --protocol holdout, or name one \
         that learns online"
    );
    Ok(comparisons)
}

/// What is not done as asked, and why, in words.
pub fn remarks(args: &Args, datasets: &[Dataset]) -> Vec<String> {
    let remarks = datasets.iter().flat_map(|dataset| {
        let (name, task) = (&dataset.name, task_name(dataset.task()));
        let unable = args.algorithms.iter();
        let unable = unable.filter(|algorithm| !algorithm.supports(dataset.task()));
        let left_out = unable.map(move |algorithm| {
            format!("{name}: `{algorithm}` is left out, it does not do {task}")
        });
        left_out.chain(Split::remark(dataset, args.train))
    });
    let streams = args.protocol != Protocols::Holdout;
    let offline = args.algorithms.iter().filter(|a| streams && a.is_offline());
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
    fn new(args: &Args, dataset: &'a Dataset, protocol: Protocol) -> Result<Self> {
        let split = Split::new(dataset, args.train)?;
        let preprocessing = Preprocessing::new(args, dataset)?;
        Ok(Self {
            dataset,
            setting: setting(dataset, protocol, (&split, args.order), &preprocessing),
            split,
            order: args.order,
            preprocessing,
            algorithms: algorithms(&args.algorithms, dataset, protocol)?,
        })
    }

    /// Rows that one run learns and tests.
    pub fn rows_per_run(&self) -> usize {
        match self.setting.protocol {
            Protocol::Holdout => self.setting.n_train + self.setting.n_test,
            Protocol::Prequential => self.setting.n_train,
        }
    }
}

fn setting(
    dataset: &Dataset,
    protocol: Protocol,
    (split, order): (&Split, Order),
    preprocessing: &Preprocessing,
) -> Setting {
    let rows = dataset.rows();
    let window = (rows / WINDOWS).max(SMALLEST_WINDOW).min(rows);
    let ((n_train, n_test), split, window) = match protocol {
        Protocol::Holdout => (split.sizes(rows), split.to_string(), None),
        Protocol::Prequential => ((rows, rows), describe_stream(order, window), Some(window)),
    };
    Setting {
        dataset: dataset.name.clone(),
        data_sha256: dataset.sha256.clone(),
        task: task_name(dataset.task()),
        protocol,
        split,
        preprocessing: preprocessing.describe(protocol),
        n_train,
        n_test,
        n_features: preprocessing.n_features(dataset),
        n_classes: dataset.n_classes(),
        metric: Metric::of(dataset.task()),
        reference: reference(&dataset.target, protocol),
        window,
        changes: match (protocol, order) {
            (Protocol::Prequential, Order::Stream) => dataset.changes.clone(),
            _ => Vec::new(),
        },
        best_accuracy: dataset.best_accuracy,
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
            Protocol::Holdout,
        ) => Reference::NoiseFree,
        _ => Reference::Observed,
    }
}

/// `classification` or `regression`.
fn task_name(task: TaskKind) -> &'static str {
    match task {
        TaskKind::Classification => Classification::NAME,
        TaskKind::Regression => Regression::NAME,
    }
}

/// Those asked for (one of each family that learns online, if none was) that support the task of `dataset`, under `protocol`.
fn algorithms(
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
    algorithms.retain(|algorithm| protocol == Protocol::Holdout || !algorithm.is_offline());
    let (name, task) = (&dataset.name, task_name(dataset.task()));
    ensure!(
        !algorithms.is_empty(),
        "no algorithm that was named can do `{name}`, which is {task}"
    );
    Ok(algorithms)
}

fn check_every_algorithm_has_data(asked: &[AnyAlgorithm], datasets: &[Dataset]) -> Result<()> {
    for algorithm in asked {
        let task = task_name(datasets[0].task());
        ensure!(
            datasets
                .iter()
                .any(|dataset| algorithm.supports(dataset.task())),
            "`{algorithm}` or a parameter of it is not for {task}, and no other data is given"
        );
    }
    Ok(())
}

fn check_unique(kind: &str, names: impl Iterator<Item = String>) -> Result<()> {
    let mut names: Vec<String> = names.collect();
    names.sort();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => bail!("the {kind} `{}` is given twice; name it once", pair[0]),
        None => Ok(()),
    }
}

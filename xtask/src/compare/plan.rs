//! What is to be run, decided (and refused, if it cannot be) before anything runs.

use anyhow::{Result, bail, ensure};
use datasets::{Dataset, TaskKind};
use forest_core::{Classification, Regression};
use online_forests::Algorithm;

use super::args::{Args, Order, Protocols};
use super::preprocess::Preprocessing;
use super::record::{Protocol, Setting};
use super::setting::{self, task_name};
use super::split::Split;

/// Generated data of three kinds: classes, numbers, and numbers that no single axis explains.
const DEFAULT_DATA: [&str; 3] = [
    "gaussian-mixture:n=5000",
    "friedman:n=5000",
    "mondrian-cube:n=5000",
];

/// A data set under a protocol, and the algorithms that meet there: one table of the result.
#[derive(Debug)]
pub struct Comparison<'a> {
    /// The data.
    pub dataset: &'a Dataset,
    /// What the records of this comparison share.
    pub setting: Setting,
    /// How rows are divided for the hold-out.
    pub split: Split,
    /// The order in which the prequential protocol visits the rows.
    pub order: Order,
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

/// What is compared: every data set under every protocol.
///
/// # Errors
/// An algorithm that is named twice or can do none of the tasks; a split or a number of components
/// that the data cannot give.
pub fn comparisons<'a>(args: &Args, datasets: &'a [Dataset]) -> Result<Vec<Comparison<'a>>> {
    no_repeats(
        "algorithm",
        args.algorithms.iter().map(Algorithm::to_string),
    )?;
    every_algorithm_is_of_use(&args.algorithms, datasets)?;
    let mut comparisons = Vec::new();
    for dataset in datasets {
        for protocol in protocols(args.protocol) {
            comparisons.push(comparison(args, dataset, protocol)?);
        }
    }
    Ok(comparisons)
}

impl Comparison<'_> {
    /// Rows that one run learns and tests.
    pub fn rows_per_run(&self) -> usize {
        match self.setting.protocol {
            Protocol::Holdout => self.setting.n_train + self.setting.n_test,
            Protocol::Prequential => self.setting.n_train,
        }
    }
}

fn comparison<'a>(args: &Args, dataset: &'a Dataset, protocol: Protocol) -> Result<Comparison<'a>> {
    let split = Split::new(dataset, args.train)?;
    let preprocessing = Preprocessing::new(args.scale, args.pca, dataset)?;
    Ok(Comparison {
        dataset,
        setting: setting::describe(dataset, protocol, (&split, args.order), &preprocessing),
        split,
        order: args.order,
        preprocessing,
        algorithms: algorithms(&args.algorithms, dataset)?,
    })
}

fn protocols(asked: Protocols) -> Vec<Protocol> {
    match asked {
        Protocols::Holdout => vec![Protocol::Holdout],
        Protocols::Prequential => vec![Protocol::Prequential],
        Protocols::Both => vec![Protocol::Holdout, Protocol::Prequential],
    }
}

fn can_do(algorithm: &Algorithm, task: TaskKind) -> bool {
    match task {
        TaskKind::Classification => algorithm.supports::<Classification>(),
        TaskKind::Regression => algorithm.supports::<Regression>(),
    }
}

/// Those asked for (all, if none was) that can do the task of `dataset`.
fn algorithms(asked: &[Algorithm], dataset: &Dataset) -> Result<Vec<Algorithm>> {
    let mut able = if asked.is_empty() {
        Algorithm::all().collect()
    } else {
        asked.to_vec()
    };
    able.retain(|algorithm| can_do(algorithm, dataset.task()));
    let (name, task) = (&dataset.name, task_name(dataset.task()));
    ensure!(
        !able.is_empty(),
        "no algorithm that was named can do `{name}`, which is {task}"
    );
    Ok(able)
}

/// What is not done as asked, and why, in words.
pub fn remarks(args: &Args, datasets: &[Dataset]) -> Vec<String> {
    let remarks = datasets.iter().flat_map(|dataset| {
        let idle = args
            .algorithms
            .iter()
            .filter(|algorithm| !can_do(algorithm, dataset.task()));
        let idle = idle.map(|algorithm| left_out(algorithm, dataset));
        idle.chain(Split::remark(dataset, args.train))
    });
    remarks.collect()
}

fn left_out(algorithm: &Algorithm, dataset: &Dataset) -> String {
    let (name, task) = (&dataset.name, task_name(dataset.task()));
    format!("{name}: `{algorithm}` is left out, it does not do {task}")
}

fn every_algorithm_is_of_use(asked: &[Algorithm], datasets: &[Dataset]) -> Result<()> {
    for algorithm in asked {
        let of_use = datasets
            .iter()
            .any(|dataset| can_do(algorithm, dataset.task()));
        let task = task_name(datasets[0].task());
        ensure!(
            of_use,
            "`{algorithm}` or a parameter of it is not for {task}, and no other data is given"
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

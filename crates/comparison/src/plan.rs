//! Comparisons, planned and checked before anything runs.

use datasets::{Dataset, Target};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::metric::Metric;
use crate::protocol::{Design, Split};
use crate::record::{Order, Protocol, Record, Reference, Setting, WEIGHTS, task_name};
use crate::{Contender, SetupError};

/// Points of a curve, and the fewest rows of one.
const WINDOWS: usize = 50;
const SMALLEST_WINDOW: usize = 20;
/// Bytes of a key: that two keys of a million are the same has a chance of 3e-8.
const KEY_BYTES: usize = 8;

type Result<V> = std::result::Result<V, SetupError>;

/// Algorithms that are compared on one data set under one protocol.
#[derive(Debug)]
pub struct Comparison<'a> {
    /// The data.
    pub dataset: &'a Dataset,
    /// The setting that its records share.
    pub setting: Setting,
    /// Those that support the task and the protocol.
    pub contenders: Vec<Contender>,
}

/// Plans a comparison for each data set and protocol, with the algorithms that support both; without any, the default ones.
///
/// # Errors
/// Returns an error for duplicates, for an algorithm that supports no task of the data, and for a design that does not fit the data.
pub fn comparisons<'a>(
    datasets: &'a [Dataset],
    contenders: &[Contender],
    protocols: &[Protocol],
    design: &Design,
) -> Result<Vec<Comparison<'a>>> {
    check_unique(
        "data set",
        datasets.iter().map(|dataset| dataset.name.clone()),
    )?;
    check_unique("algorithm", contenders.iter().map(Contender::to_string))?;
    let is_idle = |one: &&Contender| datasets.iter().all(|data| !one.supports(data.task()));
    if let (Some(idle), Some(data)) = (contenders.iter().find(is_idle), datasets.first()) {
        return Err(SetupError::new(format!(
            "`{idle}` or one of its parameters does not support {}, the task of all data; leave it out or add other data",
            task_name(data.task())
        )));
    }
    let mut comparisons = Vec::new();
    for dataset in datasets {
        let mut able = contenders
            .iter()
            .filter(|one| one.supports(dataset.task()))
            .peekable();
        let has_online = able.peek().is_none() || able.any(|one| !one.is_offline());
        for &protocol in protocols {
            if has_online || !protocol.is_stream() {
                comparisons.push(Comparison::new(dataset, protocol, contenders, design)?);
            }
        }
    }
    if comparisons.is_empty() {
        return Err(SetupError::of_option(
            "--protocol",
            "offline algorithms cannot be measured along a stream; use --protocol holdout, or add an algorithm that learns online".to_owned(),
        ));
    }
    Ok(comparisons)
}

impl<'a> Comparison<'a> {
    /// Plans one comparison.
    ///
    /// # Errors
    /// Returns an error for a design that does not fit the data, and if no algorithm supports its task.
    pub fn new(
        dataset: &'a Dataset,
        protocol: Protocol,
        asked: &[Contender],
        design: &Design,
    ) -> Result<Self> {
        let setting = setting(dataset, protocol, design)?;
        let mut contenders: Vec<Contender> = match asked {
            [] => Contender::defaults().collect(),
            _ => asked.to_vec(),
        };
        contenders.retain(|one| one.supports(dataset.task()));
        contenders.retain(|one| !(protocol.is_stream() && one.is_offline()));
        if has_missing(dataset) {
            contenders.retain(|one| one.takes_missing(dataset.task(), setting.n_features));
        }
        if contenders.is_empty() {
            return Err(SetupError::new(format!(
                "`{}` is a {} data set, which the listed algorithms do not support; add one that does",
                dataset.name,
                task_name(dataset.task())
            )));
        }
        Ok(Self {
            dataset,
            setting,
            contenders,
        })
    }

    /// Returns the key of the runs of an algorithm, and whether that uses the number of trees.
    pub(crate) fn key(&self, contender: &Contender, trees: usize) -> (String, bool) {
        let Setting {
            task, n_features, ..
        } = self.setting;
        let (mut params, has_trees) = contender.planned(task, n_features, trees);
        params.remove(WEIGHTS); // the data may have decided it
        let trees = has_trees.then_some(trees);
        let names = (contender.to_string(), contender.text());
        (digest(&(&self.setting, names, params, trees)), has_trees)
    }

    /// Returns whether there is a record of the run.
    pub fn is_recorded(
        &self,
        records: &[Record],
        contender: &Contender,
        trees: usize,
        seed: u64,
    ) -> bool {
        let mut of_seed = records
            .iter()
            .filter(|record| record.seed == seed)
            .peekable();
        of_seed.peek().is_some() && {
            let (key, _) = self.key(contender, trees);
            of_seed.any(|record| record.key == key)
        }
    }

    /// Returns how many rows a run learns and predicts.
    pub fn rows_per_run(&self) -> usize {
        let Setting {
            n_train,
            n_test,
            protocol,
            folds,
            ..
        } = self.setting;
        match protocol {
            Protocol::Holdout => n_train + n_test,
            Protocol::KFold => n_train * folds.unwrap_or(1) + n_test,
            _ => n_train * folds.unwrap_or(1),
        }
    }
}

fn digest(value: &impl Serialize) -> String {
    let json = serde_json::to_vec(value).expect("every key is a string");
    let digest = Sha256::digest(json);
    let digits = digest.iter().take(KEY_BYTES);
    digits.map(|byte| format!("{byte:02x}")).collect()
}

fn setting(dataset: &Dataset, protocol: Protocol, design: &Design) -> Result<Setting> {
    let (name, rows, folds) = (&dataset.name, dataset.rows(), design.folds);
    let split = Split::new(dataset, design.train, design.splitting)?;
    let (components, features) = (design.preprocessing.components, dataset.n_features());
    if let Some(asked) = components.filter(|asked| *asked > features) {
        let message =
            format!("{asked} principal components: `{name}` has only {features} features");
        return Err(SetupError::of_option("--pca", message));
    }
    let has_folds = [Protocol::KFold, Protocol::PrequentialKFold].contains(&protocol);
    if has_folds && !(2..=rows).contains(&folds) {
        let message = format!("{folds} folds: `{name}` has {rows} rows; choose from 2 to {rows}");
        return Err(SetupError::of_option("--folds", message));
    }
    let (delay, most) = (design.delay, rows - 2);
    if protocol == Protocol::Delayed && delay > most {
        let message = format!(
            "labels {delay} rows late: `{name}` has {rows} rows, so no row would be predicted after a label has arrived; choose from 0 to {most}"
        );
        return Err(SetupError::of_option("--delay", message));
    }
    let is_stream = protocol.is_stream();
    let order = if is_stream {
        Some(design.order.unwrap_or_default())
    } else {
        design.order
    };
    let (n_train, n_test) = match protocol {
        Protocol::Holdout => split.sizes(rows),
        Protocol::KFold => (rows - rows / folds, rows),
        _ => (rows, rows),
    };
    let is_noise_free = matches!(
        &dataset.target,
        Target::Values {
            noise_free: Some(_),
            ..
        }
    );
    let keeps_changes = is_stream && order == Some(Order::Stream);
    Ok(Setting {
        dataset: name.clone(),
        data_sha256: dataset.sha256.clone(),
        rows_sha256: dataset.rows_sha256(),
        target: dataset.target_name.clone(),
        task: dataset.task(),
        protocol,
        split: (protocol == Protocol::Holdout).then_some(split),
        order,
        preprocessing: design.preprocessing,
        n_train,
        n_test,
        n_features: components.unwrap_or(features),
        n_classes: dataset.n_classes(),
        metric: Metric::of(dataset.task()),
        // Along a stream, the targets as observed.
        reference: if is_noise_free && !is_stream {
            Reference::NoiseFree
        } else {
            Reference::Observed
        },
        folds: has_folds.then_some(folds),
        validation: (protocol == Protocol::PrequentialKFold).then_some(design.validation),
        delay: (protocol == Protocol::Delayed).then_some(delay),
        window: is_stream.then(|| (rows / WINDOWS).max(SMALLEST_WINDOW).min(rows)),
        changes: if keeps_changes {
            dataset.changes.clone()
        } else {
            Vec::new()
        },
        best_accuracy: dataset.best_accuracy,
    })
}

fn check_unique(kind: &str, names: impl Iterator<Item = String>) -> Result<()> {
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

/// Returns remarks that a user should read before anything runs: which algorithms are left out where, and what is odd about the data.
pub fn remarks(
    datasets: &[Dataset],
    contenders: &[Contender],
    protocols: &[Protocol],
    design: &Design,
) -> Vec<String> {
    let mut remarks = Vec::new();
    for dataset in datasets {
        let (name, task) = (&dataset.name, dataset.task());
        for one in contenders.iter().filter(|one| !one.supports(task)) {
            let task = task_name(task);
            remarks.push(format!(
                "{name}: `{one}` is left out, it does not support {task}"
            ));
        }
        if has_missing(dataset) {
            for one in contenders.iter().filter(|one| one.supports(task)) {
                if !one.takes_missing(task, dataset.n_features()) {
                    remarks.push(format!(
                        "{name}: `{one}` is left out, it takes no missing values and no categories"
                    ));
                }
            }
        }
        remarks.extend(Split::remark(dataset, design.train, design.splitting));
        remarks.extend(single_rows(dataset));
        let split = Split::new(dataset, design.train, design.splitting);
        let is_shuffled = matches!(split, Ok(Split::Shuffled { .. }));
        match &dataset.ascending_dates {
            Some(dates) if is_shuffled && protocols.contains(&Protocol::Holdout) => remarks.push(format!(
                "{name}: the rows are sorted by the dates in `{dates}`, but the hold-out shuffles them, so earlier rows are \
                 tested after later ones have been learned; use --split chronological to test on the last rows"
            )),
            _ => {}
        }
    }
    if protocols.iter().any(|protocol| protocol.is_stream()) {
        for one in contenders.iter().filter(|one| one.is_offline()) {
            remarks.push(format!(
                "prequential: `{one}` is left out, it sees all training rows at once (offline)"
            ));
        }
    }
    remarks
}

/// Returns whether features are missing, or categories.
fn has_missing(dataset: &Dataset) -> bool {
    dataset.features.iter().any(|value| !value.is_finite())
}

/// Names classes of one row, which no run learns before it tests them.
fn single_rows(dataset: &Dataset) -> Option<String> {
    let Target::Classes { labels, names } = &dataset.target else {
        return None;
    };
    let mut rows = vec![0; names.len()];
    labels.iter().for_each(|&label| rows[label as usize] += 1);
    let single: Vec<&String> = names
        .iter()
        .zip(rows)
        .filter(|(_, rows)| *rows == 1)
        .map(|(name, _)| name)
        .collect();
    let classes = match single[..] {
        [] => return None,
        [one] => format!("the class `{one}` has one row"),
        [first, ..] => format!(
            "{} classes have one row each, such as `{first}`",
            single.len()
        ),
    };
    Some(format!(
        "{}: {classes}: no run learns it before it is tested",
        dataset.name
    ))
}

#[cfg(test)]
mod tests {
    use datasets::{OpenOptions, open};

    use super::*;
    use crate::protocol::{Preprocessing, Splitting, TrainSize, Validation, Weights};
    use tables::preprocessing::FeatureScaling;

    /// Each change is another run, and has a key of its own.
    #[test]
    fn whatever_decides_a_measure_is_in_its_key() {
        let data = ["friedman:n=60,test=20", "friedman:n=61,test=20"];
        let data = data.map(|address| open(address, &OpenOptions::default()).unwrap());
        let key = |data: &Dataset, protocol, design: &Design, text: &str, trees| {
            let contender: Contender = text.parse().unwrap();
            let asked = [contender.clone()];
            Comparison::new(data, protocol, &asked, design)
                .unwrap()
                .key(&contender, trees)
                .0
        };
        let plain = Design {
            delay: 70,
            ..Design::default()
        };
        let of = |design: &Design| {
            [
                Protocol::Holdout,
                Protocol::KFold,
                Protocol::Prequential,
                Protocol::PrequentialKFold,
                Protocol::Delayed,
            ]
            .map(|protocol| key(&data[0], protocol, design, "mondrian", 2))
        };
        let mut keys = of(&plain).to_vec();
        let preprocessed = |components, scaling, weights| Design {
            preprocessing: Preprocessing {
                components,
                scaling,
                weights,
            },
            ..plain
        };
        let (none, raw, equal) = (None, FeatureScaling::None, Weights::Equal);
        for (design, changed) in [
            (
                Design {
                    order: Some(Order::Shuffled),
                    ..plain
                },
                &[0, 1, 2, 3, 4][..],
            ),
            (
                Design {
                    train: Some(TrainSize::Rows(30)),
                    ..plain
                },
                &[0],
            ),
            (
                Design {
                    splitting: Splitting::Repeated,
                    ..plain
                },
                &[0],
            ),
            (Design { folds: 3, ..plain }, &[1, 3]),
            (
                Design {
                    validation: Validation::Split,
                    ..plain
                },
                &[3],
            ),
            (Design { delay: 5, ..plain }, &[4]),
            (preprocessed(Some(2), raw, equal), &[0, 1, 2, 3, 4]),
            (
                preprocessed(none, FeatureScaling::Minmax, equal),
                &[0, 1, 2, 3, 4],
            ),
            (
                preprocessed(none, raw, Weights::Variances),
                &[0, 1, 2, 3, 4],
            ),
        ] {
            for (place, key) in of(&design).into_iter().enumerate() {
                assert_eq!(
                    keys.contains(&key),
                    !changed.contains(&place),
                    "{design:?}, {place}"
                );
                if changed.contains(&place) {
                    keys.push(key);
                }
            }
        }
        let hold_out = |data, text, trees| key(data, Protocol::Holdout, &plain, text, trees);
        for (data, text, trees) in [
            (&data[1], "mondrian", 2),
            (&data[0], "mondrian:budget=1", 2),
            (&data[0], "mean", 2),
            (&data[0], "batch-dynamic-extra-trees", 2),
            (&data[0], "batch-dynamic-extra-trees", 3),
            (&data[0], "mondrian", 3),
        ] {
            let key = hold_out(data, text, trees);
            assert!(!keys.contains(&key), "{text} {trees}");
            keys.push(key);
        }
        assert_eq!(
            hold_out(&data[0], "mean", 3),
            hold_out(&data[0], "mean", 2),
            "it has no trees"
        );
    }
}

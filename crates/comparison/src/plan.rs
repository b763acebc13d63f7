//! Comparisons, planned and checked before anything runs.

use std::collections::BTreeSet;

use datasets::{Dataset, Target};
use sha2::{Digest as _, Sha256};

use crate::metric::Metric;
use crate::number::counted;
use crate::protocol::{Design, Order, Protocol, Split, Splitting, train_rows};
use crate::record::{Reference, Setting, WEIGHTS, task_name};
use crate::{Contender, SetupError};

/// Points of a curve, and the fewest rows of one.
const WINDOWS: usize = 50;
const SMALLEST_WINDOW: usize = 20;
/// Bytes of a key: among a million keys, two are equal with a probability of 3e-8.
const KEY_BYTES: usize = 8;

type Result<V> = std::result::Result<V, SetupError>;

fn refused<V>(option: Option<&'static str>, message: String) -> Result<V> {
    Err(SetupError::new(option, message))
}

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

/// Plans a comparison for each data set and protocol with the algorithms, given or by default, that support both.
///
/// # Errors
/// Returns an error for duplicates, an algorithm that supports no task of the data, or a design that does not fit.
pub fn comparisons<'a>(
    datasets: &'a [Dataset],
    contenders: &[Contender],
    protocols: &[Protocol],
    design: &Design,
) -> Result<Vec<Comparison<'a>>> {
    let Some(first) = datasets.first() else {
        return refused(None, "a comparison needs a data set".to_owned());
    };
    check_unique("data set", datasets.iter().map(|data| data.name.clone()))?;
    check_unique("algorithm", contenders.iter().map(Contender::to_string))?;
    let is_idle = |one: &&Contender| datasets.iter().all(|data| !one.supports(data.task()));
    if let Some(idle) = contenders.iter().find(is_idle) {
        let message = format!(
            "`{idle}` or one of its parameters does not support {}, the task of all data; leave it out or add other \
             data",
            task_name(first.task())
        );
        return refused(None, message);
    }
    let mut comparisons = Vec::new();
    for dataset in datasets {
        let mut able = contenders.to_vec();
        able.retain(|one| one.supports(dataset.task()));
        let all_offline = !able.is_empty() && able.iter().all(Contender::is_offline);
        for &protocol in protocols {
            if !(all_offline && protocol.is_stream()) {
                comparisons.push(Comparison::new(dataset, protocol, contenders, design)?);
            }
        }
    }
    if comparisons.is_empty() {
        let message = "offline algorithms cannot be measured along a stream; use --protocol holdout, or add an \
                       algorithm that learns online";
        return refused(Some("--protocol"), message.to_owned());
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
        let mut asked = asked.to_vec();
        if asked.is_empty() {
            asked.extend(Contender::defaults());
        }
        let obstacles = obstacles(&asked, dataset);
        let mut contenders = Vec::new();
        let mut reasons = Vec::new();
        for (one, obstacle) in asked.into_iter().zip(obstacles) {
            if protocol.is_stream() && one.is_offline() {
                reasons.push(format!("`{one}` sees all training rows at once"));
            } else if let Some(why) = obstacle {
                reasons.push(format!("`{one}` {why}"));
            } else {
                contenders.push(one);
            }
        }
        if contenders.is_empty() {
            let message = format!(
                "no listed algorithm can learn `{}` ({}); add one that can",
                dataset.name,
                reasons.join(", ")
            );
            return refused(None, message);
        }
        Ok(Self {
            dataset,
            setting,
            contenders,
        })
    }

    /// Returns the key of the runs of an algorithm, and the number of trees if it depends on that, else 0.
    pub(crate) fn key(&self, contender: &Contender, trees: usize) -> (String, usize) {
        let mut planned = contender.planned(self.setting.task, self.setting.n_features, trees);
        planned.params.remove(WEIGHTS); // the data may have decided it
        let names = (contender.to_string(), contender.text());
        let in_key = planned.has_trees.then_some(trees);
        let decisive = (&self.setting, names, planned.params, in_key);
        let json = serde_json::to_vec(&decisive).expect("every key is a string");
        let digest = Sha256::digest(json).into_iter().take(KEY_BYTES);
        let key = digest.map(|byte| format!("{byte:02x}")).collect();
        (key, in_key.unwrap_or(0))
    }

    /// Returns how many rows a run learns and predicts.
    pub fn rows_per_run(&self) -> usize {
        let setting = &self.setting;
        let learned = setting.n_train * setting.folds.unwrap_or(1);
        if setting.protocol.is_stream() {
            return learned;
        }
        learned + setting.n_test
    }
}

fn setting(dataset: &Dataset, protocol: Protocol, design: &Design) -> Result<Setting> {
    let name = &dataset.name;
    let rows = dataset.rows();
    let features = dataset.n_features();
    let components = design.preprocessing.components;
    let split = Split::new(dataset, design)?;
    let has_folds = matches!(protocol, Protocol::KFold | Protocol::PrequentialKFold);
    let folds = design.folds.unwrap_or(10);
    let delay = design.delay.unwrap_or(100);
    if let Some(asked) = components.filter(|asked| !(1..=features).contains(asked)) {
        let message = format!(
            "{asked} principal components: `{name}` has only {}; choose from 1 to {features}",
            counted(features, "feature")
        );
        return refused(Some("--pca"), message);
    }
    if has_folds && !(2..=rows).contains(&folds) {
        let message = format!("{folds} folds: `{name}` has {rows} rows; choose from 2 to {rows}");
        return refused(Some("--folds"), message);
    }
    if protocol == Protocol::Delayed && delay > rows - 2 {
        let message = format!(
            "labels {delay} rows late: `{name}` has {rows} rows, so no row would be predicted after a label has \
             arrived; choose from 0 to {}",
            rows - 2
        );
        return refused(Some("--delay"), message);
    }
    let is_stream = protocol.is_stream();
    let order = design.order.or(is_stream.then(Order::default));
    let (n_train, n_test) = match protocol {
        Protocol::Holdout => (split.train, rows - split.first_tested()),
        Protocol::KFold => (rows - rows / folds, rows),
        _ => (rows, rows),
    };
    // Along a stream, the targets as observed.
    let reference = match &dataset.target {
        Target::Values {
            noise_free: Some(_),
            ..
        } if !is_stream => Reference::NoiseFree,
        _ => Reference::Observed,
    };
    let keeps_changes = is_stream && order == Some(Order::Stream);
    let changes = keeps_changes.then(|| dataset.changes.clone());
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
        reference,
        folds: has_folds.then_some(folds),
        validation: (protocol == Protocol::PrequentialKFold)
            .then(|| design.validation.unwrap_or_default()),
        delay: (protocol == Protocol::Delayed).then_some(delay),
        window: is_stream.then(|| (rows / WINDOWS).max(SMALLEST_WINDOW).min(rows)),
        changes: changes.unwrap_or_default(),
        best_accuracy: dataset.best_accuracy,
    })
}

fn check_unique(kind: &str, names: impl Iterator<Item = String>) -> Result<()> {
    let mut known = BTreeSet::new();
    for name in names {
        if !known.insert(name.clone()) {
            let message = format!("the {kind} `{name}` is listed twice; list it once");
            return refused(None, message);
        }
    }
    Ok(())
}

/// Returns remarks for users, before anything runs: which algorithms are left out, and what is odd about the data.
pub fn remarks(
    datasets: &[Dataset],
    contenders: &[Contender],
    protocols: &[Protocol],
    design: &Design,
) -> Vec<String> {
    let mut remarks = Vec::new();
    for dataset in datasets {
        let name = &dataset.name;
        for (one, obstacle) in contenders.iter().zip(obstacles(contenders, dataset)) {
            remarks.extend(obstacle.map(|why| format!("{name}: `{one}` is left out, it {why}")));
        }
        let is_standard = design.split.unwrap_or_default() == Splitting::Standard;
        if let Some((rows, asked)) = dataset.split.filter(|_| is_standard).zip(design.train)
            && train_rows(asked, rows) > rows
        {
            remarks.push(format!(
                "{name}: the standard training part has only {rows} rows; all are learned"
            ));
        }
        let split = Split::new(dataset, design);
        let is_shuffled = split.is_ok_and(|split| split.kind == Splitting::Repeated);
        if let Some(dates) = dataset.ascending_dates.as_ref().filter(|_| is_shuffled)
            && protocols.contains(&Protocol::Holdout)
        {
            remarks.push(format!(
                "{name}: the rows are sorted by the dates in `{dates}`, but the hold-out shuffles them, so earlier \
                 rows are tested after later ones have been learned; use --split chronological to test on the last rows"
            ));
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

/// Returns for each algorithm why it cannot learn a data set, if it cannot.
fn obstacles(contenders: &[Contender], dataset: &Dataset) -> Vec<Option<String>> {
    let task = dataset.task();
    let has_missing = dataset.features.iter().any(|value| !value.is_finite());
    let mut obstacles = Vec::new();
    for one in contenders {
        obstacles.push(if !one.supports(task) {
            Some(format!("does not support {}", task_name(task)))
        } else if has_missing && !one.planned(task, dataset.n_features(), 1).takes_missing {
            Some("takes no missing values and no categories".to_owned())
        } else {
            None
        });
    }
    obstacles
}

#[cfg(test)]
mod tests {
    use datasets::{OpenOptions, open};
    use tables::preprocessing::FeatureScaling;

    use super::*;
    use crate::protocol::{Validation, Weights};

    #[test]
    fn without_data_nothing_is_planned() {
        let error = comparisons(&[], &[], &[Protocol::Holdout], &Design::default()).unwrap_err();
        assert_eq!(error.to_string(), "a comparison needs a data set");
    }

    /// Each change is another run, and has a key of its own.
    #[test]
    fn whatever_decides_a_measure_is_in_its_key() {
        let data = ["friedman:n=60,test=20", "friedman:n=61,test=20"];
        let data = data.map(|address| open(address, &OpenOptions::default()).unwrap());
        let key = |data: &Dataset, protocol, design: &Design, text: &str, trees| {
            let asked = [text.parse().unwrap()];
            let comparison = Comparison::new(data, protocol, &asked, design).unwrap();
            comparison.key(&asked[0], trees).0
        };
        let changed = |mut design: Design, change: fn(&mut Design)| {
            change(&mut design);
            design
        };
        let plain = changed(Design::default(), |it| it.delay = Some(70));
        use Protocol::{Delayed, Holdout, KFold, Prequential, PrequentialKFold};
        let protocols = [Holdout, KFold, Prequential, PrequentialKFold, Delayed];
        let of = |design: &Design| protocols.map(|it| key(&data[0], it, design, "mondrian", 2));
        let mut keys = of(&plain).to_vec();
        let all = [0, 1, 2, 3, 4];
        type Change = fn(&mut Design);
        let changes: [(Change, &[usize]); 9] = [
            (|it| it.order = Some(Order::Shuffled), &all),
            (|it| it.train = Some(30.0), &[0]),
            (|it| it.split = Some(Splitting::Repeated), &[0]),
            (|it| it.folds = Some(3), &[1, 3]),
            (|it| it.validation = Some(Validation::Split), &[3]),
            (|it| it.delay = Some(5), &[4]),
            (|it| it.preprocessing.components = Some(2), &all),
            (|it| it.preprocessing.scaling = FeatureScaling::Minmax, &all),
            (|it| it.preprocessing.weights = Weights::Variances, &all),
        ];
        for (change, places) in changes {
            let design = changed(plain, change);
            for (place, key) in of(&design).into_iter().enumerate() {
                let is_other = places.contains(&place);
                assert_eq!(keys.contains(&key), !is_other, "{design:?}, {place}");
                keys.extend(is_other.then_some(key));
            }
        }
        let hold_out = |set: usize, text, trees| key(&data[set], Holdout, &plain, text, trees);
        for (data, text, trees) in [
            (1, "mondrian", 2),
            (0, "mondrian:budget=1", 2),
            (0, "mean", 2),
            (0, "batch-dynamic-extra-trees", 2),
            (0, "batch-dynamic-extra-trees", 3),
            (0, "mondrian", 3),
        ] {
            let key = hold_out(data, text, trees);
            assert!(!keys.contains(&key), "{text} {trees}");
            keys.push(key);
        }
        let without_trees = [2, 3].map(|trees| hold_out(0, "mean", trees));
        assert_eq!(without_trees[0], without_trees[1]);
    }
}

//! What the runs of one table come to: a row per algorithm, averaged over seeds.

use super::estimate::{Estimate, mean};
use super::record::{Curve, Measured, Outcome, Record, Setting};
use super::standing::{self, Standing};

/// One table: all that ran in one setting.
#[derive(Clone, Debug)]
pub struct Section {
    /// What its runs share.
    pub setting: Setting,
    /// Trees of every forest.
    pub trees: usize,
    /// One row per algorithm, in the order they ran.
    pub rows: Vec<Row>,
}

/// One algorithm, over its seeds.
#[derive(Clone, Debug)]
pub struct Row {
    /// Algorithm and parameters.
    pub label: String,
    /// Whether it is a trivial baseline.
    pub baseline: bool,
    /// Trees of its forest; 0 for a baseline.
    pub trees: usize,
    /// What its finished runs come to, if there are any.
    pub result: Option<Averages>,
    /// How it compares with the others.
    pub standing: Standing,
    /// Why runs failed, each reason once.
    pub errors: Vec<String>,
}

/// Means over the finished runs of one algorithm.
#[derive(Clone, Debug)]
pub struct Averages {
    /// The metric.
    pub value: Estimate,
    /// Microseconds to learn (prequential: to answer and learn) a sample, per tree.
    pub learn_us: f64,
    /// Microseconds to answer a sample, per tree.
    pub predict_us: Option<f64>,
    /// Nodes of all trees.
    pub nodes: f64,
    /// Samples kept.
    pub stored_samples: f64,
    /// Bytes of the learner.
    pub bytes: f64,
    /// The metric along the stream.
    pub curve: Option<Curve>,
}

impl Row {
    /// Microseconds to answer and learn a sample, per tree, in every window of the stream.
    pub fn pace(&self) -> Vec<f64> {
        let curve = self
            .result
            .as_ref()
            .and_then(|result| result.curve.as_ref());
        let curve = curve.cloned().unwrap_or_default();
        let starts = std::iter::once(0).chain(curve.rows.iter().copied());
        let sizes = curve
            .rows
            .iter()
            .zip(starts)
            .map(|(end, start)| (end - start) as f64);
        let trees = self.trees.max(1) as f64;
        let micros = |(seconds, rows): (&f64, f64)| seconds * 1e6 / rows / trees;
        curve.seconds.iter().zip(sizes).map(micros).collect()
    }
}

/// Sums up `records`: a section per setting and a row per algorithm, in order of first appearance.
pub fn sections(records: &[Record]) -> Vec<Section> {
    let sections = groups(records.iter(), |a, b| a.setting == b.setting);
    sections.iter().map(|group| section(group)).collect()
}

fn section(records: &[&Record]) -> Section {
    let setting = records[0].setting.clone();
    let groups = groups(records.iter().copied(), |a, b| a.label == b.label);
    let mut rows: Vec<Row> = groups.iter().map(|group| row(group)).collect();
    standing::judge(&mut rows, setting.metric);
    let trees = rows.iter().map(|row| row.trees).max().unwrap_or(0);
    Section {
        setting,
        trees,
        rows,
    }
}

fn row(records: &[&Record]) -> Row {
    let mut errors: Vec<String> = records.iter().filter_map(|record| error(record)).collect();
    errors.dedup();
    Row {
        label: records[0].label.clone(),
        baseline: records[0].baseline,
        trees: records[0].trees,
        result: averages(records),
        standing: Standing::Unranked,
        errors,
    }
}

fn error(record: &Record) -> Option<String> {
    match &record.outcome {
        Outcome::Failed { error } => Some(error.clone()),
        Outcome::Measured(_) => None,
    }
}

fn averages(records: &[&Record]) -> Option<Averages> {
    let finished: Vec<&Measured> = records
        .iter()
        .filter_map(|record| measured(record))
        .collect();
    let all = |get: &dyn Fn(&Measured) -> f64| -> Vec<f64> {
        finished.iter().map(|measured| get(measured)).collect()
    };
    let (setting, trees) = (&records[0].setting, records[0].trees);
    let micros = |seconds: f64, rows: usize| seconds * 1e6 / rows as f64 / trees.max(1) as f64;
    let predict: Vec<f64> = finished
        .iter()
        .filter_map(|measured| measured.predict_seconds)
        .collect();
    Some(Averages {
        value: Estimate::of(&all(&|measured| measured.value))?,
        learn_us: micros(
            mean(&all(&|measured| measured.learn_seconds))?,
            setting.n_train,
        ),
        predict_us: mean(&predict).map(|seconds| micros(seconds, setting.n_test)),
        nodes: mean(&all(&|measured| measured.held.nodes as f64))?,
        stored_samples: mean(&all(&|measured| measured.held.stored_samples as f64))?,
        bytes: mean(&all(&|measured| measured.held.model_bytes as f64))?,
        curve: mean_curve(&finished),
    })
}

fn measured(record: &Record) -> Option<&Measured> {
    match &record.outcome {
        Outcome::Measured(measured) => Some(measured),
        Outcome::Failed { .. } => None,
    }
}

/// The mean over seeds at every entry; the entries of one setting stand at the same rows.
fn mean_curve(finished: &[&Measured]) -> Option<Curve> {
    let curves: Vec<&Curve> = finished
        .iter()
        .filter_map(|run| run.curve.as_ref())
        .collect();
    let rows = curves.first()?.rows.clone();
    let means = |get: fn(&Curve) -> &Vec<f64>| -> Vec<f64> {
        let at = |i: usize| curves.iter().map(|curve| get(curve)[i]).sum::<f64>();
        (0..rows.len())
            .map(|i| at(i) / curves.len() as f64)
            .collect()
    };
    Some(Curve {
        cumulative: means(|curve| &curve.cumulative),
        windowed: means(|curve| &curve.windowed),
        seconds: means(|curve| &curve.seconds),
        rows,
    })
}

/// Groups what is `same`, in order of first appearance.
fn groups<'a>(
    records: impl Iterator<Item = &'a Record>,
    same: impl Fn(&Record, &Record) -> bool,
) -> Vec<Vec<&'a Record>> {
    let mut groups: Vec<Vec<&Record>> = Vec::new();
    for record in records {
        match groups.iter_mut().find(|group| same(group[0], record)) {
            Some(group) => group.push(record),
            None => groups.push(vec![record]),
        }
    }
    groups
}

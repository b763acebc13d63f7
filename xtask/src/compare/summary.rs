//! The runs of a setting as a table: a row per algorithm, averaged over seeds and ranked.

use std::iter;

use statrs::statistics::Statistics as _;

use super::metric::Metric;
use super::number;
use super::record::{Curve, Measured, Outcome, Record, Setting};

/// Half the width of an interval, in standard errors.
const STANDARD_ERRORS: f64 = 1.96;

/// All that ran in one setting.
#[derive(Clone, Debug)]
pub struct Section {
    pub setting: Setting,
    /// Of every forest.
    pub trees: usize,
    /// One per algorithm, in the order they ran.
    pub rows: Vec<Row>,
}

/// One algorithm, over its seeds.
#[derive(Clone, Debug)]
pub struct Row {
    /// Algorithm and parameters.
    pub label: String,
    pub baseline: bool,
    /// 0 for a baseline.
    pub trees: usize,
    /// None if no run finished.
    pub result: Option<Averages>,
    pub rank: Rank,
    /// Why runs failed, each reason once.
    pub errors: Vec<String>,
}

/// Means over the finished runs of one algorithm.
#[derive(Clone, Debug)]
pub struct Averages {
    pub value: Estimate,
    /// Microseconds to learn (prequential: to predict and learn) a sample, per tree.
    pub learn_us: f64,
    /// Microseconds to predict a sample, per tree.
    pub predict_us: Option<f64>,
    pub nodes: f64,
    pub stored_samples: f64,
    pub bytes: f64,
    pub curve: Option<Curve>,
}

/// The mean of `n` values ± 1.96 standard errors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    pub mean: f64,
    /// None for one value.
    pub half_width: Option<f64>,
    pub n: usize,
}

impl Estimate {
    /// None for no values.
    pub fn of(values: &[f64]) -> Option<Self> {
        let n = values.len();
        let half_width = || STANDARD_ERRORS * values.std_dev() / (n as f64).sqrt();
        (n > 0).then(|| Self {
            mean: values.mean(),
            half_width: (n > 1).then(half_width),
            n,
        })
    }

    /// Lower end, mean and upper end of the interval.
    pub fn interval(&self) -> [f64; 3] {
        let half = self.half_width.unwrap_or(0.0);
        [self.mean - half, self.mean, self.mean + half]
    }
}

/// How an algorithm compares with the others of its table.
///
/// Baselines are not ranked. Intervals are compared as printed; without intervals, algorithms are
/// tied whose means are printed the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rank {
    Best,
    Tied,
    Behind,
    /// A baseline, an algorithm without result, or the only algorithm.
    Unranked,
}

impl Rank {
    /// The rule, for readers.
    pub const RULE: &str = "Best: the best mean among the algorithms (baselines do not compete); \
                            tie: its interval, as printed, overlaps that of the best";

    pub fn word(self) -> &'static str {
        match self {
            Self::Best => "best",
            Self::Tied => "tie",
            Self::Behind | Self::Unranked => "",
        }
    }
}

/// A section per setting and a row per algorithm, in the order in which they ran.
pub fn sections(records: &[Record]) -> Vec<Section> {
    let groups = group(records.iter(), |a, b| a.setting == b.setting);
    groups.iter().map(|group| Section::new(group)).collect()
}

fn group<'a>(
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

impl Section {
    fn new(records: &[&Record]) -> Self {
        let setting = records[0].setting.clone();
        let groups = group(records.iter().copied(), |a, b| a.label == b.label);
        let mut rows: Vec<Row> = groups.iter().map(|group| Row::new(group)).collect();
        rank(&mut rows, setting.metric);
        let trees = rows.iter().map(|row| row.trees).max().unwrap_or(0);
        Self {
            setting,
            trees,
            rows,
        }
    }
}

impl Row {
    fn new(records: &[&Record]) -> Self {
        let (mut finished, mut errors) = (Vec::new(), Vec::new());
        for record in records {
            match &record.outcome {
                Outcome::Measured(measured) => finished.push(measured),
                Outcome::Failed { error } => errors.push(error.clone()),
            }
        }
        errors.dedup();
        let Record {
            setting,
            label,
            baseline,
            trees,
            ..
        } = records[0];
        Self {
            label: label.clone(),
            baseline: *baseline,
            trees: *trees,
            result: Averages::of(&finished, setting, *trees),
            rank: Rank::Unranked,
            errors,
        }
    }

    fn competes(&self) -> bool {
        !self.baseline && self.result.is_some()
    }

    pub fn curve(&self) -> Option<&Curve> {
        self.result.as_ref()?.curve.as_ref()
    }

    /// Microseconds per sample and tree in every window of the stream.
    pub fn window_us(&self) -> Vec<f64> {
        let Some(curve) = self.curve() else {
            return Vec::new();
        };
        let starts = iter::once(&0).chain(&curve.rows);
        let sizes = curve
            .rows
            .iter()
            .zip(starts)
            .map(|(end, start)| end - start);
        let us = |(&seconds, rows): (&f64, usize)| microseconds(seconds, rows, self.trees);
        curve.seconds.iter().zip(sizes).map(us).collect()
    }
}

impl Averages {
    fn of(finished: &[&Measured], setting: &Setting, trees: usize) -> Option<Self> {
        let mean = |get: fn(&Measured) -> f64| finished.iter().map(|run| get(run)).mean();
        let values: Vec<f64> = finished.iter().map(|run| run.value).collect();
        let predict: Vec<f64> = finished
            .iter()
            .filter_map(|run| run.predict_seconds)
            .collect();
        Some(Self {
            value: Estimate::of(&values)?,
            learn_us: microseconds(mean(|run| run.learn_seconds), setting.n_train, trees),
            predict_us: Estimate::of(&predict)
                .map(|seconds| microseconds(seconds.mean, setting.n_test, trees)),
            nodes: mean(|run| run.nodes as f64),
            stored_samples: mean(|run| run.stored_samples as f64),
            bytes: mean(|run| run.model_bytes as f64),
            curve: mean_curve(finished),
        })
    }
}

/// Per row and tree; a baseline, which has no trees, counts as one.
fn microseconds(seconds: f64, rows: usize, trees: usize) -> f64 {
    seconds * 1e6 / rows as f64 / trees.max(1) as f64
}

/// The mean over seeds at every entry; all runs of a setting have entries at the same rows.
fn mean_curve(finished: &[&Measured]) -> Option<Curve> {
    let curves = finished.iter().filter_map(|run| run.curve.as_ref());
    let curves: Vec<&Curve> = curves.collect();
    let rows = curves.first()?.rows.clone();
    let means = |values: fn(&Curve) -> &[f64]| -> Vec<f64> {
        let mean = |entry| curves.iter().map(|curve| values(curve)[entry]).mean();
        (0..rows.len()).map(mean).collect()
    };
    Some(Curve {
        cumulative: means(|curve| &curve.cumulative),
        windowed: means(|curve| &curve.windowed),
        seconds: means(|curve| &curve.seconds),
        rows,
    })
}

/// The baseline that no algorithm beats, if there is one.
pub fn unbeaten_baseline(rows: &[Row], metric: Metric) -> Option<&Row> {
    let score = |row: &Row| Some(metric.score(row.result.as_ref()?.value.mean));
    let best = score(&rows[best(rows, metric)?]);
    let mut baselines = rows
        .iter()
        .filter(|row| row.baseline && row.result.is_some());
    baselines.find(|row| score(row) >= best)
}

fn rank(rows: &mut [Row], metric: Metric) {
    let decimals = number::decimals(rows);
    let competitors = rows.iter().filter(|row| row.competes()).count();
    let (Some(best), true) = (best(rows, metric), competitors > 1) else {
        return;
    };
    let best_interval = printed_interval(&rows[best], decimals);
    for (index, row) in rows
        .iter_mut()
        .enumerate()
        .filter(|(_, row)| row.competes())
    {
        row.rank = match index == best {
            true => Rank::Best,
            false if overlap(best_interval, printed_interval(row, decimals)) => Rank::Tied,
            false => Rank::Behind,
        };
    }
}

/// The algorithm with the best mean; of equals the first.
fn best(rows: &[Row], metric: Metric) -> Option<usize> {
    let score = |row: &Row| Some(metric.score(row.result.as_ref()?.value.mean));
    let competitors = (0..rows.len()).filter(|&index| rows[index].competes());
    // `max_by` takes the last of equals.
    let scores = competitors.filter_map(|index| Some((index, score(&rows[index])?)));
    scores
        .rev()
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(index, _)| index)
}

/// In units of the last decimal printed.
fn printed_interval(row: &Row, decimals: usize) -> Option<(i64, i64)> {
    let unit = 10f64.powi(decimals as i32);
    let printed = |number: f64| (number * unit).round() as i64;
    let value = row.result.as_ref()?.value;
    let (mean, half) = (
        printed(value.mean),
        printed(value.half_width.unwrap_or(0.0)),
    );
    Some((mean - half, mean + half))
}

fn overlap(a: Option<(i64, i64)>, b: Option<(i64, i64)>) -> bool {
    a.zip(b).is_some_and(|(a, b)| a.0 <= b.1 && b.0 <= a.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(mean: f64, half_width: Option<f64>, baseline: bool) -> Row {
        let n = 3;
        let result = Averages {
            value: Estimate {
                mean,
                half_width,
                n,
            },
            learn_us: 1.0,
            predict_us: None,
            nodes: 1.0,
            stored_samples: 0.0,
            bytes: 1.0,
            curve: None,
        };
        Row {
            label: String::new(),
            baseline,
            trees: 1,
            result: Some(result),
            rank: Rank::Unranked,
            errors: Vec::new(),
        }
    }

    fn ranks(mut rows: Vec<Row>, metric: Metric) -> Vec<Rank> {
        rank(&mut rows, metric);
        rows.iter().map(|row| row.rank).collect()
    }

    #[test]
    fn the_interval_is_the_textbook_one() {
        let estimate = Estimate::of(&[1.0, 2.0, 3.0]).unwrap();
        assert_eq!(estimate.mean, 2.0);
        let expected = 1.96 / 3f64.sqrt();
        assert!((estimate.half_width.unwrap() - expected).abs() < 1e-12);
    }

    #[test]
    fn one_value_has_no_interval_and_none_no_mean() {
        assert_eq!(Estimate::of(&[5.0]).unwrap().half_width, None);
        assert_eq!(Estimate::of(&[]), None);
    }

    #[test]
    fn overlapping_intervals_tie_and_baselines_do_not_compete() {
        let rows = vec![
            row(0.99, Some(0.0), true),
            row(0.90, Some(0.01), false),
            row(0.91, Some(0.01), false),
            row(0.80, Some(0.01), false),
        ];
        let expected = [Rank::Unranked, Rank::Tied, Rank::Best, Rank::Behind];
        assert_eq!(ranks(rows, Metric::Accuracy), expected);
    }

    #[test]
    fn without_intervals_equal_print_ties_and_lower_rmse_wins() {
        let rows = [1.00004, 1.0, 2.0].map(|mean| row(mean, None, false));
        let expected = [Rank::Tied, Rank::Best, Rank::Behind];
        assert_eq!(ranks(rows.to_vec(), Metric::Rmse), expected);
    }

    #[test]
    fn of_equal_means_the_first_is_best() {
        let rows = vec![row(0.9, None, false), row(0.9, None, false)];
        assert_eq!(ranks(rows, Metric::Accuracy), [Rank::Best, Rank::Tied]);
    }

    #[test]
    fn alone_is_not_best() {
        let rows = vec![row(0.5, None, true), row(0.9, None, false)];
        assert_eq!(ranks(rows, Metric::Accuracy), [Rank::Unranked; 2]);
    }

    #[test]
    fn the_baseline_that_nothing_beats_is_found() {
        let unbeaten = |baseline| {
            let rows = vec![row(baseline, None, true), row(0.91, None, false)];
            unbeaten_baseline(&rows, Metric::Accuracy)
                .map(|row| row.result.as_ref().unwrap().value.mean)
        };
        assert_eq!(unbeaten(0.99), Some(0.99));
        assert_eq!(unbeaten(0.91), Some(0.91));
        assert_eq!(unbeaten(0.90), None);
    }
}

//! Writes `summary.csv`, the tables in full precision, `metrics.csv`, every metric of every algorithm, and `seeds.csv`, the values behind
//! the means. The names of fields are the headers.

use ::csv::{Error, Writer};
use serde::Serialize;

use super::section::{Row, Section};
use crate::metric::Metric;
use crate::record::{Protocol, task_name};

/// Returns the text of `summary.csv`.
pub(super) fn summary(sections: &[Section]) -> Result<String, Error> {
    render(rows(sections).map(|(section, row)| summary_line(section, row)))
}

/// Returns the text of `metrics.csv`.
pub(super) fn metrics(sections: &[Section]) -> Result<String, Error> {
    render(rows(sections).flat_map(|(section, row)| measurements(section, row)))
}

/// Returns the text of `seeds.csv`.
pub(super) fn seeds(sections: &[Section]) -> Result<String, Error> {
    render(rows(sections).flat_map(|(section, row)| seed_lines(section, row)))
}

fn rows(sections: &[Section]) -> impl Iterator<Item = (&Section, &Row)> {
    let sections = sections.iter();
    sections.flat_map(|section| section.rows.iter().map(move |row| (section, row)))
}

fn render(lines: impl Iterator<Item = impl Serialize>) -> Result<String, Error> {
    let mut writer = Writer::from_writer(Vec::new());
    for line in lines {
        writer.serialize(line)?;
    }
    let bytes = writer.into_inner().map_err(|error| error.into_error())?;
    Ok(String::from_utf8(bytes).expect("every field is text"))
}

#[derive(Debug, Serialize)]
struct Summary<'a> {
    dataset: &'a str,
    protocol: Protocol,
    task: &'a str,
    algorithm: &'a str,
    baseline: bool,
    offline: bool,
    trees: usize,
    metric: &'a str,
    n: usize,
    mean: Option<f64>,
    half_width: Option<f64>,
    standing: &'a str,
    learn_us_per_sample_and_tree: Option<f64>,
    predict_us_per_sample_and_tree: Option<f64>,
    nodes: Option<f64>,
    stored_samples: Option<f64>,
    model_bytes: Option<f64>,
    errors: String,
    /// Words that distinguish a setting or an algorithm from others with these names.
    distinction: String,
}

fn summary_line<'a>(section: &'a Section, row: &'a Row) -> Summary<'a> {
    let (setting, result) = (&section.setting, row.result.as_ref());
    Summary {
        dataset: &setting.dataset,
        protocol: setting.protocol,
        task: task_name(setting.task),
        algorithm: &row.algorithm,
        baseline: row.baseline,
        offline: row.offline,
        trees: row.trees,
        metric: section.columns[0].name,
        n: result.map_or(0, |result| result.value.n),
        mean: result.map(|result| result.value.mean),
        half_width: result.and_then(|result| result.value.half_width()),
        standing: row.rank.word(),
        learn_us_per_sample_and_tree: result.map(|result| result.learn_us),
        predict_us_per_sample_and_tree: result.and_then(|result| result.predict_us),
        nodes: result.and_then(|result| result.nodes),
        stored_samples: result.and_then(|result| result.stored_samples),
        model_bytes: result.and_then(|result| result.bytes),
        errors: row.errors.join("; "),
        distinction: section.distinction_of(row),
    }
}

#[derive(Debug, Serialize)]
struct Measurement<'a> {
    dataset: &'a str,
    protocol: Protocol,
    algorithm: &'a str,
    metric: &'a str,
    unit: &'a str,
    n: usize,
    mean: f64,
    half_width: Option<f64>,
    /// Words that distinguish a setting or an algorithm from others with these names.
    distinction: String,
}

fn measurements<'a>(section: &'a Section, row: &'a Row) -> impl Iterator<Item = Measurement<'a>> {
    let metrics = row.result.iter().flat_map(|result| {
        Metric::of_task(section.setting.task)
            .filter_map(|metric| Some((metric, result.metrics.get(metric.name)?)))
    });
    metrics.map(|(metric, estimate)| Measurement {
        dataset: &section.setting.dataset,
        protocol: section.setting.protocol,
        algorithm: &row.algorithm,
        metric: metric.entry().name,
        unit: metric.entry().unit,
        n: estimate.n,
        mean: estimate.mean,
        half_width: estimate.half_width(),
        distinction: section.distinction_of(row),
    })
}

#[derive(Debug, Serialize)]
struct Seed<'a> {
    dataset: &'a str,
    protocol: Protocol,
    algorithm: &'a str,
    metric: &'a str,
    seed: u64,
    value: f64,
    /// Words that distinguish a setting or an algorithm from others with these names.
    distinction: String,
}

fn seed_lines<'a>(section: &'a Section, row: &'a Row) -> impl Iterator<Item = Seed<'a>> {
    let values = row.result.iter().flat_map(|result| &result.by_seed);
    values.map(|&(seed, value)| Seed {
        dataset: &section.setting.dataset,
        protocol: section.setting.protocol,
        algorithm: &row.algorithm,
        metric: section.columns[0].name,
        seed,
        value,
        distinction: section.distinction_of(row),
    })
}
